internal import CLMDB

/// The blocks that follow one another in a scan, found by stepping a cursor instead of by a search
/// in the tree for each.
///
/// A cursor is opened for a column once three of its blocks were asked for in order, and stands on
/// the last one since. Of a read transaction only: its records never move. To be ended before the
/// transaction is.
struct ScanCursors: ~Copyable {
  private struct Scan {
    var column: UInt64 = 0
    var lastBlock = -2
    /// How many blocks were asked for in order.
    var run = 0
    var cursor: OpaquePointer?
  }

  private static let capacity = 8
  private var scans = [Scan](repeating: Scan(), count: capacity)

  deinit { assert(scans.allSatisfy { $0.cursor == nil }) }

  /// The record of a block where a scan of its column has come to it: `.some(nil)` where the store
  /// has no such record, nil where there is no scan and a search is needed.
  mutating func next(
    _ column: UInt64, _ block: Int, _ key: FixedKey, _ transaction: OpaquePointer,
    _ database: MDB_dbi
  ) -> (code: Int32, value: MDB_val)? {
    let place = Int(truncatingIfNeeded: (column &* 0x9E37_79B9_7F4A_7C15) >> 61)
    guard scans[place].column == column, scans[place].lastBlock &+ 1 == block else {
      restart(place, column, block)
      return nil
    }
    scans[place].lastBlock = block
    scans[place].run &+= 1
    guard scans[place].run > 2 else { return nil }
    var value = MDB_val()
    guard let cursor = scans[place].cursor else {
      return open(place, key, transaction, database)
    }
    var found = MDB_val()
    let code = mdb_cursor_get(cursor, &found, &value, MDB_NEXT)
    if code == 0, key.equals(found) { return (0, value) }
    // A block is missing: the cursor went past it. Start again after it.
    restart(place, column, block)
    return nil
  }

  private mutating func restart(_ place: Int, _ column: UInt64, _ block: Int) {
    if let cursor = scans[place].cursor { mdb_cursor_close(cursor) }
    scans[place] = Scan(column: column, lastBlock: block)
  }

  private mutating func open(
    _ place: Int, _ key: FixedKey, _ transaction: OpaquePointer, _ database: MDB_dbi
  ) -> (code: Int32, value: MDB_val)? {
    var cursor: OpaquePointer?
    guard mdb_cursor_open(transaction, database, &cursor) == 0, let cursor else { return nil }
    var value = MDB_val()
    let code = key.withValue { mdb_cursor_get(cursor, &$0, &value, MDB_SET) }
    guard code == 0 else {
      mdb_cursor_close(cursor)
      return (code, value)
    }
    scans[place].cursor = cursor
    return (0, value)
  }

  /// Closes the cursors: before the transaction ends or moves.
  mutating func end() {
    for place in scans.indices {
      if let cursor = scans[place].cursor { mdb_cursor_close(cursor) }
      scans[place] = Scan()
    }
  }
}
