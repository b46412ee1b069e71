extension StorageReader where Self: ~Copyable {
  /// The number of entries in a column's index, counted one by one: for consistency checks.
  package func indexEntryCount(_ column: ColumnID) -> Int {
    snapshot.settle(column)
    var count = snapshot.pending?.index(column)?.entries.count ?? 0
    snapshot.forEachRecord(.index, from: nil) { key, _ in
      guard key.count >= 8 else { return true }
      let isOfColumn =
        key.bigEndian(at: 0, as: UInt32.self) == column.classID
        && key.bigEndian(at: 4, as: UInt32.self) == column.propertyID
      if isOfColumn { count += 1 }
      return true
    }
    return count
  }
}

extension StorageReader where Self: ~Copyable {
  /// The committed version that the transaction reads, or began at.
  package var baseVersion: Int { snapshot.state.version }
}
