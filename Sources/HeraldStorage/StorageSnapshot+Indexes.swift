internal import CLMDB

extension StorageSnapshot {
  package func indexed(_ column: ColumnID, _ value: StoredValue) -> [Int] {
    var numbers: [Int] = []
    withCursor(databases.index) { cursor in
      let first = IndexKey.encode(column, value).withUnsafeBytes { bytes in
        var key = MDB_val(bytes)
        return firstPage(cursor, &key)
      }
      forEachPage(cursor, first) { bytes in
        for offset in stride(from: 0, to: bytes.count, by: 8) {
          numbers.append(Int(truncatingIfNeeded: bytes.bigEndian(at: offset, as: UInt64.self)))
        }
        return true
      }
    }
    return numbers
  }

  /// The lowest of the numbers under a value.
  package func firstIndexed(_ column: ColumnID, _ value: StoredValue) -> Int? {
    let found = IndexKey.withEncoded(column, value) { get(databases.index, $0) }
    return found.map { Int(truncatingIfNeeded: $0.bigEndian(at: 0, as: UInt64.self)) }
  }

  func addToIndex(
    _ column: ColumnID, _ value: StoredValue, _ number: Int
  ) throws(StorageError) {
    try checkFailure()
    let code = withIndexEntry(column, value, number) {
      mdb_put(transaction, databases.index, &$0, &$1, 0)
    }
    try written(code)
  }

  func removeFromIndex(
    _ column: ColumnID, _ value: StoredValue, _ number: Int
  ) throws(StorageError) {
    try checkFailure()
    let code = withIndexEntry(column, value, number) {
      mdb_del(transaction, databases.index, &$0, &$1)
    }
    try written(code == MDB_NOTFOUND ? 0 : code)
    if code == MDB_NOTFOUND { throw damaged("an entry to be removed is not in the index") }
  }

  private func withIndexEntry(
    _ column: ColumnID, _ value: StoredValue, _ number: Int,
    _ body: (inout MDB_val, inout MDB_val) -> Int32
  ) -> Int32 {
    var entry = UInt64(number).bigEndian
    return IndexKey.withEncoded(column, value) { bytes in
      withUnsafeMutableBytes(of: &entry) { entry in
        var key = MDB_val(bytes)
        var value = MDB_val(mv_size: entry.count, mv_data: entry.baseAddress)
        return body(&key, &value)
      }
    }
  }
}
