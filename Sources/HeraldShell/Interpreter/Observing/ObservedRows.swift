import Herald

/// The rows of an observed collection at one moment: the values of a sequence, or a map's entries.
struct ObservedRows {
  private var rows: RowBlocks<Value>
  private var entries: MapEntries

  init(_ values: [Value], keys: [String] = []) {
    rows = RowBlocks(keys.isEmpty ? values : [])
    entries = MapEntries(zip(keys, values))
  }

  func value(at row: Int) -> Value? { rows[row] }

  func value(forKey key: String) -> Value? { entries[key] }

  /// Applies a change set, reading the new rows. O(changes · √rows).
  mutating func follow(_ changes: ChangeSet, _ read: (Int) throws -> Value) rethrows {
    for row in changes.deletions.reversed() { rows.remove(at: row) }
    for row in changes.insertions { rows.insert(try read(row), at: row) }
    for row in changes.modificationsNew { rows.replace(at: row, with: try read(row)) }
  }

  /// Applies a change set of a map, reading the new entries. O(changes).
  mutating func follow(_ changes: MapChangeSet, _ read: (String) -> Value?) {
    for key in changes.deletions { entries[key] = nil }
    for key in changes.insertions + changes.modifications { entries[key] = read(key) }
  }
}
