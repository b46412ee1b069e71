import HeraldModel

extension RandomAccessCollection where Index == Int, Indices == Range<Int> {
  /// Returns what `partitionPoint` does, by an exponential search from `guess`, for a collection that begins at index 0.
  /// O(log distance).
  func partitionPoint(near guess: Int, _ isBefore: (Element) -> Bool) -> Int {
    var open = 0..<count
    var step = 4
    var probe = Swift.min(Swift.max(guess, 0), count - 1)
    while open.contains(probe) {
      let isUpward = isBefore(self[probe])
      if isUpward {
        open = probe + 1..<open.upperBound
        if open.upperBound < count { break }
        probe += step
      } else {
        open = open.lowerBound..<probe
        if open.lowerBound > 0 { break }
        probe -= step
      }
      step *= 2
    }
    return open.partitionPoint { isBefore(self[$0]) }
  }
}
