internal import Glibc
internal import Synchronization

extension WriteBuffer {
  /// Whether a commit in the journal alone may have the changes: those of values in records that there are.
  fileprivate var areOfValues: Bool {
    journal.isActive && capture == nil && held == nil && !keepsVersion && !hasDeleted
      && lists.isEmpty && indexes.isEmpty && keys.isEmpty && !hasPut
  }
}

extension WriteTransaction {
  /// Begins another write of a file after one that is reusable, while the commits in the journal alone keep the
  /// writer lock; returns false if that is not possible.
  borrowing func beginInJournal(over reader: StorageSnapshot) throws(StorageError) -> Bool {
    let environment = snapshot.environment
    guard reader.file === snapshot.file, environment.store.journaled.continueWriting() else {
      return false
    }
    var hasBegun = false
    defer { if !hasBegun { environment.endWrite(keepsLock: false) } }
    guard try environment.mayJournal(reader) else { return false }
    snapshot.reopen(over: reader)
    changes.journal.begin(after: snapshot.state)
    hasBegun = true
    return true
  }

  /// Commits in the journal alone, or, if the changes turn out to need one, in a transaction of LMDB's; returns false,
  /// and does nothing, if they certainly do.
  borrowing func commitInJournal(
    _ version: Int, keepsLock: Bool
  ) throws(StorageError) -> Bool {
    guard snapshot.lender != nil, snapshot.isChecked, snapshot.joined == nil, changes.areOfValues
    else { return false }
    let store = snapshot.environment.store
    store.journaled.gate.take()
    defer { store.journaled.gate.leave() }
    snapshot.draft = JournaledDraft(base: snapshot.number - 1)
    try flush()
    var state = try flushState()
    if let failure = snapshot.failure { throw failure }
    if let draft = snapshot.draft {
      if try append(draft, state, version, keepsLock: keepsLock) { return true }
      try snapshot.beginOwn()
      state.transaction = snapshot.transaction.number
      try put(state)
    }
    try snapshot.commit(version: version, keepsLock: keepsLock, journalRecord)
    return true
  }

  /// Appends the commit to the journal; returns false if that has no room for it, or cannot be written.
  private func append(
    _ draft: JournaledDraft, _ state: StoreState, _ version: Int, keepsLock: Bool
  ) throws(StorageError) -> Bool {
    let (file, store) = (snapshot.file, snapshot.environment.store)
    let journaled = store.journaled
    let (newest, used) = journaled.newest
    guard
      let record = changes.journal.record(
        after: draft.base, limit: file.journalSize - used, snapshot.record)
    else { return false }
    let isSynced = snapshot.environment.syncsEveryCommit
    guard let written = file.append(record, used: used, isSynced: isSynced) else { return false }
    // While the disk writes. Who opens the store after this look finds the record, and waits for it to be in the pages.
    let committed = JournaledVersion(newest, base: draft.base, state, draft.records)
    let isAlone = file.isAlone
    var failure: (error: StorageError, code: Int32)?
    do throws(StorageError) {
      try file.files?.check()
      if isSynced, let code = file.sync(written) {
        failure = (.explaining(code, "commit", path: file.path), code)
      }
    } catch {
      failure = (error, EIO)
    }
    if let failure {
      // If the disk refuses to erase the record, too, the next opening shows whether it is stored.
      let isErased = file.eraseFailed(record, used: used)
      snapshot.end()
      throw isErased ? failure.error : .inDoubt(failure.code, path: file.path)
    }
    file.hasUnsyncedMeta.store(!isSynced, ordering: .relaxed)
    let startsTimer = journaled.publish(committed, size: record.size)
    snapshot.finish(committing: version, keepsLock: keepsLock)
    if !isAlone {
      // The other process waits for this, or has seen the version before.
      journaled.noteCompany()
      try? store.checkpoint()
      file.announceCommit()
    } else if file.journalSize - used < 3 * record.size {
      try? store.checkpoint()
    }
    if startsTimer { store.startTimer() }
    return true
  }
}
