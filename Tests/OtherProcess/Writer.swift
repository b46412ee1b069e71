/// A writer of commits that are numbered from 1, in a store that contains their number.
protocol Writer {
  /// Makes the next commit and returns its number.
  func commit() throws -> Int
}
