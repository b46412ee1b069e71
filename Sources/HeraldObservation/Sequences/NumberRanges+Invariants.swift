extension NumberRanges {
  /// What is wrong with the set; empty where nothing is. O(ranges).
  package var violations: [String] {
    var found: [String] = []
    for (range, next) in zip(ranges, ranges.dropFirst())
    where range.upperBound + 1 >= next.lowerBound {
      found.append("\(range) and \(next) are not apart")
    }
    return found
  }
}
