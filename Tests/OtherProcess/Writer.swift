/// Makes commits that are numbered from 1, in a store that says how many it holds.
protocol Writer {
  /// Makes the next commit and answers its number.
  func commit() throws -> Int
}
