internal import CLMDB
internal import Glibc

/// What a transaction sees: LMDB's transaction, the cache over it, and the changes to come.
///
/// The transactions own one each and end it; nobody else keeps it. Used by one thread at a time.
/// A read that fails notes why in `failure` and answers as though nothing were there; a write
/// transaction with a failure cannot be committed.
package final class StorageSnapshot {
  let environment: StorageEnvironment
  /// Whose transaction it is.
  private(set) var file: OpenFile
  private(set) var transaction: OpaquePointer
  let databases: Databases
  let cache: BlockCache
  /// Whether records are checked against their trailers. Nobody but us has those in memory.
  let isChecked: Bool
  /// Nil in a read transaction.
  let pending: PendingChanges?
  private(set) var failure: StorageError?
  private(set) var hasFailed = false
  private(set) var isEnded = false
  private var isReleased = false
  /// The line of the transaction in the table of readers, once it was looked for.
  private var line: Int??
  private var knownState: StoreState?
  /// Nothing in a write transaction, whose records move.
  private var scans = ScanCursors()

  init(
    _ environment: StorageEnvironment, _ file: OpenFile, _ transaction: OpaquePointer,
    pending: PendingChanges?, state: StoreState? = nil
  ) {
    self.environment = environment
    self.file = file
    self.transaction = transaction
    self.pending = pending
    databases = file.databases
    isChecked = !file.isInMemory
    cache = environment.takeCache()
    knownState = state
  }

  deinit {
    end()
    environment.giveBack(cache)
    if let pending { environment.giveBack(pending) }
  }

  /// The version and the log as the last commit left them.
  var state: StoreState {
    if let knownState { return knownState }
    guard let state = StoreState(transaction, databases, isChecked: isChecked) else {
      note(.damaged(path: file.path, reason: "its state cannot be read"))
      return StoreState()
    }
    // The transaction before a write's own is the one that wrote the state.
    guard !isChecked || pending != nil || state.transaction == transaction.number else {
      note(.damaged(path: file.path, reason: "its first pages and its state disagree"))
      return StoreState()
    }
    knownState = state
    return state
  }

  /// The last version whose records may be found here: in a write, that of its own commit.
  var newestReadable: Int { state.version + (pending == nil ? 0 : 1) }

  func note(_ error: StorageError) {
    if failure == nil { failure = error }
    hasFailed = true
  }

  /// Takes what a read failed with, for its reader to throw: other records can be read on. A write
  /// that met damage keeps its failure, and is never committed.
  func takeFailure() -> StorageError? {
    guard pending == nil, !isEnded else { return failure }
    defer {
      failure = nil
      hasFailed = false
    }
    return failure
  }

  /// Throws what failed before, after which nothing more is to be changed.
  @inline(__always) func checkFailure() throws(StorageError) {
    if hasFailed, let failure { throw failure }
  }

  /// The record of a column's block: by stepping from the one before where that was asked for last.
  func block(_ column: ColumnID, _ block: Int) -> UnsafeRawBufferPointer? {
    let key = FixedKey.block(column, block)
    if pending == nil,
      let (code, value) = scans.next(
        column.packed, block, key, transaction, databases.columns)
    {
      return found(code, value, .columns, key)
    }
    return get(.columns, key)
  }

  /// Says who holds the version, for `snapshotHolders`.
  func label(_ label: ReaderLabel) {
    guard !isEnded, !isReleased else { return }
    let note = ReaderNote(
      transaction: transaction.number, since: ReaderLabel.now, label: label)
    if let table = file.table {
      if line == nil { line = .some(TransactionFields.line(of: transaction, in: file.handle)) }
      if case .some(.some(let line)) = line { return table.note(note, inLine: line) }
    }
    environment.hold(note, by: ObjectIdentifier(self))
  }

  /// Gives everything up; changes that were not committed are forgotten.
  func end() {
    guard !isEnded else { return }
    if pending == nil { environment.letGo(by: ObjectIdentifier(self)) }
    scans.end()
    mdb_txn_abort(transaction)
    finish()
  }

  /// Commits LMDB's transaction, which is over whether that succeeds or not. `keepsLock`: where it
  /// succeeds, writers of other processes go on waiting.
  func commit(version: Int, keepsLock: Bool = false) throws(StorageError) {
    do throws(StorageError) {
      try file.files?.check()
      try file.checkReserve(transaction, isDeleting: pending?.isDeleting ?? false)
    } catch {
      end()
      throw error
    }
    let transactionID = mdb_txn_id(transaction)
    let number = transaction.number
    var code = mdb_txn_commit(transaction)
    if code == 0 { environment.note(version: version, transactionID) }
    if code != 0, isChecked { MetaPages.restore(file.descriptor, failed: number) }
    if code == EIO && file.isWithoutRoom { code = ENOSPC }
    finish(isCommitted: code == 0, keepsLock: keepsLock && code == 0)
    guard code == 0 else { throw .explaining(code, "commit", path: file.path) }
    file.announceCommit()
  }

  private func finish(isCommitted: Bool = false, keepsLock: Bool = false) {
    isEnded = true
    file.files?.endUse()
    if let pending {
      let given = environment.givenNumbers
      if isCommitted { given.forget(pending.classes) } else { given.keep(pending.classes) }
      environment.endWrite(keepsLock: keepsLock)
    }
    cache.forgetAll()
    pending?.forgetAll()
    note(.failed(operation: "use", code: 0, reason: "the transaction has ended"))
  }

  /// Gives the version of a read transaction up until it is renewed.
  func release() {
    environment.letGo(by: ObjectIdentifier(self))
    scans.end()
    mdb_txn_reset(transaction)
    cache.forgetAll()
    knownState = nil
    isReleased = true
  }

  /// Moves a read transaction to the newest version; where that is the old one, nothing is lost.
  func renew() throws(StorageError) {
    try environment.checkFiles()
    let old = (transaction.number, ObjectIdentifier(file))
    scans.end()
    mdb_txn_reset(transaction)
    var isRenewed = false
    var renewed: StoreState?
    defer { if !isRenewed { isReleased = true } }
    if try !renewInPlace(&renewed) {
      let begun = try environment.beginReading()
      mdb_txn_abort(transaction)
      file.files?.endUse()
      (transaction, file, renewed) = begun
      line = nil
    }
    isRenewed = true
    if (transaction.number, ObjectIdentifier(file)) != old || isReleased {
      isReleased = false
      cache.forgetAll()
      knownState = renewed
      failure = nil
      hasFailed = false
    }
  }

  /// False where the file's handle is no longer in use, or should not be, and where LMDB has mixed two
  /// versions. `state`: that of the version, nil in memory.
  private func renewInPlace(_ state: inout StoreState?) throws(StorageError) -> Bool {
    guard file === environment.file else { return false }
    let code = mdb_txn_renew(transaction)
    if code == MDB_MAP_RESIZED || code == MDB_PANIC { return false }
    guard code == 0 else { throw .explaining(code, "renew", path: file.path) }
    do throws(StorageError) {
      try file.checkNewest()
      state = file.settledState(of: transaction)
      if file.isInMemory || state != nil { return true }
    } catch {}
    mdb_txn_reset(transaction)
    return false
  }
}

extension StoreState {
  /// The state that a transaction sees, nil where there is none, or it is damaged.
  init?(_ transaction: OpaquePointer, _ databases: Databases, isChecked: Bool) {
    var value = MDB_val()
    let code = FixedKey.state.withValue { mdb_get(transaction, databases.meta, &$0, &value) }
    guard code == 0 else { return nil }
    let record = UnsafeRawBufferPointer(value)
    if isChecked { self.init(record: record) } else { self.init(record.withoutTrailer) }
  }
}

extension OpaquePointer {
  /// The number that LMDB gave to the transaction that this is.
  var number: UInt64 { UInt64(bitPattern: Int64(mdb_txn_id(self))) }
}
