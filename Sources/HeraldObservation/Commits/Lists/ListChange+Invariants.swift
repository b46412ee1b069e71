extension ListChange {
  /// What is wrong with the change; empty where nothing is. O(pieces log pieces).
  package var violations: [String] {
    var found = table.violations
    var last = 0
    for range in oldRanges {
      if range.lowerBound < last { found.append("old element \(range.lowerBound) stands twice") }
      last = max(last, range.upperBound)
    }
    if last > oldCount { found.append("old element \(last - 1) of \(oldCount)") }
    let kept = oldRanges
    for index in replaced.keys where !kept.containsSorted(index) {
      found.append("old element \(index) is replaced and gone")
    }
    for element in taken {
      if kept.containsSorted(element.oldIndex) || element.oldIndex >= oldCount {
        found.append("old element \(element.oldIndex) is taken and stands there, or never did")
      }
    }
    if Set(taken.map(\.oldIndex)).count < taken.count {
      found.append("an old element is taken twice")
    }
    for piece in pieces where piece.source == .fresh && piece.isMoved {
      found.append("a fresh piece is marked as moved")
    }
    return found
  }
}
