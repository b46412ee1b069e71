/// A write transaction in which several sessions of this process commit, one after the other, each a version. All of
/// these become visible, and durable, at once: with one sync.
///
/// The write that began the transaction commits it, on its own thread, when the others have ended:
///
///     let shared = try write.share()                              // the first thread
///     let reader = StorageSnapshot(joining: shared)               // another one
///     let second = WriteTransaction(joining: reader) { … }
///     try second.commitShared {}
///     try write.commit(shared)                                    // the first one again
///     second.endShared(isCommitted: true)                         // the other one
///
/// A write that joins reads what those before it have written, and keeps its own changes in its buffer, so that it can
/// be rolled back. If it has to change a record before its commit, it first has the transaction committed and begins
/// one of its own.
///
/// `@unchecked Sendable`: the caller ensures that one thread at a time uses it.
package final class SharedWrite: @unchecked Sendable {
  let environment: StorageEnvironment
  let file: OpenFile
  let transaction: OpaquePointer
  let journal: JournalCapture
  /// The state after the last write that was committed into it.
  fileprivate(set) var state: StoreState
  /// Whether one of the writes that joined has written pages early, so that the journal cannot be used.
  private(set) var isSpilled = false
  /// Whether all writes only delete.
  private(set) var isDeleting: Bool
  /// The error of a write that failed while it changed records: nothing can be committed.
  package private(set) var failure: StorageError?

  /// The version of the last write that was committed into it.
  package var version: Int { state.version }

  fileprivate init(_ snapshot: StorageSnapshot, _ changes: WriteBuffer, _ state: StoreState) {
    environment = snapshot.environment
    file = snapshot.file
    transaction = snapshot.transaction
    journal = changes.journal
    isDeleting = changes.isDeleting
    self.state = state
  }

  fileprivate func note(_ changes: WriteBuffer, _ state: StoreState) {
    self.state = state
    isSpilled = isSpilled || changes.dirtyPages.isSpilled
    isDeleting = isDeleting && changes.isDeleting
  }

  fileprivate func fail(_ error: StorageError) { failure = failure ?? error }
}

// MARK: The write that began the transaction

extension WriteTransaction {
  /// Whether other writes can join the transaction.
  package var canBeShared: Bool {
    snapshot.isChecked && changes.held == nil && !changes.keepsVersion
      && !changes.dirtyPages.isSpilled && snapshot.joined == nil && !snapshot.file.isNameless
  }

  /// Writes the changes, as a version that is committed by `commit(_:)`, together with those that others commit
  /// meanwhile. Then nothing can be changed any more.
  package borrowing func share() throws(StorageError) -> SharedWrite {
    try snapshot.checkFailure()
    try snapshot.beginOwn()
    try flush()
    let state = try flushState()
    if let failure = snapshot.failure { throw failure }
    // Settings that follow belong to the last version.
    changes.digest = StoreDigest()
    changes.logEntry = nil
    return SharedWrite(snapshot, changes, state)
  }

  /// Commits every version; they are durable on return. `keepsLock`: writers of other processes wait until
  /// `releaseWriterLock`. Errors: those of a commit, and that with which another write has failed; then none of the
  /// versions is there.
  package borrowing func commit(
    _ shared: SharedWrite, keepsLock: Bool
  ) throws(StorageError) {
    if let failure = shared.failure { throw failure }
    if changes.digest != StoreDigest() { try flushState(shared) }
    changes.isDeletingAll = shared.isDeleting
    let record = shared.isSpilled ? nil : journalRecord
    try snapshot.commit(version: shared.version, keepsLock: keepsLock, record)
  }
}

extension WriteTransaction {
  /// Adds what was written after the last version to its state.
  private func flushState(_ shared: SharedWrite) throws(StorageError) {
    shared.state.digest &+= changes.digest
    changes.journal.state = shared.state
    try shared.state.withContent { content throws(StorageError) in
      try snapshot.put(.meta, .state, content, version: shared.version)
    }
    if let failure = snapshot.failure { throw failure }
  }
}

// MARK: A write that joins

extension StorageSnapshot {
  /// The version that the next write of a shared transaction begins at; to be used on the thread of that write, which
  /// reads through it. Nil if the file is being replaced.
  package convenience init?(joining shared: SharedWrite) {
    guard shared.failure == nil, shared.file.files?.beginUse() ?? true else { return nil }
    self.init(
      shared.environment, shared.file, shared.transaction, pending: nil, state: shared.state)
    joined = shared
  }

  /// Ends the reading of a shared transaction; returns false if the snapshot has no transaction of its own instead.
  package func leaveShared() -> Bool {
    if joined == nil { return true }
    end()
    return false
  }

  /// Begins a transaction of its own at the version that the snapshot has, which is committed now.
  fileprivate func beginAlone() throws(StorageError) {
    let version = version
    let begun = try environment.beginReading()
    file.files?.endUse()
    joined = nil
    adopt(begun.transaction, begun.file, begun.state, begun.journaled)
    guard self.version == version else { throw damaged("its versions are out of order") }
  }

  /// Begins the transaction of a write that has only read through a shared one.
  func beginOwnInsteadOfShared() throws(StorageError) {
    guard let lender, let shared = joined else { return }
    if isCommitting {
      lender.borrower = nil
      self.lender = nil
      return
    }
    do throws(StorageError) {
      try complete?()
      try lender.beginAlone()
      let begun = try environment.beginWithLock()
      file.files?.endUse()
      joined = nil
      complete = nil
      lender.borrower = nil
      self.lender = nil
      adopt(begun.0, begun.1, shared.state)
      pending?.leave(shared, self)
    } catch {
      note(error)
      // The transaction has ended: nothing may read through it.
      if lender.joined != nil { lender.end() }
      end()
      throw error
    }
  }
}

extension WriteTransaction {
  /// A write that joins the transaction of `reader`. `complete` has that committed, and keeps the writer lock.
  package init(
    joining reader: StorageSnapshot, _ complete: @escaping () throws(StorageError) -> Void
  ) {
    // The buffer that the environment keeps may know a class as it was before the transaction.
    changes = WriteBuffer()
    // The values of a shared transaction's pages move when the changes are written.
    changes.hasWritten = true
    if let shared = reader.joined { changes.join(shared) }
    snapshot = StorageSnapshot(over: reader, pending: changes, complete)
  }

  /// Writes the changes, as the version after the last one of the shared transaction. Returns false if the write has
  /// begun a transaction of its own, so that `commit` must commit it.
  ///
  /// Calls `prepare` first. After an error the shared transaction cannot be committed.
  package borrowing func commitShared(
    _ prepare: () throws(StorageError) -> Void
  ) throws(StorageError) -> Bool {
    guard let shared = snapshot.joined else { return false }
    let shield = SignalShield.raise()
    defer { shield?.lower() }
    do throws(StorageError) {
      try snapshot.checkFailure()
      snapshot.isCommitting = true
      try snapshot.beginOwn()
      try prepare()
      try flush()
      let state = try flushState()
      if let failure = snapshot.failure { throw failure }
      shared.note(changes, state)
      return true
    } catch {
      shared.fail(error)
      throw error
    }
  }

  /// Ends a write that was committed into a shared transaction, which has ended.
  package borrowing func endShared(isCommitted: Bool) {
    if !snapshot.isEnded { snapshot.finish(committing: isCommitted ? nextVersion : nil) }
  }
}

extension WriteBuffer {
  fileprivate func join(_ shared: SharedWrite) {
    journal = shared.journal
    dirtyPages = DirtyPages(
      of: shared.transaction, in: shared.file, limit: shared.environment.dirtyPageLimit)
  }

  /// Continues in the transaction of `snapshot`.
  fileprivate func leave(_ shared: SharedWrite, _ snapshot: StorageSnapshot) {
    journal = JournalCapture()
    if snapshot.file.journalSize > 0 { journal.begin(after: shared.state) }
    dirtyPages = DirtyPages(
      of: snapshot.transaction, in: snapshot.file, limit: snapshot.environment.dirtyPageLimit)
  }
}
