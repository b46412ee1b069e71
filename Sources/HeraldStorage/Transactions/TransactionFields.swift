internal import CLMDB
internal import Glibc

/// What LMDB knows of a transaction and has no call for.
///
/// They are fields of the transaction, the same in all of 0.9. The fields around them, whose values are known,
/// say whether they are where we think; else there is no answer.
enum TransactionFields {
  private static let pathPlace = 48
  private static let tablePlace = 64
  private static let pagesPlace = 16
  private static let transactionNumberPlace = 24
  private static let environmentPlace = 32
  private static let readerPlace = 72

  /// The number of the line of the table of readers that a read transaction has.
  static func line(of transaction: OpaquePointer, in environment: OpaquePointer) -> Int? {
    var path: UnsafePointer<CChar>?
    mdb_env_get_path(environment, &path)
    let fields = UnsafeRawPointer(environment)
    guard let path, ProcessNumber.isLaidOut(UnsafeMutableRawPointer(environment)),
      fields.load(fromByteOffset: pathPlace, as: UnsafePointer<CChar>?.self) == path,
      isLaidOut(transaction, environment)
    else { return nil }
    let own = UnsafeRawPointer(transaction)
    guard let table = fields.load(fromByteOffset: tablePlace, as: UnsafeRawPointer?.self),
      let reader = own.load(fromByteOffset: readerPlace, as: UnsafeRawPointer?.self)
    else { return nil }
    return LockTable.number(ofLineAt: reader - table)
  }

  /// How many pages the file has with those that a write transaction has added.
  static func pages(of transaction: OpaquePointer, in environment: OpaquePointer) -> Int? {
    guard isLaidOut(transaction, environment) else { return nil }
    return UnsafeRawPointer(transaction).load(fromByteOffset: pagesPlace, as: Int.self)
  }

  private static func isLaidOut(_ transaction: OpaquePointer, _ environment: OpaquePointer) -> Bool
  {
    let own = UnsafeRawPointer(transaction)
    return own.load(fromByteOffset: environmentPlace, as: OpaquePointer?.self) == environment
      && own.load(fromByteOffset: transactionNumberPlace, as: UInt64.self) == transaction.number
  }
}
