internal import CLMDB

/// The newest version of a file seen so far, with the transaction that is renewed to look again.
///
/// `@unchecked Sendable`: it is stored in the environment's mutex and nowhere else.
struct NewestVersion: @unchecked Sendable {
  private var transaction: OpaquePointer?
  /// The file of `transaction`.
  private var file: OpenFile?
  private var transactionID = -1
  private var version = 0

  enum Failure: Error {
    /// LMDB refused a transaction with this code.
    case refused(Int32)
    /// The file has no state record, or that of another commit.
    case damaged
  }

  mutating func version(of file: OpenFile) throws(Failure) -> Int {
    if file.isNameless { return 0 }
    if self.file !== file {
      end()
      self.file = file
    }
    var information = MDB_envinfo()
    mdb_env_info(file.handle, &information)
    if information.me_last_txnid == transactionID { return version }
    for _ in 0..<OpenFile.settlingAttempts {
      let transaction = try begin(file)
      defer { mdb_txn_reset(transaction) }
      guard let state = file.settledState(of: transaction) else { continue }
      version = state.version
      transactionID = Int(mdb_txn_id(transaction))
      return version
    }
    throw .damaged
  }

  private mutating func begin(_ file: OpenFile) throws(Failure) -> OpaquePointer {
    let code: Int32
    if let transaction {
      code = mdb_txn_renew(transaction)
    } else {
      code = mdb_txn_begin(file.handle, nil, UInt32(MDB_RDONLY), &transaction)
    }
    guard code == 0, let transaction else { throw .refused(code) }
    return transaction
  }

  mutating func note(version: Int, _ transactionID: Int) {
    guard transactionID > self.transactionID else { return }
    self.version = version
    self.transactionID = transactionID
  }

  mutating func end() {
    if let transaction { mdb_txn_abort(transaction) }
    transaction = nil
    file = nil
  }
}
