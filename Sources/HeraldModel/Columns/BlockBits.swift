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
