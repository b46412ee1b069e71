internal import CLMDB

/// Commits of several sessions of this process, one after the other, each a version. All of these become visible, and
/// durable, at once: with one sync.
///
/// The write that began commits all of them, on its own thread, when the others have ended:
///
///     let shared = try write.share()                              // the first thread; nil if the write is too large
///     let reader = StorageSnapshot(joining: shared)               // another one
///     let second = WriteTransaction(joining: reader) { … }
///     try second.commitShared {}
///     try write.commit(shared)                                    // the first one again
///     second.endShared(isCommitted: true)                         // the other one
///
/// Each version is an overlay over the one before, which a write that joins reads. A write that is too large for that
/// first has the others committed, and continues in a transaction of LMDB's.
///
/// `@unchecked Sendable`: the caller ensures that one thread at a time uses it.
package final class SharedWrite: @unchecked Sendable {
  let environment: StorageEnvironment
  let file: OpenFile
  /// After the last write that has joined.
  fileprivate(set) var overlay: Overlay
  /// The records of all writes, for the journal.
  fileprivate var records: [JournalRecord]
  /// The bytes of the journal that earlier records occupy, and with these.
  fileprivate let start: Int
  fileprivate var used: Int
  private var hasGate = true

  /// What the journal keeps free for settings that are stored with the last version.
  fileprivate static let settingsSize = 256

  /// The version of the last write that has joined.
  package var version: Int { overlay.state.version }

  fileprivate init(_ snapshot: StorageSnapshot, _ commit: OverlayCommit, used: Int) {
    environment = snapshot.environment
    file = snapshot.file
    overlay = commit.version
    records = [commit.record]
    start = used
    self.used = used + commit.record.size
  }

  fileprivate func add(_ commit: OverlayCommit) {
    overlay = commit.version
    records.append(commit.record)
    used += commit.record.size
  }

  /// Lets others commit, and make checkpoints.
  func leaveGate() {
    guard hasGate else { return }
    hasGate = false
    environment.store.journaled.gate.leave()
  }
}

// MARK: The write that began

extension WriteTransaction {
  /// Whether other writes can join.
  package var canBeShared: Bool { snapshot.joined == nil && snapshot.mayHaveDraft }

  /// Makes the version that is committed by `commit(_:)`, together with those that others add meanwhile. Then only
  /// settings can be changed. Returns nil if the changes are too large: `commit()` commits them.
  package borrowing func share() throws(StorageError) -> SharedWrite? {
    try snapshot.checkFailure()
    let store = snapshot.environment.store
    let journaled = store.journaled
    journaled.gate.take()
    let commit: OverlayCommit?
    let used: Int
    do throws(StorageError) {
      // Who opens the store waits for a checkpoint, which has to wait for the servers of a stream.
      if changes.capture != nil { try store.checkpoint() }
      let newest: Overlay?
      (newest, used) = journaled.newest
      commit = try overlay(
        after: newest, base: snapshot.file.newestTransaction,
        used: used + SharedWrite.settingsSize)
    } catch {
      journaled.gate.leave()
      throw error
    }
    guard let commit else {
      journaled.gate.leave()
      return nil
    }
    let shared = SharedWrite(snapshot, commit, used: used)
    changes.shared = shared
    changes.digest = StoreDigest()
    changes.logEntry = nil
    snapshot.advance(after: commit.version)
    return shared
  }

  /// Commits every version; they are durable on return. `keepsLock`: writers of other processes wait until
  /// `releaseWriterLock`. After an error none of the versions is there.
  package borrowing func commit(
    _ shared: SharedWrite, keepsLock: Bool
  ) throws(StorageError) {
    if changes.digest != StoreDigest() { try addSettings(to: shared) }
    try snapshot.store(shared.overlay, shared.records, used: shared.start, keepsLock: keepsLock)
  }

  /// Adds what was written after the last version, without making another one.
  private func addSettings(to shared: SharedWrite) throws(StorageError) {
    let before = shared.overlay
    var state = before.state
    state.digest &+= changes.digest
    snapshot.draft?.base = before.base
    try put(state)
    if let failure = snapshot.failure { throw failure }
    guard let draft = snapshot.draft, let lender = snapshot.lender,
      let record = draft.record(
        from: before.state.fingerprint, to: state, limit: snapshot.file.journalSize - shared.used,
        { space, key in
          before.items.find(space, key).map { $0.record } ?? lender.record(space, key)
        })
    else { throw snapshot.damaged("the settings of a commit are too long") }
    shared.add(
      OverlayCommit(
        version: Overlay(before, base: before.base, state, draft.items), record: record))
  }
}

// MARK: A write that joins

extension StorageSnapshot {
  /// The version that the next shared write begins at; to be used on the thread of that write, which reads through it.
  /// Nil if the file is being replaced.
  package convenience init?(joining shared: SharedWrite) {
    guard let begun = try? shared.environment.beginReading(isChecked: true) else { return nil }
    guard begun.file === shared.file, begun.transaction.number == shared.overlay.base else {
      mdb_txn_abort(begun.transaction)
      begun.file.files?.endUse()
      return nil
    }
    self.init(
      shared.environment, begun.file, begun.transaction, pending: nil,
      state: shared.overlay.state, overlay: shared.overlay)
    joined = shared
  }

  /// Ends the reading of a version that was not committed when it began; returns false if it was committed before the
  /// others, and the snapshot reads it.
  package func leaveShared() -> Bool {
    if joined == nil { return true }
    end()
    return false
  }

  /// Has the writes that this one has joined committed, to continue alone.
  func endJoining() throws(StorageError) {
    do throws(StorageError) {
      try complete?()
    } catch {
      note(error)
      lender?.borrower = nil
      lender?.end()
      end()
      throw error
    }
    joined = nil
    complete = nil
    lender?.joined = nil
  }
}

extension WriteTransaction {
  /// A write that joins those that `reader` reads. `complete` has them committed, and keeps the writer lock.
  package init(
    joining reader: StorageSnapshot, _ complete: @escaping () throws(StorageError) -> Void
  ) {
    // The buffer that the environment keeps may know a class as it was before.
    changes = WriteBuffer()
    snapshot = StorageSnapshot(over: reader, pending: changes, complete)
  }

  /// Adds the changes as the version after the last one. Returns false if the write has continued alone, so that
  /// `commit` must commit it. Calls `prepare` first.
  package borrowing func commitShared(
    _ prepare: () throws(StorageError) -> Void
  ) throws(StorageError) -> Bool {
    guard let shared = snapshot.joined else { return false }
    let shield = SignalShield.raise()
    defer { shield?.lower() }
    try snapshot.checkFailure()
    try prepare()
    guard snapshot.joined != nil,
      let commit = try overlay(
        after: shared.overlay, base: shared.overlay.base,
        used: shared.used + SharedWrite.settingsSize)
    else { return false }
    shared.add(commit)
    // The reader may end before the write does.
    snapshot.lender?.borrower = nil
    return true
  }

  /// Ends a write that was added to others, which have been committed.
  package borrowing func endShared(isCommitted: Bool) {
    if !snapshot.isEnded { snapshot.finish(committing: isCommitted ? nextVersion : nil) }
  }
}
