import Herald

extension ChangeSet {
  /// A map's changes by the rows of its keys. O(changes · log changes), and as many calls.
  ///
  /// - Parameter row: tells where a key stands in the map as it is now, or would stand.
  init(_ changes: MapChangeSet, row: (String) -> Int) {
    let (inserted, deleted) = (changes.insertions, changes.deletions)
    /// Of the keys before one, those that came were not there, and those that went were.
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
  /// How many of these keys, which are in order, come before one. O(log count).
  fileprivate func countBelow(_ key: String) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = low + (high - low) / 2
      if self[middle].utf8.lexicographicallyPrecedes(key.utf8) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
}
