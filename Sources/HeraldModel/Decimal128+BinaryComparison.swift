extension Decimal128 {
  /// The order by value, as that of two decimals.
  public func compare(to other: Int) -> Int { compare(Decimal128(other)) }

  /// The order by value, to the last bit of the double: `0.1` comes before the double 0.1, which is
  /// a little more than a tenth. NaN comes first and is equal to NaN. A float is compared as the
  /// double that it is.
  public func compare(to other: Double) -> Int {
    if isNaN || other.isNaN { return isNaN ? other.isNaN ? 0 : -1 : 1 }
    // Rounding keeps the order, so that only numbers that round to the double itself need more.
    let nearest = Double(self)
    if nearest != other { return nearest < other ? -1 : 1 }
    if isInfinite { return 0 }
    guard other.isFinite, other != 0 else {
      // The number is beyond the doubles, or so small that it rounded to 0.
      return other == 0 ? compare(.zero) : other < 0 ? 1 : -1
    }
    let order = parts.compareMagnitude(BinaryParts(other))
    return isNegative ? -order : order
  }
}

/// The magnitude of a finite double: `significand * 2^exponent`, the significand odd unless it is
/// 0.
struct BinaryParts {
  let significand: UInt64
  let exponent: Int

  init(_ value: Double) {
    let isNormal = value.exponentBitPattern != 0
    let whole = value.significandBitPattern | (isNormal ? 1 << 52 : 0)
    let zeros = whole == 0 ? 0 : whole.trailingZeroBitCount
    significand = whole >> UInt64(zeros)
    exponent = whole == 0 ? 0 : Int(isNormal ? value.exponentBitPattern : 1) - 1075 + zeros
  }
}

extension DecimalParts {
  /// The order of the magnitudes, by whole numbers: both sides are multiplied by what makes their
  /// powers of 2 and 5 whole. The exponents must be near each other, as those of a decimal and the
  /// double nearest to it are: no number is then longer than 40 words.
  fileprivate func compareMagnitude(_ binary: BinaryParts) -> Int {
    var mine = LongNatural(coefficient)
    var theirs = LongNatural(UInt128(binary.significand))
    if exponent >= 0 {
      mine.multiply(byFiveTo: exponent)
    } else {
      theirs.multiply(byFiveTo: -exponent)
    }
    let twos = exponent - binary.exponent
    if twos >= 0 {
      mine.shiftLeft(by: twos)
    } else {
      theirs.shiftLeft(by: -twos)
    }
    return mine.compare(theirs)
  }
}

/// A natural number of any size; words from the least significant, the last one not 0.
private struct LongNatural {
  private var words: [UInt64]

  init(_ value: UInt128) {
    words = [UInt64(truncatingIfNeeded: value), UInt64(truncatingIfNeeded: value >> 64)]
    trim()
  }

  private mutating func trim() {
    while words.last == 0 { words.removeLast() }
  }

  mutating func multiply(byFiveTo power: Int) {
    var rest = power
    while rest > 0 {
      // 5^27 is the greatest in 64 bits.
      let step = min(rest, 27)
      var factor: UInt64 = 1
      for _ in 0..<step { factor *= 5 }
      multiply(by: factor)
      rest -= step
    }
  }

  private mutating func multiply(by factor: UInt64) {
    var carry: UInt64 = 0
    for index in words.indices {
      let product = words[index].multipliedFullWidth(by: factor)
      let (low, overflow) = product.low.addingReportingOverflow(carry)
      words[index] = low
      carry = product.high + (overflow ? 1 : 0)
    }
    if carry != 0 { words.append(carry) }
  }

  mutating func shiftLeft(by places: Int) {
    multiply(by: 1 << UInt64(places % 64))
    words.insert(contentsOf: repeatElement(0, count: places / 64), at: 0)
  }

  func compare(_ other: LongNatural) -> Int {
    if words.count != other.words.count { return words.count - other.words.count }
    for (mine, theirs) in zip(words.reversed(), other.words.reversed()) where mine != theirs {
      return mine < theirs ? -1 : 1
    }
    return 0
  }
}
