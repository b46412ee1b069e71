internal import CLMDB
internal import Glibc
internal import Synchronization

/// One store as this process sees it: where its transactions begin.
///
///     let environment = try StorageEnvironment.open(.file("dogs.hdb"))
///     let write = try environment.beginWrite()
///     let dog = try write.create(1)
///     let version = try write.commit()
///
/// A file has one environment in the whole process, shared by all who open it and closed with the
/// last. Safe to use from any thread.
package final class StorageEnvironment: Sendable {
  package enum Location: Hashable, Sendable {
    /// A store of this environment alone, gone with it.
    case memory
    case file(String)
  }

  let file: OpenFile
  private let identity: FileIdentity?
  private let allowsWriting: Atomic<Bool>
  private let caches = Mutex<[BlockCache]>([])
  private let spareChanges = Mutex<PendingChanges?>(nil)
  private let newest = Mutex(NewestVersion())
  private let logLimit = Atomic(4096)

  init(_ file: OpenFile, _ identity: FileIdentity?, isReadOnly: Bool) {
    self.file = file
    self.identity = identity
    allowsWriting = Atomic(!isReadOnly)
  }

  deinit {
    newest.withLock { $0.end() }
    if let identity {
      EnvironmentRegistry.shared.release(identity)
    } else {
      file.close()
    }
  }

  /// The store's file by its canonical path, nil for a store in memory.
  package var path: String? { isInMemory ? nil : file.path }
  package var isInMemory: Bool { identity == nil }
  /// Whether everybody who opened the store asked for reading only.
  package var isReadOnly: Bool { !allowsWriting.load(ordering: .relaxed) }

  /// How many entries this process leaves in the change log when it commits, at least: 4,096 unless
  /// told otherwise.
  package func keepLog(entries: Int) { logLimit.store(max(1, entries), ordering: .relaxed) }

  /// The log keeps this many entries at least, as far as their size allows.
  var loggedEntries: Int { logLimit.load(ordering: .relaxed) }

  func allowWriting() { allowsWriting.store(true, ordering: .relaxed) }

  /// A snapshot of the newest version. Takes a few hundred nanoseconds.
  package func beginRead() throws(StorageError) -> ReadTransaction {
    ReadTransaction(StorageSnapshot(self, try begin(MDB_RDONLY), pending: nil))
  }

  /// The store's only write transaction, to be used and ended on this thread.
  ///
  /// The caller sees to it that this process has one at a time. When another process is writing,
  /// waits for it, or, not `waiting`, throws `locked`.
  package func beginWrite(waiting: Bool = true) throws(StorageError) -> WriteTransaction {
    guard !isReadOnly else { throw .readOnly }
    if let lock = file.lockDescriptor, !WriterLock.take(lock, waiting: waiting) {
      throw .locked(path: file.path)
    }
    do throws(StorageError) {
      let transaction = try begin(0)
      return try WriteTransaction(StorageSnapshot(self, transaction, pending: takeChanges()))
    } catch {
      releaseWriterLock()
      throw error
    }
  }

  /// Throws `locked` where another process was writing a moment ago. Takes nothing.
  package func checkWriterLock() throws(StorageError) {
    if let lock = file.lockDescriptor, !WriterLock.isFree(lock) { throw .locked(path: file.path) }
  }

  /// The newest committed version, of whichever process. Some ten nanoseconds while nothing new
  /// was committed, else those of a short read.
  package func committedVersion() throws(StorageError) -> Int {
    try newest.withLock { newest throws(StorageError) in try newest.version(of: file) }
  }

  private func begin(_ flags: Int32) throws(StorageError) -> OpaquePointer {
    var transaction: OpaquePointer?
    let code = mdb_txn_begin(file.handle, nil, UInt32(flags), &transaction)
    guard code == 0, let transaction else { throw .explaining(code, "begin", path: file.path) }
    return transaction
  }

  /// Lets writers of other processes on, after a commit that kept them waiting.
  package func releaseWriterLock() {
    if let lock = file.lockDescriptor { WriterLock.release(lock) }
  }

  /// Notes a version that this process committed, so that nobody has to look for it.
  func note(version: Int, _ transactionID: Int) {
    newest.withLock { $0.note(version: version, transactionID) }
  }

  func takeCache() -> BlockCache {
    caches.withLock { $0.popLast() } ?? BlockCache()
  }

  func giveBack(_ cache: BlockCache) {
    cache.forgetAll()
    caches.withLock { if $0.count < 16 { $0.append(cache) } }
  }

  private func takeChanges() -> PendingChanges {
    spareChanges.withLock { $0.take() } ?? PendingChanges()
  }

  func giveBack(_ changes: PendingChanges) {
    spareChanges.withLock { $0 = changes }
  }
}

/// The newest version that was seen, with the transaction in which to look again.
///
/// `@unchecked Sendable`: it lives in the environment's mutex and nowhere else.
private struct NewestVersion: @unchecked Sendable {
  private var transaction: OpaquePointer?
  private var transactionID = -1
  private var version = 0

  mutating func version(of file: OpenFile) throws(StorageError) -> Int {
    var information = MDB_envinfo()
    mdb_env_info(file.handle, &information)
    if information.me_last_txnid == transactionID { return version }
    let code: Int32
    if let transaction {
      code = mdb_txn_renew(transaction)
    } else {
      code = mdb_txn_begin(file.handle, nil, UInt32(MDB_RDONLY), &transaction)
    }
    guard code == 0, let transaction else { throw .explaining(code, "begin", path: file.path) }
    defer { mdb_txn_reset(transaction) }
    guard let state = StoreState(transaction, file.databases) else {
      throw .damaged(path: file.path, reason: "it has no state")
    }
    version = state.version
    transactionID = Int(mdb_txn_id(transaction))
    return version
  }

  mutating func note(version: Int, _ transactionID: Int) {
    guard transactionID > self.transactionID else { return }
    self.version = version
    self.transactionID = transactionID
  }

  mutating func end() {
    if let transaction { mdb_txn_abort(transaction) }
    transaction = nil
  }
}
