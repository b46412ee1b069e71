/// A set of small integers with a fast search for the next member: the tokens with a pending delivery, in order of
/// registration. Its second level has the words of the first that are not zero.
package struct TwoLevelBitset {
  private var words: [UInt64] = []
  /// Bit n is set where word n is not zero.
  private var summary: [UInt64] = []
  private(set) var count = 0

  package init() {}

  var isEmpty: Bool { count == 0 }

  func contains(_ value: Int) -> Bool {
    let word = value >> 6
    return word < words.count && words[word] & (1 << UInt64(value & 63)) != 0
  }

  package mutating func insert(_ value: Int) {
    let (word, bit) = (value >> 6, UInt64(1) << UInt64(value & 63))
    while words.count <= word { words.append(0) }
    if words[word] & bit != 0 { return }
    while summary.count <= word >> 6 { summary.append(0) }
    words[word] |= bit
    summary[word >> 6] |= 1 << UInt64(word & 63)
    count += 1
  }

  package mutating func remove(_ value: Int) {
    let (word, bit) = (value >> 6, UInt64(1) << UInt64(value & 63))
    guard word < words.count, words[word] & bit != 0 else { return }
    words[word] &= ~bit
    if words[word] == 0 { summary[word >> 6] &= ~(1 << UInt64(word & 63)) }
    count -= 1
  }

  /// Returns the smallest member that is at least `value`. O(1) for a member nearby, else O(n / 4,096).
  package func first(from value: Int) -> Int? {
    guard count > 0 else { return nil }
    let word = value >> 6
    if word < words.count {
      let rest = words[word] & (UInt64.max << UInt64(value & 63))
      if rest != 0 { return word << 6 | rest.trailingZeroBitCount }
    }
    guard let next = Self.firstBit(in: summary, from: word + 1) else { return nil }
    return next << 6 | words[next].trailingZeroBitCount
  }

  private static func firstBit(in words: [UInt64], from bit: Int) -> Int? {
    var word = bit >> 6
    guard word < words.count else { return nil }
    var rest = words[word] & (UInt64.max << UInt64(bit & 63))
    while rest == 0 {
      word += 1
      guard word < words.count else { return nil }
      rest = words[word]
    }
    return word << 6 | rest.trailingZeroBitCount
  }
}
