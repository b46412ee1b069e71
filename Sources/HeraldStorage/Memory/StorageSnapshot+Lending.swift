// A write of a store in memory begins without a transaction of LMDB: it reads through that of its session's snapshot,
// the lender, until it changes a record. If it only replaces values that nobody else reads, it changes them in place
// when it commits, and never begins one.

extension StorageSnapshot {
  /// The number of the transaction; of a write that has none yet, the one that it will get.
  @inline(__always)
  var number: UInt64 { transaction.number + (lender == nil ? 0 : 1) }

  /// Whether a write that begins now can read through this snapshot's transaction.
  var mayLend: Bool {
    get throws(StorageError) {
      guard pending == nil, isReadable, !isShared, borrower == nil else { return false }
      return try version == environment.committedVersion()
    }
  }

  /// Begins the transaction of a write that has only read through another one. Must come before each use of a
  /// cursor, or of LMDB's handle, that changes something.
  @inline(__always)
  func beginOwn() throws(StorageError) {
    if lender != nil { try beginOwnTransaction() }
  }

  @inline(never)
  private func beginOwnTransaction() throws(StorageError) {
    try checkFailure()
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
  /// Commits, without a transaction of LMDB, changes that only replace values by others that take as many bytes, if
  /// nobody but the writer reads the store; returns whether that is so.
  borrowing func commitInPlace(_ version: Int) -> Bool {
    guard let reader = snapshot.lender, !reader.isShared, changes.isReplacing,
      snapshot.file.options.isWrittenThroughMap
    else { return false }
    let isDone = snapshot.environment.memory.commitInPlace(version) {
      for patch in changes.patches { patch.writeInPlace() }
    }
    guard isDone else { return false }
    for patch in changes.patches {
      reader.cache.remember(patch.key.column.packed, patch.key.block, patch.place)
    }
    reader.forgetState()
    snapshot.finish()
    return true
  }

  /// Whether it has ended and can begin again: it has committed in place, or changed nothing.
  package var isReusable: Bool { snapshot.isEnded && snapshot.lender != nil }

  /// Begins another write after one that is reusable; returns false if that did not read through `reader`, or if that
  /// is not at the newest version.
  package borrowing func begin(over reader: StorageSnapshot) throws(StorageError) -> Bool {
    guard isReusable, snapshot.lender === reader, try reader.mayLend else { return false }
    snapshot.reopen(over: reader)
    return true
  }
}

extension WriteBuffer {
  /// Whether there are no changes but patches that can be made in place.
  fileprivate var isReplacing: Bool {
    drafts.isEmpty && classes.isEmpty && lists.isEmpty && indexes.isEmpty && keys.isEmpty
      && logEntry == nil && capture == nil && held == nil && !keepsVersion && !hasWritten
      && !hasDeleted && patches.allSatisfy(\.isInPlace)
  }
}
