// A write begins without a transaction of LMDB's: it reads through that of its session's snapshot, the lender. For one
// of a file see `StorageSnapshot+Draft.swift`. One in memory does so until it changes a record. If it only sets values, or adds objects, where there is room for them, and
// nobody else reads the store, it changes the records in place when it commits, and never begins one.

extension StorageSnapshot {
  /// The number of the transaction; of a write that has none yet, the one that it will get.
  @inline(__always)
  var number: UInt64 {
    guard lender != nil else { return transaction.number }
    return 1 + (isChecked ? file.newestTransaction : transaction.number)
  }

  /// Whether a write that begins now can read through this snapshot's transaction.
  var mayLend: Bool {
    get throws(StorageError) {
      guard pending == nil, isReadable, !isShared, borrower == nil, joined == nil else {
        return false
      }
      // A commit of settings makes no version.
      if isChecked {
        return environment.store.journaled.isNewest(
          overlay, over: transaction.number, newest: file.newestTransaction)
      }
      return try version == environment.committedVersion()
    }
  }

  /// Begins the transaction of a write that has only read through another one. Must come before each use of a
  /// cursor, or of LMDB's handle, that changes something.
  @inline(__always)
  package func beginOwn() throws(StorageError) {
    if lender != nil { try beginOwnTransaction() }
  }

  @inline(never)
  private func beginOwnTransaction() throws(StorageError) {
    try checkFailure()
    if isChecked { return try beginOwnInsteadOfDraft() }
    let begun: OpaquePointer
    do throws(StorageError) {
      begun = try environment.begin(0).0
    } catch {
      note(error)
      throw error
    }
    lender?.borrower = nil
    lender = nil
    transaction = begun
    cache = environment.takeCache()
    do throws(StorageError) {
      try settleMemtable()
    } catch {
      note(error)
      throw error
    }
  }

  /// Called before other threads read this snapshot, too.
  package func share() {
    isShared = true
    withdrawLoan()
  }

  /// Makes the write that reads through this snapshot's transaction do without it.
  func withdrawLoan() {
    // A failure fails the write.
    if let borrower { try? borrower.beginOwn() }
  }
}

extension WriteTransaction {
  /// Commits, without a transaction of LMDB, changes for which there is room where the values are, if nobody but the
  /// writer reads the store; returns whether that is so.
  borrowing func commitInPlace(_ version: Int) -> Bool {
    guard let reader = snapshot.lender, !reader.isShared, snapshot.file.mayChangeInPlace,
      changes.isInPlace(over: reader)
    else { return false }
    let environment = snapshot.environment
    let isDone = environment.memory.commitInPlace(version, of: reader.transaction.number) {
      changes.writeInPlace(over: reader, &$0)
    }
    guard isDone else { return false }
    reader.forgetState()
    snapshot.finish(committing: version)
    return true
  }

  /// Whether it has ended and can begin again over a snapshot, through which it has read: it has committed in place, or
  /// as an overlay, or changed nothing.
  package func isReusable(over reader: StorageSnapshot) -> Bool {
    snapshot.isEnded && snapshot.lender === reader && snapshot.joined == nil
      && snapshot.complete == nil
  }

  /// Begins another write after one that is reusable; returns false if that did not read through `reader`, or if that
  /// is not at the newest version.
  package borrowing func begin(over reader: StorageSnapshot) throws(StorageError) -> Bool {
    guard isReusable(over: reader) else { return false }
    if snapshot.isChecked { return try beginInJournal(over: reader) }
    guard try reader.mayLend else { return false }
    snapshot.reopen(over: reader)
    return true
  }
}

extension WriteBuffer {
  /// Whether all changes can be made in place.
  fileprivate func isInPlace(over reader: StorageSnapshot) -> Bool {
    guard drafts.isEmpty && lists.isEmpty && keys.isEmpty && logEntry == nil && capture == nil,
      held == nil && !keepsVersion && !hasWritten && !hasDeleted
    else { return false }
    for patch in patches where !patch.isInPlace { return false }
    for index in indexes {
      let known = reader.memtable?.index(index.column)?.entries.count ?? 0
      if known + index.entries.count > IndexMemtable.limit { return false }
    }
    for (classID, pending) in classes where !pending.isInPlace(classID, reader) { return false }
    return true
  }

  fileprivate func writeInPlace(over reader: StorageSnapshot, _ memtable: inout IndexMemtable?) {
    for patch in patches {
      patch.writeInPlace()
      reader.cache.remember(patch.key.column.packed, patch.key.block, patch.place)
    }
    for (classID, pending) in classes { pending.writeInPlace(classID, reader) }
    if indexes.isEmpty { return }
    let added = memtable ?? IndexMemtable()
    for index in indexes where !index.entries.isEmpty { added.insert(index) }
    memtable = added
    reader.memtable = added
  }
}

extension PendingClass {
  /// Whether only one block of objects has changed, of which the store has a record.
  fileprivate func isInPlace(_ classID: UInt32, _ reader: StorageSnapshot) -> Bool {
    guard !isDropped, let (block, mask) = onlyBlock, mask != .zero else { return false }
    return reader.storedClass(classID) != nil && reader.presenceRecord(classID, block) != nil
  }

  /// Changes the records of the class and of its only block in memory that can be written.
  fileprivate func writeInPlace(_ classID: UInt32, _ reader: StorageSnapshot) {
    guard let (block, mask) = onlyBlock, let stored = reader.storedClass(classID)?.baseAddress,
      let presence = reader.presenceRecord(classID, block)?.baseAddress
    else { return }
    record.withEntry { entry in
      UnsafeMutableRawPointer(mutating: stored).copyMemory(
        from: entry.baseAddress.unsafelyUnwrapped, byteCount: entry.count)
    }
    UnsafeMutableRawPointer(mutating: presence).storeBytes(of: mask, as: SIMD4<UInt64>.self)
  }
}
