import Herald

/// Maps row positions of an old collection to those of the new one, by a change set.
struct RowMapping {
  private let deletions: [Int]
  private let insertions: [Int]

  init(_ changes: ChangeSet) {
    deletions = changes.deletions
    insertions = changes.insertions
  }

  /// The new position of an old row; nil if it was deleted. O(log changes).
  func newPosition(ofOld position: Int) -> Int? {
    let gone = deletions.countBelow(position)
    if gone < deletions.count, deletions[gone] == position { return nil }
    let kept = position - gone
    return kept + insertions.count(whileSorted: { $1 - $0 <= kept })
  }

  /// The new position before which an old row was: ahead of rows inserted at that position.
  /// O(log changes).
  func gap(atOld position: Int) -> Int {
    let kept = position - deletions.countBelow(position)
    return kept + insertions.count(whileSorted: { $1 - $0 < kept })
  }
}

extension [Int] {
  /// The number of elements before the first that does not satisfy a condition, by binary search.
  /// O(log count).
  fileprivate func count(whileSorted holds: (_ index: Int, _ element: Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = low + (high - low) / 2
      if holds(middle, self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The number of elements of an ascending array that are less than a number. O(log count).
  fileprivate func countBelow(_ number: Int) -> Int { count(whileSorted: { $1 < number }) }

  /// Whether an ascending array contains a number. O(log count).
  func hasSorted(_ number: Int) -> Bool {
    let index = countBelow(number)
    return index < count && self[index] == number
  }
}
