import Herald

/// Where the rows of an old collection are in the new one, as a change set tells it.
struct RowMapping {
  private let deletions: [Int]
  private let insertions: [Int]

  init(_ changes: ChangeSet) {
    deletions = changes.deletions
    insertions = changes.insertions
  }

  /// The new position of an old row; nil where it went. O(log changes).
  func newPosition(ofOld position: Int) -> Int? {
    let gone = deletions.firstIndex { $0 >= position }
    if gone < deletions.count, deletions[gone] == position { return nil }
    let kept = position - gone
    return kept + insertions.firstIndex { place, row in row - place > kept }
  }

  /// The new position before which an old row stood: ahead of what was inserted just there.
  /// O(log changes).
  func gap(atOld position: Int) -> Int {
    let kept = position - deletions.firstIndex { $0 >= position }
    return kept + insertions.firstIndex { place, row in row - place >= kept }
  }
}

extension [Int] {
  /// The first index from which on a condition holds; the count where it never does.
  fileprivate func firstIndex(_ holds: (_ index: Int, _ element: Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = low + (high - low) / 2
      if holds(middle, self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  fileprivate func firstIndex(_ holds: (Int) -> Bool) -> Int { firstIndex { holds($1) } }

  /// Whether an ascending array holds a number. O(log count).
  func hasSorted(_ number: Int) -> Bool {
    let index = firstIndex { $0 >= number }
    return index < count && self[index] == number
  }
}
