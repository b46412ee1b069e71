extension WriteBuffer {
  /// Whether a commit in the journal alone may have the changes: those of values in records that there are.
  fileprivate var areOfValues: Bool {
    journal.isActive && capture == nil && held == nil && !keepsVersion && !hasDeleted
      && lists.isEmpty && indexes.isEmpty && keys.isEmpty && !hasPut
  }
}

extension WriteTransaction {
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
    snapshot.draft = JournaledDraft(base: snapshot.numberOfLender - 1)
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
    do throws(StorageError) {
      try file.files?.check()
    } catch {
      snapshot.end()
      throw error
    }
    let journaled = store.journaled
    let used = journaled.used
    guard
      let record = changes.journal.record(
        after: draft.base, limit: file.journalSize - used, snapshot.record)
    else { return false }
    switch file.append(record, used: used, syncs: snapshot.environment.syncsEveryCommit) {
    case .durable: break
    case .notWritten: return false
    case .failed(let code, let isErased):
      snapshot.end()
      if isErased { throw .explaining(code, "commit", path: file.path) }
      throw .inDoubt(code, path: file.path)
    }
    let startsTimer = journaled.publish(
      JournaledVersion(journaled.current, base: draft.base, state, draft.records),
      size: record.size)
    snapshot.finish(committing: version, keepsLock: keepsLock)
    if !file.isAlone {
      // The other process waits for this, or has seen the version before.
      journaled.noteCompany()
      try? store.checkpoint()
      file.announceCommit()
    } else if file.journalSize - journaled.used < 2 * record.size {
      try? store.checkpoint()
    }
    if startsTimer { store.startTimer() }
    return true
  }
}
