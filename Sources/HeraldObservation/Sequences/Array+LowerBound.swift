extension Array {
  /// Returns the first index whose element does not satisfy `isBelow`, which must hold for a prefix only.
  func lowerBound(_ isBelow: (Element) -> Bool) -> Int {
    indices.partition { isBelow(self[$0]) }
  }

  /// The same by an exponential search from `guess`. O(log distance).
  func lowerBound(near guess: Int, _ isBelow: (Element) -> Bool) -> Int {
    var open = 0..<count
    var step = 4
    var probe = Swift.min(Swift.max(guess, 0), count - 1)
    while open.contains(probe) {
      let isUpward = isBelow(self[probe])
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
    return open.partition { isBelow(self[$0]) }
  }
}

extension Range<Int> {
  /// Returns the first index that does not satisfy `isBelow`, which must hold for a prefix only.
  func partition(_ isBelow: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = (low + high) / 2
      if isBelow(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
