import HeraldModel

/// A sum of doubles without rounding: the same whatever the order of the additions, and after a value was added and
/// subtracted the same as before.
///
/// Fixed-point digits of 32 bits from 2^-1074 up, each in a word with room for carries. O(1) for each value.
struct ExactDoubleSum: Sendable {
  private static let digitCount = 68
  /// The exponent of the lowest digit.
  private static let lowest = -1074
  /// After so many additions the digits could overflow.
  private static let additionsBetweenCarries = 1 << 30

  private var digits = InlineArray<68, Int64>(repeating: 0)
  private var additions = 0
  private var unusual = UnusualNumbers()

  /// Adds a value, or subtracts it if the sign is -1.
  mutating func change(_ value: Double, by sign: Int) {
    guard value.isFinite else { return unusual.change(value, by: sign) }
    addFinite(value, Int64(sign))
  }

  mutating func add(_ value: Double) {
    guard value.isFinite else { return unusual.change(value, by: 1) }
    addFinite(value, 1)
  }

  /// Adds a finite number, times 1 or -1.
  @inline(__always)
  private mutating func addFinite(_ value: Double, _ sign: Int64) {
    let exponent = Int(value.exponentBitPattern)
    let mantissa = value.significandBitPattern | (exponent == 0 ? 0 : 1 << 52)
    let offset = UInt64(max(exponent, 1) - 1)
    let (digit, shift) = (Int(offset >> 5), offset & 31)
    let low = mantissa &<< shift
    // The 64 bits above, also if the shift is 0.
    let high = (mantissa &>> 1) &>> (63 &- shift)
    let sign = value.sign == .minus ? 0 &- sign : sign
    digits[digit] &+= sign &* Int64(low & 0xFFFF_FFFF)
    digits[digit + 1] &+= sign &* Int64(low >> 32)
    digits[digit + 2] &+= sign &* Int64(high)
    additions &+= 1
    if additions >= Self.additionsBetweenCarries { carry() }
  }

  /// Adds another sum.
  mutating func add(_ other: ExactDoubleSum) {
    for index in 0..<Self.digitCount { digits[index] += other.digits[index] }
    unusual.add(other.unusual)
    // Its digits are at most as large as those of an addition more.
    additions += other.additions + 1
    if additions >= Self.additionsBetweenCarries { carry() }
  }

  /// Brings every digit but the last into 0..<2^32.
  private mutating func carry() {
    additions = 0
    var carried: Int64 = 0
    for index in 0..<Self.digitCount - 1 {
      let digit = digits[index] + carried
      carried = digit >> 32
      digits[index] = digit & 0xFFFF_FFFF
    }
    digits[Self.digitCount - 1] += carried
  }
}

// MARK: - Rounding

extension ExactDoubleSum {
  /// The sum, rounded once.
  var value: Double { divided(by: 1) }

  /// The sum divided by a positive number, rounded once.
  func divided(by divisor: Int) -> Double {
    if let unusual = unusual.sum { return unusual }
    guard let (digits, top, isNegative) = magnitude else { return 0 }
    // A long division, up to 65 bits or more: those of a double, and what decides how it is rounded. Two digits below
    // the lowest one show on which side of the middle a quotient lies that is smaller than every double.
    let divisor = UInt128(divisor)
    var (quotient, remainder): (UInt128, UInt128) = (0, 0)
    var index = top + 1
    while index > -2, quotient >> 64 == 0 {
      index -= 1
      let dividend = remainder << 32 | (index >= 0 ? UInt128(digits[index]) : 0)
      let part = dividend.quotientAndRemainder(dividingBy: divisor)
      quotient = quotient << 32 | part.quotient
      remainder = part.remainder
    }
    let hasMore = remainder != 0 || index > 0 && digits[..<index].contains { $0 != 0 }
    let rounded = Self.rounded(quotient, Self.lowest + 32 * index, hasMore: hasMore)
    return isNegative ? -rounded : rounded
  }

  /// The digits of the absolute value, all in 0..<2^32, the index of the highest that is not 0, and whether the sum is
  /// negative; nil for 0.
  private var magnitude: (digits: [Int64], top: Int, isNegative: Bool)? {
    var sum = self
    sum.carry()
    let isNegative = sum.digits[Self.digitCount - 1] < 0
    if isNegative {
      for index in 0..<Self.digitCount { sum.digits[index].negate() }
      sum.carry()
    }
    let digits = (0..<Self.digitCount).map { sum.digits[$0] }
    guard let top = digits.lastIndex(where: { $0 != 0 }) else { return nil }
    return (digits, top, isNegative)
  }

  /// Returns `bits` times a power of two as the nearest double, of two that are as near the even one.
  ///
  /// - Parameter hasMore: whether the number is larger by less than one of its bits, more of which it has than a double.
  private static func rounded(_ bits: UInt128, _ exponent: Int, hasMore: Bool) -> Double {
    let width = UInt128.bitWidth - bits.leadingZeroBitCount
    let dropped = max(width - Double.significandBitCount - 1, lowest - exponent, 1)
    var kept = bits >> dropped
    let (rest, half) = (bits - kept << dropped, UInt128(1) << (dropped - 1))
    if rest > half || rest == half && (hasMore || kept & 1 != 0) { kept += 1 }
    return scaled(Double(kept), by: exponent + dropped)
  }

  private static func scaled(_ value: Double, by exponent: Int) -> Double {
    // In two steps, since the power itself may be out of range.
    let half = exponent / 2
    return value * Double(sign: .plus, exponent: half, significand: 1)
      * Double(sign: .plus, exponent: exponent - half, significand: 1)
  }
}

/// How many infinities and NaN a sum has.
struct UnusualNumbers: Sendable {
  private var positiveInfinities = 0
  private var negativeInfinities = 0
  private var nans = 0

  mutating func change(_ value: Double, by sign: Int) {
    if value.isNaN {
      nans += sign
    } else if value > 0 {
      positiveInfinities += sign
    } else {
      negativeInfinities += sign
    }
  }

  mutating func add(_ other: UnusualNumbers) {
    positiveInfinities += other.positiveInfinities
    negativeInfinities += other.negativeInfinities
    nans += other.nans
  }

  /// The sum with any finite numbers; nil if there is nothing unusual.
  var sum: Double? {
    if nans > 0 || positiveInfinities > 0 && negativeInfinities > 0 { return .nan }
    if positiveInfinities > 0 { return .infinity }
    return negativeInfinities > 0 ? -.infinity : nil
  }
}
