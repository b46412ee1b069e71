/// Deleted and inserted rows, which map the new positions of kept rows to their old ones.
struct RowShift {
  /// Rows of the old collection, ascending.
  let deletions: [Int]
  /// Rows of the new collection, ascending.
  let insertions: [Int]

  func isInserted(_ newIndex: Int) -> Bool {
    let index = insertions.lowerBound { $0 < newIndex }
    return index < insertions.count && insertions[index] == newIndex
  }

  /// Returns the old index of a row that was not inserted. O(log changes).
  func oldIndex(ofKept newIndex: Int) -> Int {
    let rank = newIndex - insertions.lowerBound { $0 < newIndex }
    return rank + deletions.indices.partition { deletions[$0] - $0 <= rank }
  }

  /// Returns the change set. `modified` are new rows; inserted ones among them are reported as insertions
  /// only.
  func changeSet(modified: [Int]) -> ChangeSet {
    let kept = modified.filter { !isInserted($0) }.sorted()
    return ChangeSet(
      deletions: deletions, insertions: insertions,
      modifications: kept.map(oldIndex(ofKept:)), modificationsNew: kept)
  }
}
