internal import CLMDB
internal import Glibc
internal import Synchronization

/// One store as this process sees it: begins its transactions.
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
    /// A store of this environment alone, deleted with it.
    case memory
    case file(String)
  }

  let store: OpenStore
  /// The file of a store in memory, which is never replaced.
  private let memoryFile: OpenFile?
  /// The versions of a store in memory.
  let memory: MemoryVersions
  private let allowsWriting: Atomic<Bool>
  private let caches = Mutex<[BlockCache]>([])
  private let spareChanges = Mutex<WriteBuffer?>(nil)
  private let newest = Mutex(NewestVersion())
  private let logLimit = Atomic(Int.max / 2)
  private let memoryOfWrite = Atomic(WriteMemory.defaultLimit)
  /// The largest number of changed pages that a write transaction keeps in memory, unless `writeLimit` is less.
  let spillLimit = Atomic(DirtyPages.defaultLimit)
  /// The holders of versions that no reader table lists, such as those in memory.
  private let holders = Mutex<[ObjectIdentifier: VersionHolding]>([:])
  let issuedNumbers = IssuedNumbers()
  /// The shield of the open write transaction.
  private let shield = Mutex<SignalShield?>(nil)
  /// The file in whose queue of writers this process is first; nil if it is not.
  let queued = Mutex<OwnedDescriptor?>(nil)

  init(_ store: OpenStore, isInMemory: Bool, isReadOnly: Bool) {
    self.store = store
    memoryFile = isInMemory ? store.current : nil
    memory = MemoryVersions(isUsed: isInMemory)
    allowsWriting = Atomic(!isReadOnly)
  }

  deinit {
    newest.withLock { $0.end() }
    if isInMemory { store.close() } else { EnvironmentRegistry.shared.release(store) }
  }

  /// The LMDB handle that is in use now.
  package var file: OpenFile { memoryFile ?? store.current }

  /// The canonical path of the store's file, nil for a store in memory.
  package var path: String? { isInMemory ? nil : file.path }
  package var isInMemory: Bool { memoryFile != nil }
  /// Whether the store has a file: one that was not there when it was opened gets it with its first commit.
  package var hasFile: Bool { !isInMemory && !store.isNameless }
  /// Whether everyone who opened the store did so for reading only.
  package var isReadOnly: Bool { !allowsWriting.load(ordering: .relaxed) }

  /// Sets the number of entries that this process leaves in the log when it commits, as far
  /// as their size allows. The default keeps all of them.
  package func keepLog(entries: Int) { logLimit.store(max(1, entries), ordering: .relaxed) }

  /// The smallest number of entries that the log keeps, as far as their size allows.
  var loggedEntries: Int { logLimit.load(ordering: .relaxed) }

  /// The bytes of memory that a write transaction may use: by default a quarter of the machine's.
  package var writeLimit: Int {
    get { memoryOfWrite.load(ordering: .relaxed) }
    set { memoryOfWrite.store(max(1, newValue), ordering: .relaxed) }
  }

  func allowWriting() { allowsWriting.store(true, ordering: .relaxed) }

  /// Begins a read transaction of the newest version. Takes a few hundred nanoseconds, and on disk
  /// a microsecond or two more, to check that the file is still at its path, unless the caller has just checked that.
  package func beginRead(isChecked: Bool = false) throws(StorageError) -> StorageSnapshot {
    StorageSnapshot(self, try beginReading(isChecked: isChecked))
  }

  /// Begins to read the newest version, in whichever file that is. It has its state, but for one in memory or damaged.
  func beginReading(isChecked: Bool = false) throws(StorageError) -> ReadVersion {
    var attempts = OpenFile.settlingAttempts
    var needsCheck = !isChecked
    memory.enter()
    var hasBegun = false
    defer { if !hasBegun { memory.leave() } }
    while true {
      if needsCheck { try checkFiles() }
      needsCheck = true
      let journaled = isInMemory ? nil : store.journaled.current
      let (transaction, file) = try begin(MDB_RDONLY)
      do throws(StorageError) {
        try file.checkNewest()
        if file.isInMemory {
          var begun = ReadVersion(transaction: transaction, file: file)
          if file.isSettled(transaction), memory.take(&begun.memtable, of: transaction.number) {
            hasBegun = true
            return begun
          }
          mdb_txn_abort(transaction)
          continue
        }
        let state = file.settledState(of: transaction)
        attempts -= 1
        if state != nil || attempts == 0 {
          var begun = ReadVersion(transaction: transaction, file: file, state: state)
          begun.take(journaled)
          return begun
        }
        mdb_txn_abort(transaction)
        file.files?.endUse()
      } catch {
        mdb_txn_abort(transaction)
        file.files?.endUse()
        guard hasMoved(from: file) else { throw error }
      }
    }
  }

  /// Returns whether the store's file is no longer at its path, or has been replaced.
  func hasMoved(from file: OpenFile) -> Bool {
    guard self.file === file else { return true }
    do throws(StorageError) {
      try file.files?.check()
      return false
    } catch {
      return true
    }
  }

  /// Begins the store's only write transaction, to be used and ended on this thread.
  ///
  /// The caller ensures that this process has one at a time. If another process is writing, waits
  /// for it, or, without `waiting`, throws `locked` after so many attempts, a few milliseconds apart.
  ///
  /// `reader`: a snapshot of the caller's thread. In memory, and if it is at the newest version, the write reads
  /// through it until it changes a record, which it then need not do at all if it only replaces values that nobody
  /// else reads. Of a file the same holds for a write that becomes an overlay, with a snapshot of its own if need be.
  package func beginWrite(
    over reader: StorageSnapshot? = nil, waiting: Bool = true, attempts: Int = 1
  ) throws(StorageError) -> WriteTransaction {
    guard !isReadOnly else { throw .readOnly }
    if isInMemory {
      if let reader, try reader.mayLend { return WriteTransaction(over: reader) }
      let (transaction, file) = try begin(0)
      return try WriteTransaction(self, file, transaction)
    }
    for attempt in 1...attempts {
      do throws(StorageError) {
        try takeWriterLock(waiting: waiting)
        break
      } catch .locked where attempt < attempts {
        usleep(2000)
      } catch {
        throw error
      }
    }
    do throws(StorageError) {
      if let reader, try mayBegin(over: reader) { return WriteTransaction(over: reader) }
      if file.journalSize > 0 {
        let own = try beginRead(isChecked: true)
        _ = own.state
        if let failure = own.failure { throw failure }
        if try mayBegin(over: own) { return WriteTransaction(over: own) }
      }
    } catch {
      endWrite(keepsLock: false)
      throw error
    }
    let (transaction, file) = try beginWithLock()
    do throws(StorageError) {
      return try WriteTransaction(self, file, transaction)
    } catch {
      endWrite(keepsLock: false)
      throw error
    }
  }

  /// Whether a write over a snapshot may become an overlay. The caller has the lock of the store's file.
  func mayBegin(over reader: StorageSnapshot) throws(StorageError) -> Bool {
    let file = file
    guard reader.file === file, file.journalSize > 0, try reader.mayLend else { return false }
    // No other process has written since the first of the commits that are in the journal alone.
    if store.journaled.current == nil { try file.prepareWrite() }
    return true
  }

  /// Begins LMDB's write transaction. The caller has the lock of the store's file, which is released if this fails.
  ///
  /// `hasGate`: the caller holds the gate of the commits in the journal alone, which are put into the pages first.
  func beginWithLock(hasGate: Bool = false) throws(StorageError) -> (OpaquePointer, OpenFile) {
    let shield = SignalShield.raise()
    self.shield.withLock { $0 = shield }
    do throws(StorageError) {
      if store.journaled.noteConversion() { try checkpoint(hasGate: hasGate) }
      // A process may have ended while this one waited, without clearing its slot.
      try file.prepareWrite()
      let (transaction, file) = try begin(0)
      do throws(StorageError) {
        try file.checkNewest(before: transaction)
      } catch {
        mdb_txn_abort(transaction)
        file.files?.endUse()
        throw error
      }
      return (transaction, file)
    } catch {
      endWrite(keepsLock: false)
      throw error
    }
  }

  /// The newest committed version, by any process. Takes a nanosecond in memory; on disk some ten if nothing
  /// new was committed, otherwise as long as a short read, and also the check of the file.
  package func committedVersion() throws(StorageError) -> Int {
    if isInMemory { return memory.newest }
    try checkFiles()
    return try newestVersion()
  }

  /// The newest committed version of a file, without the check of the file.
  func newestVersion() throws(StorageError) -> Int {
    if let journaled = store.journaled.current { return journaled.state.version }
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
        case .damaged: throw .damaged(path: file.path, reason: "it has no state record")
        }
      }
    }
  }

  /// Throws if the store's file, or its lock file, is no longer at its path.
  package func checkFiles() throws(StorageError) { if !isInMemory { try store.checkFiles() } }

  /// The handle that is in use now, of a file that keeps its pages until `endUse`.
  package func fileInUse() -> OpenFile {
    while true {
      let file = file
      if file.files?.beginUse() ?? true { return file }
    }
  }

  /// Begins a transaction, and a use of its file.
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

  /// Replaces a handle that is no longer usable; throws if the transaction was refused for another reason.
  private func replace(_ stale: OpenFile, refusing code: Int32) throws(StorageError) {
    guard code == MDB_PANIC || code == MDB_MAP_RESIZED, stale.files != nil else {
      throw .explaining(code, "begin", path: stale.path)
    }
    try store.replace(stale) { stale throws(StorageError) in
      // Four times the current size of the file; a smaller map would soon be too small again.
      let mapSize = code == MDB_MAP_RESIZED ? 4 * stale.usedSize : 0
      return try stale.reopened(mapSize: mapSize)
    }
  }

  /// Ends the write transaction. `keepsLock`: writers of other processes keep waiting.
  func endWrite(keepsLock: Bool) {
    if isInMemory { return }
    shield.withLock { shield in
      shield?.lower()
      shield = nil
    }
    if !keepsLock { releaseWriterLock() }
  }

  /// Records a version that this process committed, so that nobody has to look it up.
  package func note(version: Int, _ transactionID: Int) {
    guard !isInMemory else { return memory.note(version, UInt64(transactionID)) }
    newest.withLock { $0.note(version: version, transactionID) }
  }

  func hold(_ holding: VersionHolding, by holder: ObjectIdentifier) {
    holders.withLock { $0[holder] = holding }
  }

  func releaseVersion(heldBy holder: ObjectIdentifier) {
    holders.withLock { if !$0.isEmpty { $0[holder] = nil } }
  }

  package var localHolders: [ReaderNote] { holders.withLock { $0.values.map(\.note) } }

  func takeCache() -> BlockCache {
    caches.withLock { $0.popLast() } ?? BlockCache()
  }

  func giveBack(_ cache: BlockCache) {
    cache.forgetAll()
    caches.withLock { if $0.count < 16 { $0.append(cache) } }
  }

  func takeChanges() -> WriteBuffer {
    spareChanges.withLock { $0.take() } ?? WriteBuffer()
  }

  func giveBack(_ changes: WriteBuffer) {
    spareChanges.withLock { $0 = changes }
  }
}
