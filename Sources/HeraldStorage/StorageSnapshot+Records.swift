internal import CLMDB

extension StorageSnapshot {
  /// The bytes of a record where they lie, nil when there is none.
  func get(_ database: MDB_dbi, _ key: FixedKey) -> UnsafeRawBufferPointer? {
    guard !isEnded else { return nil }
    var value = MDB_val()
    let code = key.withValue { mdb_get(transaction, database, &$0, &value) }
    return found(code, value)
  }

  func get(_ database: MDB_dbi, _ key: [UInt8]) -> UnsafeRawBufferPointer? {
    key.withUnsafeBytes { get(database, $0) }
  }

  func get(_ database: MDB_dbi, _ key: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    guard !isEnded else { return nil }
    var value = MDB_val()
    var key = MDB_val(key)
    return found(mdb_get(transaction, database, &key, &value), value)
  }

  func found(_ code: Int32, _ value: MDB_val) -> UnsafeRawBufferPointer? {
    if code == 0 { return UnsafeRawBufferPointer(value) }
    if code != MDB_NOTFOUND { note(explaining(code, "read")) }
    return nil
  }

  /// Runs `body` with a cursor over a database.
  func withCursor(_ database: MDB_dbi, _ body: (OpaquePointer) throws -> Void) rethrows {
    guard !isEnded else { return }
    var cursor: OpaquePointer?
    let code = mdb_cursor_open(transaction, database, &cursor)
    guard code == 0, let cursor else { return note(explaining(code, "open a cursor")) }
    defer { mdb_cursor_close(cursor) }
    try body(cursor)
  }

  /// Every record from `key` on, in order, until `body` answers false.
  func forEachRecord(
    _ database: MDB_dbi, from key: FixedKey?,
    _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Bool
  ) rethrows {
    try withCursor(database) { cursor in
      var found = MDB_val()
      var value = MDB_val()
      var code: Int32
      if let key {
        code = key.withValue { sought in
          let code = mdb_cursor_get(cursor, &sought, &value, MDB_SET_RANGE)
          found = sought
          return code
        }
      } else {
        code = mdb_cursor_get(cursor, &found, &value, MDB_FIRST)
      }
      while code == 0 {
        guard try body(UnsafeRawBufferPointer(found), UnsafeRawBufferPointer(value)) else { return }
        code = mdb_cursor_get(cursor, &found, &value, MDB_NEXT)
      }
      if code != MDB_NOTFOUND { note(explaining(code, "read")) }
    }
  }

  /// The first page of values of a key; a single value is a page of its own.
  func firstPage(_ cursor: OpaquePointer, _ key: inout MDB_val) -> (code: Int32, value: MDB_val) {
    var value = MDB_val()
    var code = mdb_cursor_get(cursor, &key, &value, MDB_SET)
    if code == 0 { code = mdb_cursor_get(cursor, &key, &value, MDB_GET_MULTIPLE) }
    return (code, value)
  }

  /// The values of one key of a `DUPFIXED` database, a page of them at a time.
  func forEachPage(
    _ cursor: OpaquePointer, _ first: (code: Int32, value: MDB_val),
    _ body: (UnsafeRawBufferPointer) throws -> Bool
  ) rethrows {
    var (code, value) = first
    var key = MDB_val()
    while code == 0 {
      guard try body(UnsafeRawBufferPointer(value)) else { return }
      code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT_MULTIPLE)
    }
    if code != MDB_NOTFOUND { note(explaining(code, "read")) }
  }

  func explaining(_ code: Int32, _ operation: String) -> StorageError {
    .explaining(code, operation, path: environment.file.path)
  }
}

extension StorageSnapshot {
  /// Writes a record; every pointer into the store that was handed out is void from here on.
  func put(
    _ database: MDB_dbi, _ key: FixedKey, _ bytes: UnsafeRawBufferPointer
  ) throws(StorageError) {
    try checkFailure()
    var value = MDB_val(bytes)
    try written(key.withValue { mdb_put(transaction, database, &$0, &value, 0) })
  }

  func put(_ database: MDB_dbi, _ key: FixedKey, _ bytes: [UInt8]) throws(StorageError) {
    try bytes.span.bytes.withUnsafeBytes { bytes throws(StorageError) in
      try put(database, key, bytes)
    }
  }

  func put(_ database: MDB_dbi, _ key: [UInt8], _ bytes: [UInt8]) throws(StorageError) {
    try checkFailure()
    let code = key.withUnsafeBytes { key in
      bytes.withUnsafeBytes { bytes in
        var key = MDB_val(key)
        var value = MDB_val(bytes)
        return mdb_put(transaction, database, &key, &value, 0)
      }
    }
    try written(code)
  }

  /// Writes a draft in its stored form, encoded where it will lie.
  func put(
    _ database: MDB_dbi, _ key: FixedKey, _ draft: BlockDraft
  ) throws(StorageError) {
    try checkFailure()
    let layout = BlockLayout(draft)
    var value = MDB_val(mv_size: layout.size, mv_data: nil)
    let reserve = UInt32(MDB_RESERVE)
    try written(key.withValue { mdb_put(transaction, database, &$0, &value, reserve) })
    layout.encode(
      draft, into: UnsafeMutableRawBufferPointer(start: value.mv_data, count: layout.size))
  }

  /// Takes a record away; one that is not there is none to take.
  func delete(_ database: MDB_dbi, _ key: FixedKey) throws(StorageError) {
    try checkFailure()
    let code = key.withValue { mdb_del(transaction, database, &$0, nil) }
    try written(code == MDB_NOTFOUND ? 0 : code)
  }

  /// What must follow every change of a record: `code` is what LMDB answered.
  func written(_ code: Int32) throws(StorageError) {
    cache.forgetAll()
    try checkFailure()
    guard code != 0 else { return }
    let error = explaining(code, "write")
    note(error)
    throw error
  }

  func damaged(_ reason: String) -> StorageError {
    .damaged(path: environment.file.path, reason: reason)
  }
}
