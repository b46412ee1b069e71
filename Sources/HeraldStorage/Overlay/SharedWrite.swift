internal import CLMDB

/// Commits, each a version, that become visible, and durable, at once: with one sync. Mostly one alone; or those of
/// several sessions of this process, one after the other.
///
/// The write that began commits all of them, on its own thread, when the others have ended:
///
///     let group = try write.share()                               // the first thread; nil if the write is too large
///     let reader = StorageSnapshot(joining: group)                // another one
///     let second = WriteTransaction(joining: reader) { … }
///     try second.commitShared {}
///     try write.commit(group)                                     // the first one again
///     second.endShared(isCommitted: true)                         // the other one
///
/// Each version is an overlay over the one before, which a write that joins reads. A write that is too large for that
/// first has the others committed, and continues in a transaction of LMDB's.
///
/// `@unchecked Sendable`: the caller ensures that one thread at a time uses it.
package final class SharedWrite: @unchecked Sendable {
  let environment: StorageEnvironment
  let file: OpenFile
  /// The last version.
  private(set) var overlay: Overlay
  /// The records of all versions, for the journal.
  private(set) var records: [JournalRecord]
  /// The bytes of the journal that earlier records occupy, and with these.
  let start: Int
  private(set) var used: Int
  private var hasGate = true

  /// What the journal keeps free for settings that are stored with the last version.
  fileprivate static let settingsSize = 256

  /// The last version's number.
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
  package var canBeShared: Bool { snapshot.read.group == nil && snapshot.mayHaveDraft }

  /// Makes the version that `commit(_:keepsLock:)` commits, and keeps others from commits and checkpoints until then.
  /// Returns nil if there can be none: the changes are too large, or this is no write of a file that begins a group.
  ///
  /// `reserve`: the bytes of the journal that stay free.
  borrowing func beginGroup(reserving reserve: Int = 0) throws(StorageError) -> SharedWrite? {
    guard canBeShared else { return nil }
    let journaled = snapshot.environment.store.journaled
    journaled.gate.take()
    do throws(StorageError) {
      let (newest, used) = journaled.newest
      let commit = try overlay(
        after: newest, base: snapshot.file.newestTransaction, used: used + reserve)
      if let commit {
        let group = SharedWrite(snapshot, commit, used: used)
        changes.group = group
        // What is counted from now on are settings.
        changes.digest = StoreDigest()
        return group
      }
    } catch {
      journaled.gate.leave()
      throw error
    }
    journaled.gate.leave()
    return nil
  }

  /// Makes the version that is committed by `commit(_:keepsLock:)`, together with those that others add meanwhile. Then
  /// only settings can be changed. Returns nil if the changes are too large: `commit()` commits them.
  package borrowing func share() throws(StorageError) -> SharedWrite? {
    try snapshot.checkFailure()
    // Who opens the store waits for a checkpoint, which has to wait for the servers of a stream.
    if changes.capture != nil { try snapshot.environment.checkpoint() }
    guard let group = try beginGroup(reserving: SharedWrite.settingsSize) else { return nil }
    changes.beginSettings()
    snapshot.advance(after: group.overlay)
    return group
  }

  /// Commits every version; they are durable on return. `keepsLock`: writers of other processes wait until
  /// `releaseWriterLock`. After an error none of the versions is there.
  package borrowing func commit(
    _ group: SharedWrite, keepsLock: Bool
  ) throws(StorageError) {
    if changes.digest != StoreDigest() { try addSettings(to: group) }
    try snapshot.store(group, keepsLock: keepsLock)
  }

  /// Adds what was written after the last version, without making another one.
  private func addSettings(to group: SharedWrite) throws(StorageError) {
    // The last version may be that of another write.
    snapshot.advance(to: group.overlay.state)
    let commit = try overlay(after: group.overlay, base: group.overlay.base, used: group.used)
    guard let commit else { throw snapshot.damaged("the settings of a commit are too long") }
    group.add(commit)
  }
}

// MARK: A write that joins

extension StorageSnapshot {
  /// The version that the next write of a group begins at; to be used on the thread of that write, which reads through
  /// it. Nil if the file is being replaced.
  package convenience init?(joining group: SharedWrite) {
    guard var begun = try? group.environment.beginReading(isChecked: true) else { return nil }
    guard begun.file === group.file, begun.transaction.number == group.overlay.base else {
      mdb_txn_abort(begun.transaction)
      begun.file.files?.endUse()
      return nil
    }
    begun.take(group.overlay)
    begun.group = group
    self.init(group.environment, begun)
  }

  /// Ends the reading of a version that was not committed when it began; returns false if it was committed before the
  /// others, and the snapshot reads it.
  package func leaveShared() -> Bool {
    if read.group == nil { return true }
    end()
    return false
  }

  /// Has the group committed that this write has joined, to continue alone.
  func leaveGroup(_ loan: Loan) throws(StorageError) {
    do throws(StorageError) {
      try loan.complete?()
    } catch {
      note(error)
      loan.lender.endLoan()
      loan.lender.end()
      end()
      throw error
    }
    read.group = nil
    loan.complete = nil
    loan.lender.read.group = nil
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
    guard let group = snapshot.read.group else { return false }
    let shield = SignalShield.raise()
    defer { shield?.lower() }
    try snapshot.checkFailure()
    try prepare()
    guard snapshot.read.group != nil,
      let commit = try overlay(
        after: group.overlay, base: group.overlay.base,
        used: group.used + SharedWrite.settingsSize)
    else { return false }
    group.add(commit)
    // The reader may end before the write does.
    snapshot.lender?.endLoan()
    return true
  }

  /// Ends a write that was added to others, which have been committed.
  package borrowing func endShared(isCommitted: Bool) {
    if !snapshot.isEnded { snapshot.finish(committing: isCommitted ? nextVersion : nil) }
  }
}
