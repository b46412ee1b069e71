/// A set of objects in a block of 256: bit `n % 256` of block `n / 256` stands for object `n`.
package typealias BlockMask = SIMD4<UInt64>

/// The number of objects in a block.
package let blockSize = 256

extension SIMD4 where Scalar == UInt64 {
  /// All 256 bits set.
  package static var everything: BlockMask { BlockMask(repeating: .max) }

  package var isEmpty: Bool { self == .zero }

  package var bitCount: Int {
    self[0].nonzeroBitCount + self[1].nonzeroBitCount + self[2].nonzeroBitCount
      + self[3].nonzeroBitCount
  }

  package func contains(_ bit: Int) -> Bool { self[bit >> 6] & (1 << UInt64(bit & 63)) != 0 }

  package mutating func insert(_ bit: Int) { self[bit >> 6] |= 1 << UInt64(bit & 63) }

  package mutating func remove(_ bit: Int) { self[bit >> 6] &= ~(1 << UInt64(bit & 63)) }
}
