internal import CLMDB

/// The blocks that follow one another in a scan, found by stepping a cursor instead of a search in
/// the tree for each.
///
/// A cursor is opened for a column once three of its blocks were requested in order, and stays at
/// the last one. For read transactions only: their records never move. Must be ended before the transaction.
struct ScanCursors: ~Copyable {
  private struct Scan {
    var column: UInt64 = 0
    var lastBlock = -2
    /// The number of blocks requested in order.
    var run = 0
    var cursor: OpaquePointer?
  }

  private static let capacity = 8
  /// Empty until a block is requested.
  private var scans: [Scan] = []
  private var isUsed = false

  deinit { assert(scans.allSatisfy { $0.cursor == nil }) }

  /// Returns the record of a block if a scan of its column reaches it, with the code `MDB_NOTFOUND`
  /// if there is none; nil if there is no scan and a search is needed.
  mutating func next(
    _ column: UInt64, _ block: Int, _ key: FixedKey, _ transaction: OpaquePointer,
    _ database: MDB_dbi
  ) -> (code: Int32, value: MDB_val)? {
    let index = Int(truncatingIfNeeded: (column &* 0x9E37_79B9_7F4A_7C15) >> 61)
    if scans.isEmpty { scans = [Scan](repeating: Scan(), count: Self.capacity) }
    guard scans[index].column == column, scans[index].lastBlock &+ 1 == block else {
      restart(index, column, block)
      return nil
    }
    scans[index].lastBlock = block
    scans[index].run &+= 1
    guard scans[index].run > 2 else { return nil }
    var value = MDB_val()
    guard let cursor = scans[index].cursor else {
      return open(index, key, transaction, database)
    }
    var found = MDB_val()
    let code = mdb_cursor_get(cursor, &found, &value, MDB_NEXT)
    if code == 0, key.equals(found) { return (0, value) }
    // A block is missing, and the cursor skipped it. The scan restarts after it.
    restart(index, column, block)
    return nil
  }

  private mutating func restart(_ index: Int, _ column: UInt64, _ block: Int) {
    if let cursor = scans[index].cursor { mdb_cursor_close(cursor) }
    scans[index] = Scan(column: column, lastBlock: block)
    isUsed = true
  }

  private mutating func open(
    _ index: Int, _ key: FixedKey, _ transaction: OpaquePointer, _ database: MDB_dbi
  ) -> (code: Int32, value: MDB_val)? {
    var cursor: OpaquePointer?
    guard mdb_cursor_open(transaction, database, &cursor) == 0, let cursor else { return nil }
    var value = MDB_val()
    let code = key.withValue { mdb_cursor_get(cursor, &$0, &value, MDB_SET) }
    guard code == 0 else {
      mdb_cursor_close(cursor)
      return (code, value)
    }
    scans[index].cursor = cursor
    return (0, value)
  }

  /// Closes the cursors: before the transaction ends or moves.
  mutating func end() {
    guard isUsed else { return }
    isUsed = false
    for index in scans.indices {
      if let cursor = scans[index].cursor { mdb_cursor_close(cursor) }
      scans[index] = Scan()
    }
  }
}
