extension Range<Int> {
  /// Returns the first index that does not satisfy `isBefore`; all before it do.
  func partition<Failure: Error>(
    _ isBefore: (Int) throws(Failure) -> Bool
  ) throws(Failure) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = (low + high) / 2
      if try isBefore(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
