/// The least and the greatest value of a block, each as the word that its header keeps.
///
///     integers          the number itself
///     doubles, floats   the bits of a double; both are NaN where any value is
///     dates             the seconds
///     bytes             the first eight bytes, as a big-endian number, zeros where there are fewer;
///                       0 and the highest where any value has a record of its own
///
/// Nil values have no part in it; without any other, the least is above the greatest.
struct BlockZone {
  private(set) var least = 1
  private(set) var greatest = 0

  /// The zone of what a draft holds. Looks at every value once.
  init(_ draft: BlockDraft) {
    switch draft.kind {
    case .integers, .dates: takeIntegers(draft)
    case .doubles: takeNumbers(draft) { Double(bitPattern: UInt64(UInt(bitPattern: $0))) }
    case .floats: takeNumbers(draft) { Double(Float(bitPattern: UInt32(truncatingIfNeeded: $0))) }
    case .bytes: takeBytes(draft)
    }
  }

  private mutating func takeIntegers(_ draft: BlockDraft) {
    let words = draft.words
    var (low, high) = (Int.max, Int.min)
    if words.hasNils {
      for row in 0..<draft.count where !words.isNull(row) {
        low = min(low, words.values[row])
        high = max(high, words.values[row])
      }
    } else {
      for row in 0..<draft.count {
        low = min(low, words.values[row])
        high = max(high, words.values[row])
      }
    }
    if low <= high { (least, greatest) = (low, high) }
  }

  private mutating func takeNumbers(_ draft: BlockDraft, _ number: (Int) -> Double) {
    let words = draft.words
    var (low, high) = (Double.infinity, -Double.infinity)
    var isEmpty = true
    for row in 0..<draft.count where !words.isNull(row) {
      let value = number(words.values[row])
      isEmpty = false
      // What is no number leaves nothing to be said of the others.
      guard !value.isNaN else {
        (low, high) = (.nan, .nan)
        break
      }
      low = value < low ? value : low
      high = value > high ? value : high
    }
    if isEmpty { (low, high) = (1, 0) }
    least = Int(bitPattern: UInt(low.bitPattern))
    greatest = Int(bitPattern: UInt(high.bitPattern))
  }

  private mutating func takeBytes(_ draft: BlockDraft) {
    var (low, high) = (UInt64.max, UInt64.min)
    var isEmpty = true
    for row in 0..<draft.count where !draft.isNull(row) {
      isEmpty = false
      if draft.isLarge(row) {
        (low, high) = (.min, .max)
        break
      }
      let rank = Self.rank(draft.bytes(row))
      low = min(low, rank)
      high = max(high, rank)
    }
    if isEmpty { (low, high) = (1, 0) }
    (least, greatest) = (Int(bitPattern: UInt(low)), Int(bitPattern: UInt(high)))
  }

  /// The first eight bytes as a number, `filler` in the place of those that are missing.
  @inline(__always)
  static func rank(_ bytes: UnsafeRawBufferPointer, filler: UInt8 = 0) -> UInt64 {
    if bytes.count >= 8 { return UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)) }
    var rank: UInt64 = 0
    for byte in bytes { rank = rank << 8 | UInt64(byte) }
    for _ in bytes.count..<8 { rank = rank << 8 | UInt64(filler) }
    return rank
  }

  static func rank(_ bytes: [UInt8], filler: UInt8 = 0) -> UInt64 {
    bytes.withUnsafeBytes { rank($0, filler: filler) }
  }
}

extension FlatBlock {
  /// The zone's words as the header has them: see `BlockZone`.
  @inline(__always) var leastWord: Int { base.loadUnaligned(fromByteOffset: 8, as: Int.self) }
  @inline(__always) var greatestWord: Int { base.loadUnaligned(fromByteOffset: 16, as: Int.self) }

  /// What a test says of every value that is not nil, as far as the zone can tell: true where all
  /// are inside, false where none is, nil where the values must be looked at.
  func verdict(_ test: ColumnTest) -> Bool? {
    switch test {
    case .isNull, .bytes, .numbers: return nil
    case .integers(let lower, let upper, _, _):
      let (least, greatest) = (leastWord, greatestWord)
      if lower > upper || greatest < lower || least > upper || least > greatest { return false }
      return least >= lower && greatest <= upper ? true : nil
    case .integerSet(let set, _, _):
      let (least, greatest) = (leastWord, greatestWord)
      guard set.count <= 8 else { return nil }
      return set.allSatisfy { $0 < least || $0 > greatest } ? false : nil
    case .doubles(let lower, let upper, let openLower, let openUpper, _, _):
      let least = Double(bitPattern: UInt64(UInt(bitPattern: leastWord)))
      let greatest = Double(bitPattern: UInt64(UInt(bitPattern: greatestWord)))
      if greatest < lower || least > upper || least > greatest { return false }
      if openLower && greatest == lower || openUpper && least == upper { return false }
      let isInside =
        (openLower ? least > lower : least >= lower)
        && (openUpper ? greatest < upper : greatest <= upper)
      return isInside ? true : nil
    case .dates(let lower, let upper, _, _):
      let (least, greatest) = (leastWord, greatestWord)
      if greatest < lower.0 || least > upper.0 || least > greatest { return false }
      return least > lower.0 && greatest < upper.0 ? true : nil
    case .bytesEqual(let bytes, _, _):
      let rank = BlockZone.rank(bytes)
      return isOutside(rank, rank) ? false : nil
    case .bytesPrefix(let prefix):
      let low = BlockZone.rank(prefix)
      let high = BlockZone.rank(prefix, filler: .max)
      if isOutside(low, high) { return false }
      // A zero at the end of the prefix looks like the end of a value.
      guard prefix.count <= 8, prefix.last != 0 else { return nil }
      return rankWords.least >= low && rankWords.greatest <= high ? true : nil
    case .bytesRange(let lower, let upper, _, _):
      let low = lower.map { BlockZone.rank($0) } ?? .min
      let high = upper.map { BlockZone.rank($0) } ?? .max
      if isOutside(low, high) { return false }
      let isAbove = lower == nil || rankWords.least > low
      return isAbove && (upper == nil || rankWords.greatest < high) ? true : nil
    case .bytesSet(let sorted, _):
      guard let first = sorted.first, let last = sorted.last else { return false }
      return isOutside(BlockZone.rank(first), BlockZone.rank(last)) ? false : nil
    }
  }

  private var rankWords: (least: UInt64, greatest: UInt64) {
    (UInt64(UInt(bitPattern: leastWord)), UInt64(UInt(bitPattern: greatestWord)))
  }

  private func isOutside(_ low: UInt64, _ high: UInt64) -> Bool {
    let (least, greatest) = rankWords
    return greatest < low || least > high || least > greatest
  }
}
