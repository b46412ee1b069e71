internal import CLMDB

// A write of a file begins without a transaction of LMDB's: it reads through that of its session's snapshot, and puts
// what it changes into a draft. If that stays small, it becomes the next overlay; else LMDB's transaction begins, with
// the draft in it.

extension StorageSnapshot {
  /// Whether the write may be one without a transaction of LMDB's.
  var mayHaveDraft: Bool {
    guard case .borrower = role else { return false }
    return isChecked && pending?.held == nil
  }

  /// Must come before each change of a record, of `size` bytes, or of entries. From then on either there is a draft,
  /// which has room for it, or `transaction` is one that can be written.
  @inline(__always)
  func beginChange(of size: Int, items count: Int = 1) throws(StorageError) {
    try checkFailure()
    if case .borrower(let loan) = role { try makeRoom(in: loan, size, count) }
  }

  @inline(never)
  private func makeRoom(in loan: Loan, _ size: Int, _ count: Int) throws(StorageError) {
    guard mayHaveDraft else { return try beginOwn() }
    let draft = loan.draft ?? OverlayDraft()
    guard draft.hasRoom(for: size, items: count) else { return try beginOwn() }
    if loan.draft != nil { return }
    loan.draft = draft
    // Its blocks are not those of the lender.
    if cache === loan.lender.cache { cache = environment.takeCache() }
  }

  /// Begins a transaction of LMDB's, and puts what the write has changed into it. What earlier commits have changed is
  /// put into the pages first.
  func beginOwn(insteadOf loan: Loan) throws(StorageError) {
    let isMember = read.group != nil
    let hasGate = !isMember && (loan.draft?.base != nil || pending?.group != nil)
    if isMember { try leaveGroup(loan) }
    let (begun, file) = try environment.beginWithLock(hasGate: hasGate)
    self.file.files?.endUse()
    // A caller may still read what these have.
    pending?.keep(loan)
    take(begun, file, insteadOf: loan)
    // The state outlives the transaction.
    _ = state
    try checkFailure()
    pending?.dirtyPages = DirtyPages(of: begun, in: file, limit: environment.dirtyPageLimit)
    for item in loan.draft?.items.all ?? [] where !item.isState {
      try written(file.put(item, begun))
    }
  }

  func put(_ item: OverlayItem, in draft: OverlayDraft) {
    draft.put(item)
    cache.forgetAll()
    pending?.hasWritten = true
  }
}

extension OpenFile {
  /// Makes one change in LMDB's transaction; returns LMDB's code.
  func put(_ item: OverlayItem, _ transaction: OpaquePointer) -> Int32 {
    var (key, value) = (MDB_val(item.key), MDB_val(item.value))
    let database = databases[item.space]
    let code =
      switch item.change {
      case .written: mdb_put(transaction, database, &key, &value, 0)
      case .added: mdb_put(transaction, database, &key, &value, UInt32(MDB_NODUPDATA))
      case .deleted: mdb_del(transaction, database, &key, nil)
      case .removed: mdb_del(transaction, database, &key, &value)
      }
    return code == MDB_NOTFOUND && item.change == .deleted ? 0 : code
  }
}
