// A write begins without a transaction of LMDB's: it reads through that of its session's snapshot, the lender. One of a
// file does so while what it changes fits into a draft (`Overlay`), one in memory until it changes a record other than in
// place (`Memory`).

extension StorageSnapshot {
  /// The number of the transaction; of a write that has none yet, the one that it will get.
  @inline(__always)
  var number: UInt64 {
    guard case .borrower = role else { return transaction.number }
    return 1 + (isChecked ? file.newestTransaction : transaction.number)
  }

  /// Whether a write that begins now can read through this snapshot's transaction.
  var mayLend: Bool {
    get throws(StorageError) {
      guard case .reader = role, isReadable, read.group == nil else { return false }
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
    if case .borrower(let loan) = role { try beginOwnTransaction(loan) }
  }

  @inline(never)
  private func beginOwnTransaction(_ loan: Loan) throws(StorageError) {
    try checkFailure()
    do throws(StorageError) {
      if isChecked { return try beginOwn(insteadOf: loan) }
      let (begun, file) = try environment.begin(0)
      take(begun, file, insteadOf: loan)
      read.memtable = loan.lender.memtable
      try settleMemtable()
    } catch {
      note(error)
      throw error
    }
  }

  /// Continues with a transaction that has just begun.
  func take(_ begun: OpaquePointer, _ file: OpenFile, insteadOf loan: Loan) {
    loan.lender.endLoan()
    role = .writer
    if cache === loan.lender.cache { cache = environment.takeCache() }
    adopt(ReadVersion(transaction: begun, file: file))
  }

  /// Called when a write begins that reads through this snapshot.
  func lend(to write: StorageSnapshot) { role = .lender(.passUnretained(write)) }

  /// Called when that write ends, or does without this snapshot.
  func endLoan() { if case .lender = role { role = .reader } }

  /// Called before other threads read this snapshot, too.
  package func share() {
    withdrawLoan()
    role = .shared
  }

  /// Makes the write that reads through this snapshot's transaction do without it.
  func withdrawLoan() {
    // A failure fails the write.
    if case .lender(let borrower) = role { try? borrower.takeUnretainedValue().beginOwn() }
  }
}

extension WriteTransaction {
  /// Whether it has ended and can begin again over a snapshot, through which it has read: it has committed in place, or
  /// as an overlay, or changed nothing.
  package func isReusable(over reader: StorageSnapshot) -> Bool {
    guard snapshot.isEnded, let loan = snapshot.loan else { return false }
    return loan.lender === reader && loan.complete == nil && snapshot.read.group == nil
  }

  /// Begins another write after one that is reusable; returns false if that did not read through `reader`, or if that
  /// is not at the newest version.
  package borrowing func begin(over reader: StorageSnapshot) throws(StorageError) -> Bool {
    guard isReusable(over: reader) else { return false }
    if snapshot.isChecked { return try beginInJournal(over: reader) }
    guard try reader.mayLend else { return false }
    snapshot.open(over: reader)
    return true
  }
}
