internal import CLMDB
import HeraldStorage

/// A walk over the records of one database of a read transaction, in order; each value of a key
/// with several values is a record of its own.
struct RecordCursor: ~Copyable {
  /// The address of a record; valid until the transaction ends.
  struct Record {
    let key: UnsafeRawBufferPointer
    let value: UnsafeRawBufferPointer
  }

  /// Nil after the last.
  private(set) var record: Record?
  private let transaction: OpaquePointer
  private let database: MDB_dbi
  private let space: RecordSpace
  private let path: String
  private let cursor: OpaquePointer

  /// Starts at the first record; `path` is the store's.
  init(
    _ transaction: OpaquePointer, _ database: MDB_dbi, _ space: RecordSpace, path: String
  ) throws(StorageError) {
    var opened: OpaquePointer?
    let code = mdb_cursor_open(transaction, database, &opened)
    guard code == 0, let opened else { throw .explaining(code, "read", path: path) }
    do throws(StorageError) {
      record = try Self.move(opened, MDB_FIRST, path)
    } catch {
      mdb_cursor_close(opened)
      throw error
    }
    self.transaction = transaction
    self.database = database
    self.space = space
    self.path = path
    cursor = opened
  }

  deinit { mdb_cursor_close(cursor) }

  mutating func advance() throws(StorageError) {
    record = try Self.move(cursor, MDB_NEXT, path)
  }

  private static func move(
    _ cursor: OpaquePointer, _ operation: MDB_cursor_op, _ path: String
  ) throws(StorageError) -> Record? {
    var key = MDB_val()
    var value = MDB_val()
    let code = mdb_cursor_get(cursor, &key, &value, operation)
    guard code == 0 || code == MDB_NOTFOUND else { throw .explaining(code, "read", path: path) }
    if code != 0 { return nil }
    return Record(key: UnsafeRawBufferPointer(key), value: UnsafeRawBufferPointer(value))
  }

  /// Below 0 if this walk's record comes before that of another walk over a database of the same
  /// kind, above 0 if after, 0 if their keys are equal and so, for a key with several values, are
  /// their values. A finished walk is after every record. Nil if both have finished.
  func order(before other: borrowing RecordCursor) -> Int32? {
    guard let record else { return other.record == nil ? nil : 1 }
    guard let otherRecord = other.record else { return -1 }
    var (key, otherKey) = (MDB_val(record.key), MDB_val(otherRecord.key))
    let order = mdb_cmp(transaction, database, &key, &otherKey)
    if order != 0 || space.entrySize == nil { return order }
    var (value, otherValue) = (MDB_val(record.value), MDB_val(otherRecord.value))
    return mdb_dcmp(transaction, database, &value, &otherValue)
  }
}
