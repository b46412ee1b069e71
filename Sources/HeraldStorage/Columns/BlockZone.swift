import HeraldModel

/// The smallest and the largest value of a block, each as the word stored in its header.
///
///     integers          the number itself
///     doubles, floats   the bits of a double; both are NaN if any value is
///     dates             the seconds
///     bytes             the first eight bytes, as a big-endian number, padded with zeros;
///                       0 and the largest if any value has a record of its own
///
/// Nil values are ignored; if all are nil, the smallest is above the largest.
package struct BlockZone {
  private(set) var smallest = 1
  private(set) var largest = 0

  /// The zone of a draft's values. Reads every value once.
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
    if low <= high { (smallest, largest) = (low, high) }
  }

  private mutating func takeNumbers(_ draft: BlockDraft, _ number: (Int) -> Double) {
    let words = draft.words
    var (low, high) = (Double.infinity, -Double.infinity)
    var isEmpty = true
    for row in 0..<draft.count where !words.isNull(row) {
      let value = number(words.values[row])
      isEmpty = false
      // A NaN makes the zone useless for the other values too.
      guard !value.isNaN else {
        (low, high) = (.nan, .nan)
        break
      }
      low = value < low ? value : low
      high = value > high ? value : high
    }
    if isEmpty { (low, high) = (1, 0) }
    smallest = Int(bitPattern: UInt(low.bitPattern))
    largest = Int(bitPattern: UInt(high.bitPattern))
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
    (smallest, largest) = (Int(bitPattern: UInt(low)), Int(bitPattern: UInt(high)))
  }

  /// The first eight bytes as a number, padded with `filler`.
  @inline(__always)
  package static func rank(_ bytes: UnsafeRawBufferPointer, filler: UInt8 = 0) -> UInt64 {
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
  /// The zone's words in the header: see `BlockZone`.
  @inline(__always) package var smallestWord: Int {
    base.loadUnaligned(fromByteOffset: 8, as: Int.self)
  }
  @inline(__always) package var largestWord: Int {
    base.loadUnaligned(fromByteOffset: 16, as: Int.self)
  }

  /// Returns the result of a test for all values that are not nil, as far as the zone decides it:
  /// true if all match, false if none does, nil if the values must be read.
  func verdict(_ test: ColumnTest) -> Bool? {
    switch test {
    case .isNull, .bytes, .numbers: return nil
    case .integers(let lower, let upper, _, _):
      let (smallest, largest) = (smallestWord, largestWord)
      if lower > upper || largest < lower || smallest > upper || smallest > largest { return false }
      return smallest >= lower && largest <= upper ? true : nil
    case .integerSet(let set, _, _):
      let (smallest, largest) = (smallestWord, largestWord)
      guard set.count <= 8 else { return nil }
      return set.allSatisfy { $0 < smallest || $0 > largest } ? false : nil
    case .doubles(let lower, let upper, let openLower, let openUpper, _, _):
      let smallest = Double(bitPattern: UInt64(UInt(bitPattern: smallestWord)))
      let largest = Double(bitPattern: UInt64(UInt(bitPattern: largestWord)))
      if largest < lower || smallest > upper || smallest > largest { return false }
      if openLower && largest == lower || openUpper && smallest == upper { return false }
      let isInside =
        (openLower ? smallest > lower : smallest >= lower)
        && (openUpper ? largest < upper : largest <= upper)
      return isInside ? true : nil
    case .dates(let lower, let upper, _, _):
      let (smallest, largest) = (smallestWord, largestWord)
      if largest < lower.seconds || smallest > upper.seconds || smallest > largest { return false }
      return smallest > lower.seconds && largest < upper.seconds ? true : nil
    case .bytesEqual(let bytes, _, _):
      let rank = BlockZone.rank(bytes)
      return isOutside(rank, rank) ? false : nil
    case .bytesPrefix(let prefix):
      let low = BlockZone.rank(prefix)
      let high = BlockZone.rank(prefix, filler: .max)
      if isOutside(low, high) { return false }
      // A zero at the end of the prefix is indistinguishable from padding.
      guard prefix.count <= 8, prefix.last != 0 else { return nil }
      return rankWords.smallest >= low && rankWords.largest <= high ? true : nil
    case .bytesRange(let lower, let upper, _, _):
      let low = lower.map { BlockZone.rank($0) } ?? .min
      let high = upper.map { BlockZone.rank($0) } ?? .max
      if isOutside(low, high) { return false }
      let isAbove = lower == nil || rankWords.smallest > low
      return isAbove && (upper == nil || rankWords.largest < high) ? true : nil
    case .bytesSet(let sorted, _):
      guard let first = sorted.first, let last = sorted.last else { return false }
      return isOutside(BlockZone.rank(first), BlockZone.rank(last)) ? false : nil
    }
  }

  private var rankWords: (smallest: UInt64, largest: UInt64) {
    (UInt64(UInt(bitPattern: smallestWord)), UInt64(UInt(bitPattern: largestWord)))
  }

  private func isOutside(_ low: UInt64, _ high: UInt64) -> Bool {
    let (smallest, largest) = rankWords
    return largest < low || smallest > high || smallest > largest
  }
}

// The zone of a block in which one value is replaced. It is as narrow as that of the whole block encoded anew: the
// other values are read only if the replaced one was the smallest or the largest.

extension FlatBlock {
  /// Returns the zone's words with one value replaced; nil if they cannot be known here, as with a NaN.
  func zone(
    replacing row: Int, by change: BlockPatch.Change
  ) -> (smallest: Int, largest: Int)? {
    switch change {
    case .word(let word) where kind == .integers:
      let old = isNull(row) ? nil : integer(row)
      return Self.zone(of: (smallestWord, largestWord), replacing: old, by: word) {
        integers(except: row)
      }
    case .word(let word): return zone(replacing: row, byNumber: word)
    case .date(let date):
      let old = isNull(row) ? nil : integer(row)
      return Self.zone(of: (smallestWord, largestWord), replacing: old, by: date.seconds) {
        integers(except: row)
      }
    case .bytes(let bytes):
      // The value with a record of its own makes the zone useless for the others.
      if flags & Self.hasLarge != 0 { return (smallestWord, largestWord) }
      let rows = byteRows
      let old = isNull(row) ? nil : BlockZone.rank(rows[row])
      let bounds = (UInt64(UInt(bitPattern: smallestWord)), UInt64(UInt(bitPattern: largestWord)))
      return Self.zone(of: bounds, replacing: old, by: BlockZone.rank(bytes)) {
        extremes(except: row) { BlockZone.rank(rows[$0]) }
      }.map { (Int(bitPattern: UInt($0.smallest)), Int(bitPattern: UInt($0.largest))) }
    }
  }

  private func zone(
    replacing row: Int, byNumber word: Int
  ) -> (smallest: Int, largest: Int)? {
    let isDouble = kind == .doubles
    let new =
      isDouble
      ? Double(bitPattern: UInt64(UInt(bitPattern: word)))
      : Double(Float(bitPattern: UInt32(truncatingIfNeeded: word)))
    let bounds = (
      Double(bitPattern: UInt64(UInt(bitPattern: smallestWord))),
      Double(bitPattern: UInt64(UInt(bitPattern: largestWord)))
    )
    let old = isNull(row) ? nil : isDouble ? double(row) : Double(float(row))
    // Every comparison with NaN is false, so a zone of NaNs always returns nil here.
    guard !new.isNaN,
      let zone = Self.zone(
        of: bounds, replacing: old, by: new,
        others: {
          isDouble
            ? extremes(except: row) { double($0) } : extremes(except: row) { Double(float($0)) }
        })
    else { return nil }
    return (
      Int(bitPattern: UInt(zone.smallest.bitPattern)),
      Int(bitPattern: UInt(zone.largest.bitPattern))
    )
  }

  /// Extends the bounds by the new value. If the replaced value was one of them, `others` finds those of the other
  /// values, nil if there are none.
  @inline(__always)
  private static func zone<Number: Comparable>(
    of bounds: (smallest: Number, largest: Number), replacing old: Number?, by new: Number,
    others: () -> (smallest: Number, largest: Number)?
  ) -> (smallest: Number, largest: Number)? {
    guard bounds.smallest <= bounds.largest else { return nil }
    if let old, old == new { return bounds }
    var bounds = bounds
    if let old {
      let staysBound =
        (old > bounds.smallest || new <= bounds.smallest)
        && (old < bounds.largest || new >= bounds.largest)
      // Another value may equal the one that is replaced.
      if !staysBound {
        guard let others = others() else { return (new, new) }
        bounds = others
      }
    }
    return (min(bounds.smallest, new), max(bounds.largest, new))
  }

  /// Returns the smallest and the largest integer, or seconds of a date, of the rows but one; nil without any.
  private func integers(except row: Int) -> (smallest: Int, largest: Int)? {
    guard flags & Self.hasNils == 0 else { return extremes(except: row) { integer($0) } }
    switch width {
    case 1: return extremes(except: row, as: Int8.self)
    case 2: return extremes(except: row, as: Int16.self)
    case 4: return extremes(except: row, as: Int32.self)
    case 8: return extremes(except: row, as: Int64.self)
    default: return count > 1 ? (0, 0) : nil
    }
  }

  /// The same of a block without nils, in a loop that vectorises.
  @inline(__always)
  private func extremes<Stored: FixedWidthInteger & SignedInteger & BitwiseCopyable>(
    except row: Int, as: Stored.Type
  ) -> (smallest: Int, largest: Int)? {
    guard count > 1 else { return nil }
    let values = values
    var (low, high) = (Stored.max, Stored.min)
    for rows in [0..<row, row + 1..<count] {
      for row in rows {
        let value = values.loadUnaligned(
          fromByteOffset: row &* MemoryLayout<Stored>.size, as: Stored.self)
        low = min(low, value)
        high = max(high, value)
      }
    }
    return (Int(low), Int(high))
  }

  /// Returns the smallest and the largest value of the rows but one that are not nil; nil without any.
  @inline(__always)
  private func extremes<Number: Comparable>(
    except row: Int, _ value: (Int) -> Number
  ) -> (smallest: Number, largest: Number)? {
    var found: (smallest: Number, largest: Number)?
    var present = ~nils
    present[row >> 6] &= ~(1 << UInt64(row & 63))
    for index in 0..<4 {
      var left = present[index]
      while left != 0 {
        let value = value(index &* 64 &+ left.trailingZeroBitCount)
        found = found.map { (min($0.smallest, value), max($0.largest, value)) } ?? (value, value)
        left &= left &- 1
      }
    }
    return found
  }
}
