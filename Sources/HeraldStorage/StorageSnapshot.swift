internal import CLMDB
internal import Glibc

/// What a transaction sees: LMDB's transaction, the cache over it, and the changes to come.
///
/// The transactions own one each and end it; nobody else keeps it. Used by one thread at a time.
/// A read that fails notes why in `failure` and answers as though nothing were there; a write
/// transaction with a failure cannot be committed.
package final class StorageSnapshot {
  let environment: StorageEnvironment
  let transaction: OpaquePointer
  let databases: Databases
  let cache: BlockCache
  /// Nil in a read transaction.
  let pending: PendingChanges?
  private(set) var failure: StorageError?
  private(set) var hasFailed = false
  private(set) var isEnded = false
  private var knownState: StoreState?
  /// Nothing in a write transaction, whose records move.
  private var scans = ScanCursors()

  init(_ environment: StorageEnvironment, _ transaction: OpaquePointer, pending: PendingChanges?) {
    self.environment = environment
    self.transaction = transaction
    self.pending = pending
    databases = environment.file.databases
    cache = environment.takeCache()
  }

  deinit {
    end()
    environment.giveBack(cache)
    if let pending { environment.giveBack(pending) }
  }

  /// The version and the log as the last commit left them.
  var state: StoreState {
    if let knownState { return knownState }
    guard let state = StoreState(transaction, databases) else {
      note(.damaged(path: environment.file.path, reason: "it has no state"))
      return StoreState()
    }
    knownState = state
    return state
  }

  func note(_ error: StorageError) {
    if failure == nil { failure = error }
    hasFailed = true
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
      return found(code, value)
    }
    return get(databases.columns, key)
  }

  /// Gives everything up; changes that were not committed are forgotten.
  func end() {
    guard !isEnded else { return }
    scans.end()
    mdb_txn_abort(transaction)
    finish()
  }

  /// Commits LMDB's transaction, which is over whether that succeeds or not. `keepsLock`: where it
  /// succeeds, writers of other processes go on waiting.
  func commit(version: Int, keepsLock: Bool = false) throws(StorageError) {
    let transactionID = mdb_txn_id(transaction)
    var code = mdb_txn_commit(transaction)
    if code == 0 { environment.note(version: version, transactionID) }
    if code == EIO && environment.file.isWithoutRoom { code = ENOSPC }
    finish(keepsLock: keepsLock && code == 0)
    guard code == 0 else { throw .explaining(code, "commit", path: environment.file.path) }
    environment.file.announceCommit()
  }

  private func finish(keepsLock: Bool = false) {
    isEnded = true
    if pending != nil && !keepsLock { environment.releaseWriterLock() }
    cache.forgetAll()
    pending?.forgetAll()
    note(.failed(operation: "use", code: 0, reason: "the transaction has ended"))
  }

  /// Moves a read transaction to the newest version; where that is the old one, nothing is lost.
  func renew() throws(StorageError) {
    let old = mdb_txn_id(transaction)
    scans.end()
    mdb_txn_reset(transaction)
    let code = mdb_txn_renew(transaction)
    guard code == 0 else { throw .explaining(code, "renew", path: environment.file.path) }
    if mdb_txn_id(transaction) != old {
      cache.forgetAll()
      knownState = nil
      failure = nil
      hasFailed = false
    }
  }
}

extension StoreState {
  /// The state that a transaction sees, nil where there is none.
  init?(_ transaction: OpaquePointer, _ databases: Databases) {
    var value = MDB_val()
    let code = FixedKey.state.withValue { mdb_get(transaction, databases.meta, &$0, &value) }
    guard code == 0 else { return nil }
    self.init(UnsafeRawBufferPointer(value))
  }
}
