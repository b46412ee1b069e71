import HeraldModel
import HeraldQuery

/// Object numbers in ascending order, as the bits of their blocks: less than a byte for each where they are
/// dense.
struct RowMasks {
  private struct Block {
    let index: Int
    /// The number of rows in the blocks before.
    let start: Int
    let rows: BlockMask
  }

  private var blocks: [Block] = []
  private(set) var count = 0

  /// Appends a later block, which has rows.
  mutating func append(_ block: Int, _ rows: BlockMask) {
    blocks.append(Block(index: block, start: count, rows: rows))
    count += rows.bitCount
  }

  /// The row at an index. O(log blocks).
  subscript(index: Int) -> ObjectNumber {
    let block = blocks[blocks.partitionPoint { $0.start <= index } - 1]
    return block.index * blockSize + block.rows.bit(index - block.start)
  }

  /// The index of a row; nil if it is none. O(log blocks).
  func index(of number: ObjectNumber) -> Int? {
    let block = number / blockSize
    let slot = blocks.partitionPoint { $0.index < block }
    guard slot < blocks.count, blocks[slot].index == block,
      blocks[slot].rows.contains(number % blockSize)
    else { return nil }
    return blocks[slot].start + blocks[slot].rows.bitCount(before: number % blockSize)
  }

  var numbers: [ObjectNumber] {
    var numbers: [ObjectNumber] = []
    numbers.reserveCapacity(count)
    for block in blocks {
      for bit in BlockBits(block.rows) { numbers.append(block.index * blockSize + bit) }
    }
    return numbers
  }

  /// The rows, one after the other.
  struct Iterator {
    private let blocks: [Block]
    private var block = -1
    private var word = 3
    /// The bits of the word that are still to come, and the number that its first bit stands for.
    private var rest: UInt64 = 0
    private var first = 0

    init(_ rows: RowMasks) { blocks = rows.blocks }

    mutating func next() -> ObjectNumber? {
      while rest == 0 {
        if word < 3 {
          word += 1
        } else {
          guard block + 1 < blocks.count else { return nil }
          block += 1
          word = 0
        }
        rest = blocks[block].rows[word]
        first = blocks[block].index * blockSize + (word << 6)
      }
      defer { rest &= rest &- 1 }
      return first + rest.trailingZeroBitCount
    }
  }
}

extension SIMD4 where Scalar == UInt64 {
  /// The set bit before which there are `count` others.
  fileprivate func bit(_ count: Int) -> Int {
    var rest = count
    for word in 0..<4 {
      let bits = self[word]
      let here = bits.nonzeroBitCount
      if rest >= here {
        rest -= here
        continue
      }
      var remaining = bits
      for _ in 0..<rest { remaining &= remaining &- 1 }
      return word << 6 | remaining.trailingZeroBitCount
    }
    return blockSize - 1
  }

  /// The number of set bits before one.
  fileprivate func bitCount(before bit: Int) -> Int {
    var total = 0
    for word in 0..<(bit >> 6) { total += self[word].nonzeroBitCount }
    let below = (1 as UInt64) << UInt64(bit & 63) &- 1
    return total + (self[bit >> 6] & below).nonzeroBitCount
  }
}
