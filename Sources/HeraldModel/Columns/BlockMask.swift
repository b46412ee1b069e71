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

/// The set bits of a mask, ascending.
///
///     for bit in BlockBits(mask) { numbers.append(block * blockSize + bit) }
@frozen
package struct BlockBits: Sequence, IteratorProtocol {
  @usableFromInline let mask: SIMD4<UInt64>
  @usableFromInline var word = 0
  @usableFromInline var rest: UInt64

  @inlinable
  package init(_ mask: SIMD4<UInt64>) {
    self.mask = mask
    rest = mask[0]
  }

  @inlinable
  package mutating func next() -> Int? {
    while rest == 0 {
      guard word < 3 else { return nil }
      word += 1
      rest = mask[word]
    }
    defer { rest &= rest - 1 }
    return word << 6 | rest.trailingZeroBitCount
  }
}
