import HeraldModel

/// A bitset of object numbers with rank and select: the rows of unsorted results, in order of creation.
/// The position of a number, the number at a position, insertion and removal each cost O(log n).
struct MemberSet: Sendable {
  /// Bit n % 64 of word n / 64 is set where n is a member; whole blocks only.
  private(set) var words: [UInt64] = []
  /// The number of members in each block of 256.
  private(set) var tree = CountTree()
  private(set) var count = 0

  private static let blockWords = blockSize / 64

  init() {}

  /// Creates a set from its blocks: mask b holds the numbers from 256 b on. O(blocks).
  init(_ masks: [BlockMask]) {
    words.reserveCapacity(masks.count * Self.blockWords)
    for mask in masks {
      for word in 0..<Self.blockWords { words.append(mask[word]) }
    }
    // A closure: the key path to another module's property would be evaluated for each block.
    let counts = masks.map { $0.bitCount }
    tree = CountTree(counts)
    count = counts.reduce(0, +)
  }

  func contains(_ number: ObjectNumber) -> Bool {
    let word = number >> 6
    return word < words.count && words[word] & (1 << UInt64(number & 63)) != 0
  }

  /// Inserts a number and returns whether it was absent.
  @discardableResult
  mutating func insert(_ number: ObjectNumber) -> Bool {
    guard !contains(number) else { return false }
    while words.count <= number >> 6 {
      words.append(contentsOf: repeatElement(0, count: Self.blockWords))
      tree.append(0)
    }
    words[number >> 6] |= 1 << UInt64(number & 63)
    tree.add(1, at: number / blockSize)
    count += 1
    return true
  }

  /// Removes a number and returns whether it was present.
  @discardableResult
  mutating func remove(_ number: ObjectNumber) -> Bool {
    guard contains(number) else { return false }
    words[number >> 6] &= ~(1 << UInt64(number & 63))
    tree.add(-1, at: number / blockSize)
    count -= 1
    return true
  }

  /// Returns the number of members below `number`, which is its position if it is a member.
  func position(of number: ObjectNumber) -> Int {
    let word = min(number >> 6, words.count)
    let block = word / Self.blockWords
    var position = tree.sum(before: block)
    for lower in block * Self.blockWords..<word { position += words[lower].nonzeroBitCount }
    if word < words.count {
      position += (words[word] & ((1 << UInt64(number & 63)) - 1)).nonzeroBitCount
    }
    return position
  }

  /// Returns the member at a position, which must be below `count`.
  func number(at position: Int) -> ObjectNumber {
    precondition(position >= 0 && position < count, "a row beyond the end")
    var (block, rest) = tree.find(position)
    block *= Self.blockWords
    while rest >= words[block].nonzeroBitCount {
      rest -= words[block].nonzeroBitCount
      block += 1
    }
    var word = words[block]
    for _ in 0..<rest { word &= word - 1 }
    return block << 6 | word.trailingZeroBitCount
  }

  /// Calls `body` with every member, ascending. O(blocks + members).
  func forEachMember(_ body: (ObjectNumber) -> Void) {
    for (index, word) in words.enumerated() {
      var rest = word
      while rest != 0 {
        body(index << 6 | rest.trailingZeroBitCount)
        rest &= rest - 1
      }
    }
  }
}
