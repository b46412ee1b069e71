/// Where rows that stay stood before others went and came.
struct RowShift {
  /// Rows of the old collection, ascending.
  let deletions: [Int]
  /// Rows of the new collection, ascending.
  let insertions: [Int]

  func isInserted(_ newIndex: Int) -> Bool {
    let place = insertions.lowerBound { $0 < newIndex }
    return place < insertions.count && insertions[place] == newIndex
  }

  /// The old index of a row that is not inserted. O(log changes).
  func oldIndex(ofKept newIndex: Int) -> Int {
    let rank = newIndex - insertions.lowerBound { $0 < newIndex }
    var low = 0
    var high = deletions.count
    while low < high {
      let middle = (low + high) / 2
      if deletions[middle] - middle <= rank { low = middle + 1 } else { high = middle }
    }
    return rank + low
  }

  /// What is told; `modified` are new rows, those that are inserted among them told as that only.
  func changeSet(modified: [Int]) -> ChangeSet {
    let kept = modified.filter { !isInserted($0) }.sorted()
    return ChangeSet(
      deletions: deletions, insertions: insertions,
      modifications: kept.map(oldIndex(ofKept:)), modificationsNew: kept)
  }
}
