import HeraldModel

/// A set of object numbers with rank and select: the rows of unsorted results, in order of creation.
///
/// Few members are a sorted array, 4 bytes each; many are a bitset of all numbers up to the largest. The position of a
/// number and the number at a position cost O(log n); so do insertion and removal, apart from moving at most
/// `sparseLimit` members of an array.
struct MemberSet: Sendable, Equatable {
  /// The members, ascending, while they are few; then `words` is empty.
  private(set) var few: [UInt32] = []
  /// Bit n % 64 of word n / 64 is set where n is a member; whole blocks only.
  private(set) var words: [UInt64] = []
  /// The number of members in each block of 256.
  private(set) var tree = CountTree()
  private(set) var count = 0

  private static let blockWords = blockSize / 64
  /// The largest number of members of an array.
  static let sparseLimit = 4_096

  init() {}

  /// Creates a set of few numbers, ascending.
  init(few numbers: [UInt32]) {
    few = numbers
    count = numbers.count
  }

  /// Creates a set from its blocks: mask b holds the numbers from 256 b on. O(blocks).
  init(_ masks: [BlockMask]) {
    // A closure: the key path to another module's property would be evaluated for each block.
    let counts = masks.map { $0.bitCount }
    count = counts.reduce(0, +)
    if Self.isFew(count, below: masks.count * blockSize) {
      few.reserveCapacity(count)
      for (block, mask) in masks.enumerated() where !mask.isEmpty {
        for word in 0..<Self.blockWords {
          Self.forEachBit(of: mask[word], of: block * Self.blockWords + word) {
            few.append(UInt32($0))
          }
        }
      }
      return
    }
    words.reserveCapacity(masks.count * Self.blockWords)
    for mask in masks {
      for word in 0..<Self.blockWords { words.append(mask[word]) }
    }
    tree = CountTree(counts)
  }

  /// Whether this many members below a number are an array: a handful, or where it takes at most half the memory of a
  /// bitset.
  private static func isFew(_ count: Int, below bound: Int) -> Bool {
    count <= min(sparseLimit, max(16, bound / blockSize * 4))
  }

  /// Whether the members are an array.
  var isSparse: Bool { words.isEmpty }

  func contains(_ number: ObjectNumber) -> Bool {
    if isSparse { return fewIndex(of: number) != nil }
    let word = number >> 6
    return word < words.count && words[word] & (1 << UInt64(number & 63)) != 0
  }

  /// Inserts a number and returns whether it was absent.
  @discardableResult
  mutating func insert(_ number: ObjectNumber) -> Bool {
    if isSparse {
      let index = rank(of: number)
      if index < few.count, few[index] == UInt32(number) { return false }
      few.insert(UInt32(number), at: index)
      count += 1
      if !Self.isFew(count, below: Int(few[count - 1]) + blockSize) { spread() }
      return true
    }
    guard !contains(number) else { return false }
    set(number)
    count += 1
    return true
  }

  /// Removes a number and returns whether it was present.
  @discardableResult
  mutating func remove(_ number: ObjectNumber) -> Bool {
    if isSparse {
      guard let index = fewIndex(of: number) else { return false }
      few.remove(at: index)
      count -= 1
      return true
    }
    guard contains(number) else { return false }
    words[number >> 6] &= ~(1 << UInt64(number & 63))
    tree.add(-1, at: number / blockSize)
    count -= 1
    // A quarter of the members of an array, so that a set at the limit does not change back and forth.
    if Self.isFew(count * 4, below: words.count * 64) { gather() }
    return true
  }

  /// Returns the number of members below `number`, which is its position if it is a member.
  func position(of number: ObjectNumber) -> Int {
    if isSparse { return rank(of: number) }
    let word = min(number >> 6, words.count)
    let block = word / Self.blockWords
    var position = tree.sum(before: block)
    for lower in block * Self.blockWords..<word { position += words[lower].nonzeroBitCount }
    if word < words.count {
      position += (words[word] & ((1 << UInt64(number & 63)) - 1)).nonzeroBitCount
    }
    return position
  }

  /// Returns the position of a number; nil where it is no member.
  func positionIfMember(_ number: ObjectNumber) -> Int? {
    if isSparse { return fewIndex(of: number) }
    return contains(number) ? position(of: number) : nil
  }

  /// Returns the member at a position, which must be below `count`.
  func number(at position: Int) -> ObjectNumber {
    precondition(position >= 0 && position < count, "a row beyond the end")
    if isSparse { return Int(few[position]) }
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
    for number in few { body(Int(number)) }
    for (index, word) in words.enumerated() { Self.forEachBit(of: word, of: index, body) }
  }

  private static func forEachBit(of word: UInt64, of index: Int, _ body: (ObjectNumber) -> Void) {
    var rest = word
    while rest != 0 {
      body(index << 6 | rest.trailingZeroBitCount)
      rest &= rest - 1
    }
  }

  /// Whether both have the same members, in the same form. O(blocks).
  static func == (a: MemberSet, b: MemberSet) -> Bool {
    a.count == b.count && a.few == b.few && a.words == b.words
  }

  /// A number that equal bitsets have in common; nil for an array. O(blocks).
  var fingerprint: Int? {
    if isSparse { return nil }
    var hash = UInt64(count)
    for word in words { hash = (hash ^ word) &* 0x9e37_79b9_7f4a_7c15 ^ hash >> 29 }
    return Int(truncatingIfNeeded: hash)
  }

  // MARK: Both forms

  /// Returns the number of members of an array that are below a number.
  private func rank(of number: ObjectNumber) -> Int {
    few.partitionPoint { Int($0) < number }
  }

  /// Returns the index of a member of an array.
  private func fewIndex(of number: ObjectNumber) -> Int? {
    let index = rank(of: number)
    return index < few.count && Int(few[index]) == number ? index : nil
  }

  /// Sets a bit that is not set.
  private mutating func set(_ number: ObjectNumber) {
    while words.count <= number >> 6 {
      words.append(contentsOf: repeatElement(0, count: Self.blockWords))
      tree.append(0)
    }
    words[number >> 6] |= 1 << UInt64(number & 63)
    tree.add(1, at: number / blockSize)
  }

  /// Makes a bitset of an array. O(largest number).
  private mutating func spread() {
    let members = few
    few = []
    if let last = members.last {
      words.reserveCapacity((Int(last) / blockSize + 1) * Self.blockWords)
    }
    for number in members { set(Int(number)) }
  }

  /// Makes an array of a bitset. O(largest number).
  private mutating func gather() {
    var members: [UInt32] = []
    members.reserveCapacity(count)
    forEachMember { members.append(UInt32($0)) }
    few = members
    words = []
    tree = CountTree()
  }
}
