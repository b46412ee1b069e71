import HeraldModel

/// The set bits of a mask, ascending.
struct BlockBits: Sequence, IteratorProtocol {
  private let mask: BlockMask
  private var word = 0
  private var rest: UInt64

  init(_ mask: BlockMask) {
    self.mask = mask
    rest = mask[0]
  }

  mutating func next() -> Int? {
    while rest == 0 {
      guard word < 3 else { return nil }
      word += 1
      rest = mask[word]
    }
    defer { rest &= rest - 1 }
    return word << 6 | rest.trailingZeroBitCount
  }
}
