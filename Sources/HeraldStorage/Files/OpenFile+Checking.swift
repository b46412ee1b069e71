internal import CLMDB
internal import Glibc
internal import Synchronization

// Checks before a transaction begins. LMDB takes the newest transaction's number from the lock
// file, and reads what that transaction wrote from the store's file. If a process has written
// through another lock file, or overwritten the file, the two do not belong together.

extension OpenFile {
  /// The number of LMDB's newest transaction.
  var newestTransaction: UInt64 {
    var information = MDB_envinfo()
    mdb_env_info(handle, &information)
    return UInt64(information.me_last_txnid)
  }

  /// The size of the file in bytes, as of the newest transaction.
  var usedSize: Int {
    var information = MDB_envinfo()
    var statistics = MDB_stat()
    mdb_env_info(handle, &information)
    mdb_env_stat(handle, &statistics)
    return (Int(information.me_last_pgno) + 1) * Int(statistics.ms_psize)
  }

  /// Throws if the file does not have the newest transaction that the lock file lists.
  func checkNewest() throws(StorageError) {
    guard let table else { return }
    // A commit appears in the file first, and a moment later in the lock file.
    let before = table.transaction
    let newest = newestTransaction
    guard before <= newest, newest <= table.transaction + 1 else { throw .replaced(path: path) }
  }

  /// The state of a read transaction's version; nil in memory, if it is damaged, and if the
  /// transaction mixes two versions.
  ///
  /// LMDB reads the number of the newest version first and its trees a moment later, from one of
  /// two pages that commits write alternately. A thread that sleeps in between, during two commits,
  /// gets the trees of a later version than the number's. Such a transaction must be restarted, and so must one that
  /// reads the first commit of a store before the file has its name.
  func settledState(of transaction: OpaquePointer) -> StoreState? {
    guard !isInMemory, let state = StoreState(transaction, databases, isChecked: true),
      state.transaction == transaction.number, !isNameless || state.version == 0
    else { return nil }
    return state
  }

  /// Whether a read transaction of a store in memory, which has just begun, has one version: the newest is still
  /// its own, so no commit has written to the page from which it took its trees.
  func isSettled(_ transaction: OpaquePointer) -> Bool {
    atomicMemoryFence(ordering: .acquiring)
    return newestTransaction == transaction.number
  }

  /// The version of a store in memory that its transaction with this number committed: each makes one, after the
  /// one that created the store.
  static func versionInMemory(_ transaction: UInt64) -> Int { Int(transaction) - 1 }

  /// The number of consecutive transactions without a settled state after which the file is damaged.
  static var settlingAttempts: Int { 100 }

  /// Throws if a write transaction, which excludes all others, does not follow the file's newest
  /// one, or if the file is another store's now.
  func checkNewest(before transaction: OpaquePointer) throws(StorageError) {
    guard table != nil else { return }
    guard newestTransaction + 1 == UInt64(mdb_txn_id(transaction)),
      StoreID(transaction, databases.meta) == id
    else { throw .replaced(path: path) }
  }

  /// The error of a commit for LMDB's code, or the system's.
  func commitError(_ code: Int32) -> StorageError {
    let error = StorageError.explaining(code, "commit", path: path)
    guard isNameless else { return error }
    if code == EEXIST { return .madeMeanwhile(path: path) }
    if case .failed(_, _, let reason) = error { return .cannotWrite(path: path, reason: reason) }
    return error
  }

  /// Notifies those who wait for commits that one can be read. About a microsecond.
  package func announceCommit() {
    guard let files else { return }
    futimens(files.store.number, nil)
    // Those who watch the file that the store was in before are notified by the lock file.
    if let lock = files.lock, let table, table.generation > 0 { futimens(lock.number, nil) }
    table?.announceCommit()
  }
}
