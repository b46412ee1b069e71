internal import CLMDB
internal import Glibc

/// The fields of LMDB's transactions and environments that it has no call for.
///
/// Their offsets are the same in all of 0.9. Neighbouring fields with known values confirm the
/// layout; if they do not match, the result is nil.
enum TransactionFields {
  private static let pathOffset = 48
  private static let tableOffset = 64
  private static let pagesOffset = 16
  private static let transactionNumberOffset = 24
  private static let environmentOffset = 32
  private static let readerOffset = 72
  private static let databaseCountOffset = 120
  private static let roomOffset = 128

  /// The index of a read transaction's slot in the reader table.
  static func readerSlot(of transaction: OpaquePointer, in environment: OpaquePointer) -> Int? {
    var path: UnsafePointer<CChar>?
    mdb_env_get_path(environment, &path)
    let fields = UnsafeRawPointer(environment)
    guard let path, ProcessNumber.isLaidOut(UnsafeMutableRawPointer(environment)),
      fields.load(fromByteOffset: pathOffset, as: UnsafePointer<CChar>?.self) == path,
      isLaidOut(transaction, environment)
    else { return nil }
    let own = UnsafeRawPointer(transaction)
    guard let table = fields.load(fromByteOffset: tableOffset, as: UnsafeRawPointer?.self),
      let reader = own.load(fromByteOffset: readerOffset, as: UnsafeRawPointer?.self)
    else { return nil }
    return LockTable.slot(at: reader - table)
  }

  /// The number of pages of the file, including those that a write transaction has added.
  static func pages(of transaction: OpaquePointer, in environment: OpaquePointer) -> Int? {
    guard isLaidOut(transaction, environment) else { return nil }
    return UnsafeRawPointer(transaction).load(fromByteOffset: pagesOffset, as: Int.self)
  }

  /// The most pages that a write transaction keeps in memory.
  static let fullRoom: UInt32 = 1 << 17 - 1

  /// The number of pages that a write transaction, which has changed nothing yet, may change before LMDB writes
  /// changed pages to the file. Lowering it makes LMDB do so earlier.
  static func room(
    of transaction: OpaquePointer, in environment: OpaquePointer
  ) -> UnsafeMutablePointer<UInt32>? {
    let own = UnsafeMutableRawPointer(transaction)
    guard isLaidOut(transaction, environment),
      own.load(fromByteOffset: databaseCountOffset, as: UInt32.self) == Databases.count + 2
    else { return nil }
    let room = (own + roomOffset).assumingMemoryBound(to: UInt32.self)
    return room.pointee == fullRoom ? room : nil
  }

  private static func isLaidOut(_ transaction: OpaquePointer, _ environment: OpaquePointer) -> Bool
  {
    let own = UnsafeRawPointer(transaction)
    return own.load(fromByteOffset: environmentOffset, as: OpaquePointer?.self) == environment
      && own.load(fromByteOffset: transactionNumberOffset, as: UInt64.self) == transaction.number
  }
}

extension OpaquePointer {
  /// The number that LMDB gave to this transaction.
  package var number: UInt64 { UInt64(bitPattern: Int64(mdb_txn_id(self))) }
}
