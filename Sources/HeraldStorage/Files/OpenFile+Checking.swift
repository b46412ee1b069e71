internal import CLMDB
internal import Glibc

// What is asked before a transaction begins. LMDB takes the newest transaction's number from the lock
// file, and reads what that transaction left from the store's file. Where somebody has written through
// another lock file, or over the file, the two are not of one another.

extension OpenFile {
  private var newestTransaction: UInt64 {
    var information = MDB_envinfo()
    mdb_env_info(handle, &information)
    return UInt64(information.me_last_txnid)
  }

  /// The bytes of the file that the newest transaction left.
  var usedSize: Int {
    var information = MDB_envinfo()
    var statistics = MDB_stat()
    mdb_env_info(handle, &information)
    mdb_env_stat(handle, &statistics)
    return (Int(information.me_last_pgno) + 1) * Int(statistics.ms_psize)
  }

  /// Throws where the file has not the newest transaction of which the lock file tells.
  func checkNewest() throws(StorageError) {
    guard let table else { return }
    // A commit is in the file first, and a moment later in the lock file.
    let before = table.transaction
    let newest = newestTransaction
    guard before <= newest, newest <= table.transaction + 1 else { throw .replaced(path: path) }
  }

  /// The state of a read transaction's version; nil in memory, where it is damaged, and where the transaction
  /// mixes two versions.
  ///
  /// LMDB takes the number of the newest version first and its trees a moment later, from one of two pages
  /// that commits write in turn. A thread that sleeps in between, while two others commit, gets the trees of a
  /// later version than it has the number of. Such a transaction is to be begun again.
  func settledState(of transaction: OpaquePointer) -> StoreState? {
    guard !isInMemory, let state = StoreState(transaction, databases, isChecked: true),
      state.transaction == transaction.number
    else { return nil }
    return state
  }

  /// After so many transactions in a row without a settled state the file is damaged.
  static var settlingAttempts: Int { 100 }

  /// Throws where a write transaction, which nobody can have written beside, does not follow the
  /// file's newest, or where the file is another store's by now.
  func checkNewest(before transaction: OpaquePointer) throws(StorageError) {
    guard table != nil else { return }
    guard newestTransaction + 1 == UInt64(mdb_txn_id(transaction)),
      StoreID(transaction, databases.meta) == id
    else { throw .replaced(path: path) }
  }

  /// Lets those who wait for commits know that one can be read now. About a microsecond.
  func announceCommit() {
    guard let files else { return }
    futimens(files.store.number, nil)
    // Who waits at the file that the store was in before hears of it by the lock file.
    if let lock = files.lock, let table, table.generation > 0 { futimens(lock.number, nil) }
    table?.announceCommit()
  }
}
