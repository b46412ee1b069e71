extension ListDelta {
  /// The invariants of the change that do not hold. O(pieces log pieces).
  package var violations: [String] {
    var found = table.violations
    var last = 0
    for range in oldRanges {
      if range.lowerBound < last { found.append("old element \(range.lowerBound) is kept twice") }
      last = max(last, range.upperBound)
    }
    if last > oldCount { found.append("old element \(last - 1) of \(oldCount)") }
    let kept = oldRanges
    for index in replaced.keys where !kept.containsSorted(index) {
      found.append("old element \(index) is replaced and removed")
    }
    for element in taken {
      if kept.containsSorted(element.oldIndex) || element.oldIndex >= oldCount {
        found.append("old element \(element.oldIndex) is removed and kept, or never existed")
      }
    }
    if Set(taken.map(\.oldIndex)).count < taken.count {
      found.append("an old element is removed twice")
    }
    for piece in pieces where piece.source == .fresh && piece.isMoved {
      found.append("a fresh piece is marked as moved")
    }
    return found
  }
}
