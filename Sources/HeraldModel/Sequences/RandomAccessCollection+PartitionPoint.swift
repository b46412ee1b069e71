extension RandomAccessCollection {
  /// Returns the first index whose element does not satisfy `isBefore`, which must hold for a prefix only; the end if
  /// it holds for all. Calls it O(log n) times.
  @inlinable
  package func partitionPoint<Failure: Error>(
    _ isBefore: (Element) throws(Failure) -> Bool
  ) throws(Failure) -> Index {
    var start = startIndex
    var rest = count
    while rest > 0 {
      let half = rest / 2
      let middle = index(start, offsetBy: half)
      if try isBefore(self[middle]) {
        start = index(after: middle)
        rest -= half + 1
      } else {
        rest = half
      }
    }
    return start
  }
}

extension RandomAccessCollection where Element: Comparable {
  /// Returns whether a sorted collection has an element. O(log n).
  @inlinable
  package func containsSorted(_ element: Element) -> Bool {
    let index = partitionPoint { $0 < element }
    return index < endIndex && self[index] == element
  }
}
