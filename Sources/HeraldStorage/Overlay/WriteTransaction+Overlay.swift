internal import Glibc
internal import Synchronization

/// The version that a small write makes, and its record in the journal.
struct OverlayCommit {
  let version: Overlay
  let record: JournalRecord
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
    guard try environment.mayBegin(over: reader) else { return false }
    snapshot.open(over: reader)
    hasBegun = true
    return true
  }

  /// Puts the changes into a draft, and returns the version that this makes; nil if they are too large, and are in a
  /// transaction of LMDB's.
  ///
  /// - Parameters:
  ///   - previous: The version before; nil if that is LMDB's transaction with the number `base`.
  ///   - used: The bytes of the journal that earlier records occupy.
  borrowing func overlay(
    after previous: Overlay?, base: UInt64, used: Int
  ) throws(StorageError) -> OverlayCommit? {
    let before = snapshot.state.fingerprint
    try snapshot.beginChange(of: StoreState.size)
    snapshot.draft?.base = base
    try flush()
    let state = try flushState()
    if let failure = snapshot.failure { throw failure }
    guard let draft = snapshot.draft, let lender = snapshot.lender else {
      // The state may have been counted as that of the draft, which had no room for it.
      _ = try flushState()
      return nil
    }
    let version = Overlay(previous, base: base, state, draft.items)
    // Without room for the checkpoint, LMDB decides whether there is any for the commit.
    guard snapshot.file.hasRoom(for: version.items.pageBytes, in: lender.transaction),
      let record = draft.record(
        from: before, to: state, limit: snapshot.file.journalSize - used,
        { previous?.items.find($0, $1).map(\.record) ?? lender.record($0, $1) })
    else {
      try snapshot.beginOwn()
      _ = try flushState()
      return nil
    }
    return OverlayCommit(version: version, record: record)
  }
}

extension OverlayDraft {
  /// Returns the journal's record of the changes; nil if it would be longer than `limit`.
  ///
  /// - Parameters:
  ///   - before: The fingerprint of the state before them.
  ///   - old: Returns a whole record as it was.
  func record(
    from before: UInt64, to state: StoreState, limit: Int,
    _ old: (RecordSpace, UnsafeRawBufferPointer) -> UnsafeRawBufferPointer?
  ) -> JournalRecord? {
    guard let base else { return nil }
    let limit = limit - JournalRecord.headerSize
    var (entries, entryCount) = (PackedWriter(), 0)
    for item in items.all where item.space.entrySize != nil {
      entries.entryChange(item.space, item.key, item.value, isAdded: item.change == .added)
      entryCount += 1
      if entries.bytes.count > limit { return nil }
    }
    var changes = JournalChanges.Writer(state, entryCount, entries.bytes)
    for item in items.all where item.space.entrySize == nil && !item.isState {
      let old = old(item.space, item.key)
      guard changes.append(item.space, item.key, from: old, to: item.record),
        changes.bytes.count <= limit
      else { return nil }
    }
    guard changes.bytes.count <= limit else { return nil }
    return JournalRecord(base: base, from: before, to: state.fingerprint, body: changes.bytes)
  }
}

extension StorageSnapshot {
  /// Makes versions that follow one another durable, and the last of them the newest one; ends the write. The caller
  /// holds the gate.
  ///
  /// If no other process has the store open, they are in the journal alone until the next checkpoint; else the
  /// checkpoint, whose sync is that of the journal too, comes at once.
  func store(_ group: SharedWrite, keepsLock: Bool) throws(StorageError) {
    let (file, store, version) = (file, environment.store, group.overlay)
    let staysInJournal = store.journaled.isUseful { file.isAlone }
    let isSynced = staysInJournal && environment.syncsEveryCommit
    var code = EIO
    do throws(StorageError) {
      try file.files?.check()
      guard let written = file.append(group.records, used: group.start, isSynced: isSynced) else {
        code = errno
        throw .explaining(code, "commit", path: file.path)
      }
      guard staysInJournal else {
        try store.checkpoint(version)
        store.journaled.noteCommit()
        finish(committing: version.state.version, keepsLock: keepsLock)
        return file.announceCommit()
      }
      // While the disk writes. Who opens the store after this look finds the record, and waits for it to be in the
      // pages.
      let isAlone = file.isAlone
      if isSynced, let refused = file.sync(written) {
        code = refused
        throw .explaining(code, "commit", path: file.path)
      }
      file.hasUnsyncedMeta.store(!isSynced, ordering: .relaxed)
      publish(version, size: written.count, used: group.used, isAlone: isAlone)
      finish(committing: version.state.version, keepsLock: keepsLock)
    } catch {
      // If the disk refuses to erase the record, too, the next opening shows whether it is stored.
      let isErased = file.eraseFailed(group.records[0], used: group.start)
      end()
      throw isErased ? error : .inDoubt(code, path: file.path)
    }
  }

  /// Makes a version that is in the journal the newest one.
  private func publish(_ version: Overlay, size: Int, used: Int, isAlone: Bool) {
    let (file, store) = (file, environment.store)
    let startsTimer = store.journaled.publish(version, size: size)
    if !isAlone {
      // The other process waits for this, or has seen the version before.
      store.journaled.noteCompany()
      try? store.checkpoint()
      file.announceCommit()
    } else if file.journalSize - used < 3 * size {
      try? store.checkpoint()
    }
    if startsTimer { store.startTimer() }
  }
}
