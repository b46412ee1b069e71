/// The changes of one commit: all of them are applied, or, if it ends in any other way, none.
///
///     let write = try environment.beginWrite()
///     let dog = try write.create(dogs)
///     try write.setInteger(ages, dog, 3)
///     let version = try write.commit()
///
/// To be used and ended on the thread that began it; once ended, it refuses every change. After a
/// failed change every other fails too, and nothing is committed. Its memory grows with the number
/// of changed blocks, up to a limit.
package struct WriteTransaction: ~Copyable {
  /// The version that it began at, with the changes made so far; not to be kept beyond it.
  package let snapshot: StorageSnapshot
  let changes: WriteBuffer

  init(
    _ environment: StorageEnvironment, _ file: OpenFile, _ transaction: OpaquePointer
  ) throws(StorageError) {
    changes = environment.takeChanges()
    if !file.options.isWrittenThroughMap {
      changes.dirtyPages = DirtyPages(of: transaction, in: file, limit: environment.dirtyPageLimit)
    }
    var read = ReadVersion(transaction: transaction, file: file)
    // Nobody else commits in memory: LMDB's last transaction is the newest.
    _ = environment.memory.take(&read.memtable, of: transaction.number - 1)
    snapshot = StorageSnapshot(environment, read, pending: changes)
    if snapshot.isChecked { _ = snapshot.state }
    if let failure = snapshot.failure { throw failure }
    try snapshot.settleMemtable()
  }

  /// A write that reads through the transaction of `reader`, and has none of LMDB's while it changes little.
  init(over reader: StorageSnapshot) {
    changes = reader.environment.takeChanges()
    snapshot = StorageSnapshot(over: reader, pending: changes)
  }

  deinit { snapshot.end() }

  /// One above that of the last commit, by any process, as long as the store is open.
  package var number: UInt64 {
    snapshot.number + (snapshot.isChecked ? snapshot.environment.store.journaled.surplus : 0)
  }

  /// The version that the commit creates.
  package var nextVersion: Int { snapshot.version + (changes.keepsVersion ? 0 : 1) }

  /// Commits the changes as the newest version and returns its number: in place in memory, where that is possible; as
  /// the next overlay of a file, where they are few; else as a transaction of LMDB's. On disk, durable on return.
  /// `keepsLock`: writers of other processes wait until `releaseWriterLock`.
  package borrowing func commit(keepsLock: Bool = false) throws(StorageError) -> Int {
    try snapshot.checkFailure()
    let version = nextVersion
    if commitInPlace(version) { return version }
    if let group = try beginGroup() {
      try commit(group, keepsLock: keepsLock)
      return version
    }
    try snapshot.beginOwn()
    try flush()
    _ = try flushState()
    if let failure = snapshot.failure { throw failure }
    try snapshot.commit(version: version, keepsLock: keepsLock)
    return version
  }

  /// Writes all buffered changes to their records.
  package borrowing func flush() throws(StorageError) {
    try flushDrafts()
    try flushClasses()
    try flushLists()
    try flushIndexes()
  }

  /// Drops every change.
  package borrowing func abort() { snapshot.end() }
}

extension WriteTransaction {
  /// Stores bytes under a name of at most 500 bytes.
  package func setMetadata(_ name: String, _ bytes: [UInt8]) throws(StorageError) {
    try snapshot.put(.meta, StorageSnapshot.metadataKey(name), bytes)
  }

  /// Makes the commit one of settings alone, without a version, but in memory; to be called before anything is
  /// changed.
  package func keepVersion() { changes.keepsVersion = snapshot.isChecked }

  /// Advances the state, and the log with it, to the version that this commit creates, and returns it.
  ///
  /// In memory the number of the transaction is enough, if that has written anything at all: LMDB gives none to a
  /// transaction without changes.
  func flushState() throws(StorageError) -> StoreState {
    if !snapshot.isChecked, changes.hasPut, changes.logEntry == nil { return StoreState() }
    let state = try nextState()
    try put(state)
    return state
  }

  func put(_ state: StoreState) throws(StorageError) {
    try state.withContent { content throws(StorageError) in
      try snapshot.put(.meta, .state, content, version: state.version)
    }
  }

  /// Writes the entry of the log, and returns the state after the version that the changes so far make.
  func nextState() throws(StorageError) -> StoreState {
    var state = snapshot.state
    if !changes.keepsVersion { state.version += 1 }
    if let logged = changes.loggedBytes {
      state.loggedBytes = logged
    } else if let entry = changes.logEntry {
      try putLogEntry(entry, &state)
      changes.loggedBytes = state.loggedBytes
    }
    state.transaction = snapshot.draft?.base.map { $0 + 1 } ?? snapshot.transaction.number
    state.digest &+= changes.digest
    return state
  }
}
