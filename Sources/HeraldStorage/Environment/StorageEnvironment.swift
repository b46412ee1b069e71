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

  private let store: OpenStore
  private let identity: FileIdentity?
  private let allowsWriting: Atomic<Bool>
  private let caches = Mutex<[BlockCache]>([])
  private let spareChanges = Mutex<PendingChanges?>(nil)
  private let newest = Mutex(NewestVersion())
  private let logLimit = Atomic(Int.max / 2)
  private let memoryOfWrite = Atomic(WriteMemory.usualLimit)
  /// Who holds versions that no table of readers tells of, as in memory.
  private let holders = Mutex<[ObjectIdentifier: ReaderNote]>([:])
  let givenNumbers = GivenNumbers()
  /// Of the write transaction under way.
  private let shield = Mutex<SignalShield?>(nil)

  init(_ store: OpenStore, _ identity: FileIdentity?, isReadOnly: Bool) {
    self.store = store
    self.identity = identity
    allowsWriting = Atomic(!isReadOnly)
  }

  deinit {
    newest.withLock { $0.end() }
    if let identity {
      EnvironmentRegistry.shared.release(identity)
    } else {
      store.close()
    }
  }

  /// The handle of LMDB that is in use now.
  var file: OpenFile { store.current }

  /// The store's file by its canonical path, nil for a store in memory.
  package var path: String? { isInMemory ? nil : file.path }
  package var isInMemory: Bool { identity == nil }
  /// Whether everybody who opened the store asked for reading only.
  package var isReadOnly: Bool { !allowsWriting.load(ordering: .relaxed) }

  /// How many entries this process leaves in the change log when it commits, as far as their size allows:
  /// all of them unless told otherwise.
  package func keepLog(entries: Int) { logLimit.store(max(1, entries), ordering: .relaxed) }

  /// The log keeps this many entries at least, as far as their size allows.
  var loggedEntries: Int { logLimit.load(ordering: .relaxed) }

  /// The bytes of memory that a write transaction may need: a quarter of the machine's, unless told
  /// otherwise.
  package var writeLimit: Int {
    get { memoryOfWrite.load(ordering: .relaxed) }
    set { memoryOfWrite.store(max(1, newValue), ordering: .relaxed) }
  }

  func allowWriting() { allowsWriting.store(true, ordering: .relaxed) }

  /// A snapshot of the newest version. Takes a few hundred nanoseconds, and on disk a microsecond or
  /// two, for a look at whether the file is still where it was opened.
  package func beginRead() throws(StorageError) -> ReadTransaction {
    let (transaction, file, state) = try beginReading()
    return ReadTransaction(StorageSnapshot(self, file, transaction, pending: nil, state: state))
  }

  /// A transaction of the newest version, in whichever file that is, and its state: nil in memory, and
  /// where it is damaged.
  func beginReading() throws(StorageError) -> (OpaquePointer, OpenFile, StoreState?) {
    var attempts = OpenFile.settlingAttempts
    while true {
      try checkFiles()
      let (transaction, file) = try begin(MDB_RDONLY)
      do throws(StorageError) {
        try file.checkNewest()
        let state = file.settledState(of: transaction)
        attempts -= 1
        if file.isInMemory || state != nil || attempts == 0 { return (transaction, file, state) }
        mdb_txn_abort(transaction)
        file.files?.endUse()
      } catch {
        mdb_txn_abort(transaction)
        file.files?.endUse()
        guard hasMoved(from: file) else { throw error }
      }
    }
  }

  /// Whether the store's file is not where it was when it was opened, or is another by now.
  private func hasMoved(from file: OpenFile) -> Bool {
    guard self.file === file else { return true }
    do throws(StorageError) {
      try file.files?.check()
      return false
    } catch {
      return true
    }
  }

  /// The store's only write transaction, to be used and ended on this thread.
  ///
  /// The caller sees to it that this process has one at a time. When another process is writing,
  /// waits for it, or, not `waiting`, throws `locked`.
  package func beginWrite(waiting: Bool = true) throws(StorageError) -> WriteTransaction {
    guard !isReadOnly else { throw .readOnly }
    try takeWriterLock(waiting: waiting)
    let shield = isInMemory ? nil : SignalShield.raise()
    self.shield.withLock { $0 = shield }
    do throws(StorageError) {
      // While we waited somebody may have ended without clearing his place.
      try file.prepareWrite()
      let (transaction, file) = try begin(0)
      do throws(StorageError) {
        try file.checkNewest(before: transaction)
      } catch {
        mdb_txn_abort(transaction)
        file.files?.endUse()
        throw error
      }
      return try WriteTransaction(StorageSnapshot(self, file, transaction, pending: takeChanges()))
    } catch {
      endWrite(keepsLock: false)
      throw error
    }
  }

  /// Takes the lock of the file that the store is in: it may have been put into another while we waited.
  func takeWriterLock(waiting: Bool) throws(StorageError) {
    while true {
      try checkFiles()
      let file = file
      guard let store = file.files?.store else { return }
      guard WriterLock.take(store, waiting: waiting) else { throw .locked(path: file.path) }
      if !hasMoved(from: file) { return }
      WriterLock.release(store)
    }
  }

  /// Throws `locked` where another process was writing a moment ago. Takes nothing.
  package func checkWriterLock() throws(StorageError) {
    try checkFiles()
    if let store = file.files?.store, !WriterLock.isFree(store) { throw .locked(path: file.path) }
  }

  /// The newest committed version, of whichever process. Some ten nanoseconds in memory while nothing
  /// new was committed, else those of a short read; on disk the look at the file besides.
  package func committedVersion() throws(StorageError) -> Int {
    try checkFiles()
    while true {
      let file = fileInUse()
      defer { file.files?.endUse() }
      do throws(NewestVersion.Failure) {
        return try newest.withLock { newest throws(NewestVersion.Failure) in
          try newest.version(of: file)
        }
      } catch {
        switch error {
        case .refused(let code): try replace(file, refusing: code)
        case .damaged: throw .damaged(path: file.path, reason: "it has no state")
        }
      }
    }
  }

  /// Throws where the store's file, or its lock file, is not where it was opened.
  func checkFiles() throws(StorageError) { try store.checkFiles() }

  /// The handle that is in use now, of a file that keeps its pages until `endUse`.
  func fileInUse() -> OpenFile {
    while true {
      let file = file
      if file.files?.beginUse() ?? true { return file }
    }
  }

  /// A transaction of a file that is in use from now on.
  func begin(_ flags: Int32) throws(StorageError) -> (OpaquePointer, OpenFile) {
    while true {
      let file = fileInUse()
      var transaction: OpaquePointer?
      let code = mdb_txn_begin(file.handle, nil, UInt32(flags), &transaction)
      if code == 0, let transaction { return (transaction, file) }
      file.files?.endUse()
      try replace(file, refusing: code)
    }
  }

  /// Puts another handle in the place of one that is of no more use; throws where the refusal of a
  /// transaction has another reason.
  private func replace(_ stale: OpenFile, refusing code: Int32) throws(StorageError) {
    guard code == MDB_PANIC || code == MDB_MAP_RESIZED, stale.files != nil else {
      throw .explaining(code, "begin", path: stale.path)
    }
    try store.replace(stale) { stale throws(StorageError) in
      // Four times what the file has come to, or it would soon be too small again.
      let mapSize = code == MDB_MAP_RESIZED ? 4 * stale.usedSize : 0
      return try stale.reopened(mapSize: mapSize)
    }
  }

  /// The write transaction is over. `keepsLock`: writers of other processes go on waiting.
  func endWrite(keepsLock: Bool) {
    shield.withLock { shield in
      shield?.lower()
      shield = nil
    }
    if !keepsLock { releaseWriterLock() }
  }

  /// Lets writers of other processes on, after a commit that kept them waiting.
  package func releaseWriterLock() {
    if let store = file.files?.store { WriterLock.release(store) }
  }

  /// Notes a version that this process committed, so that nobody has to look for it.
  func note(version: Int, _ transactionID: Int) {
    newest.withLock { $0.note(version: version, transactionID) }
  }

  func hold(_ note: ReaderNote, by holder: ObjectIdentifier) {
    holders.withLock { $0[holder] = note }
  }

  func letGo(by holder: ObjectIdentifier) {
    holders.withLock { if !$0.isEmpty { $0[holder] = nil } }
  }

  var heldHere: [ReaderNote] { holders.withLock { Array($0.values) } }

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
