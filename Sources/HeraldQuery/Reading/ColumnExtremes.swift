/// The smallest and the largest value in a block, ignoring nil.
package enum ColumnExtremes: Sendable, Equatable {
  case integers(Int, Int)
  case doubles(Double, Double)
  /// Every value is nil.
  case none
}
