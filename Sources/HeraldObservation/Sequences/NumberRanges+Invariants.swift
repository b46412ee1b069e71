extension NumberRanges {
  /// The invariants of the set that do not hold. O(ranges).
  package var violations: [String] {
    var found: [String] = []
    for (range, next) in zip(ranges, ranges.dropFirst())
    where range.upperBound + 1 >= next.lowerBound {
      found.append("\(range) and \(next) overlap or are adjacent")
    }
    return found
  }
}
