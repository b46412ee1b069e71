import Herald

extension ChangeSet {
  /// A map's changes by the rows of its keys. O(changes · log changes), with as many calls of `row`.
  ///
  /// - Parameter row: returns the position of a key in the present map, or where it would be inserted.
  init(_ changes: MapChangeSet, row: (String) -> Int) {
    let (inserted, deleted) = (changes.insertions, changes.deletions)
    /// Of the keys before one, those that were inserted did not exist in the old map, and those that were
    /// deleted did.
    func oldRow(_ key: String) -> Int {
      row(key) - inserted.countBelow(key) + deleted.countBelow(key)
    }
    self.init(
      deletions: deleted.map(oldRow), insertions: inserted.map(row),
      modifications: changes.modifications.map(oldRow),
      modificationsNew: changes.modifications.map(row))
  }
}

extension [String] {
  /// The number of keys, which are in order, before a key. O(log count).
  fileprivate func countBelow(_ key: String) -> Int {
    partitionPoint { $0.utf8.lexicographicallyPrecedes(key.utf8) }
  }
}
