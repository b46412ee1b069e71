package import HeraldModel

/// The 64-bit ranks of a block's values, or of what follows those.
package struct BlockRanks: Sendable {
  /// The rows that are nil, whose ranks are undefined.
  package let nulls: BlockMask
  /// Whether equal ranks, after equal earlier ones, mean equal values.
  package let isExact: Bool

  package init(nulls: BlockMask, isExact: Bool) {
    self.nulls = nulls
    self.isExact = isExact
  }
}
