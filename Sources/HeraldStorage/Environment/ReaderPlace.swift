internal import CLMDB
internal import Glibc

/// Which line of the table of readers a transaction has.
///
/// LMDB has no call for it: it is a field of the transaction, the same in all of 0.9. The fields around it,
/// whose values are known, say whether they are where we think; else there is no answer.
enum ReaderPlace {
  private static let pathPlace = 48
  private static let tablePlace = 64
  private static let transactionNumberPlace = 24
  private static let environmentPlace = 32
  private static let readerPlace = 72

  /// The number of the line; nil where this LMDB is another.
  static func number(of transaction: OpaquePointer, in environment: OpaquePointer) -> Int? {
    var path: UnsafePointer<CChar>?
    mdb_env_get_path(environment, &path)
    let fields = UnsafeRawPointer(environment)
    guard let path, ProcessNumber.isLaidOut(UnsafeMutableRawPointer(environment)),
      fields.load(fromByteOffset: pathPlace, as: UnsafePointer<CChar>?.self) == path
    else { return nil }
    let own = UnsafeRawPointer(transaction)
    guard own.load(fromByteOffset: environmentPlace, as: OpaquePointer?.self) == environment,
      own.load(fromByteOffset: transactionNumberPlace, as: UInt64.self) == transaction.number,
      let table = fields.load(fromByteOffset: tablePlace, as: UnsafeRawPointer?.self),
      let reader = own.load(fromByteOffset: readerPlace, as: UnsafeRawPointer?.self)
    else { return nil }
    return LockTable.number(ofLineAt: reader - table)
  }
}
