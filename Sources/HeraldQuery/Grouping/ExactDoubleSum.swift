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

  private var digits: [Int64] = []
  private var additions = 0
  private var positiveInfinities = 0
  private var negativeInfinities = 0
  private var nans = 0

  mutating func add(_ value: Double) { change(value, by: 1) }
  mutating func subtract(_ value: Double) { change(value, by: -1) }

  private mutating func change(_ value: Double, by sign: Int64) {
    guard value.isFinite else {
      if value.isNaN {
        nans += Int(sign)
      } else if value > 0 {
        positiveInfinities += Int(sign)
      } else {
        negativeInfinities += Int(sign)
      }
      return
    }
    if value == 0 { return }
    if digits.isEmpty { digits = [Int64](repeating: 0, count: Self.digitCount) }
    let exponent = Int(value.exponentBitPattern)
    let mantissa = value.significandBitPattern | (exponent == 0 ? 0 : 1 << 52)
    let offset = max(exponent, 1) - 1
    let (digit, shift) = (offset / 32, offset % 32)
    let low = UInt64(truncatingIfNeeded: UInt128(mantissa) << UInt128(shift))
    let high = UInt64(truncatingIfNeeded: (UInt128(mantissa) << UInt128(shift)) >> 64)
    let sign = value.sign == .minus ? -sign : sign
    digits[digit] += sign * Int64(low & 0xFFFF_FFFF)
    digits[digit + 1] += sign * Int64(low >> 32)
    digits[digit + 2] += sign * Int64(high)
    additions += 1
    if additions >= Self.additionsBetweenCarries { carry() }
  }

  /// Brings every digit but the last into 0..<2^32.
  private mutating func carry() {
    additions = 0
    var carried: Int64 = 0
    for index in digits.indices.dropLast() {
      let digit = digits[index] + carried
      carried = digit >> 32
      digits[index] = digit & 0xFFFF_FFFF
    }
    digits[digits.count - 1] += carried
  }

  /// The sum, rounded once.
  var value: Double {
    if nans > 0 || positiveInfinities > 0 && negativeInfinities > 0 { return .nan }
    if positiveInfinities > 0 { return .infinity }
    if negativeInfinities > 0 { return -.infinity }
    var sum = self
    if digits.isEmpty { return 0 }
    sum.carry()
    let isNegative = sum.digits[sum.digits.count - 1] < 0
    if isNegative {
      for index in sum.digits.indices { sum.digits[index].negate() }
      sum.carry()
    }
    guard let top = sum.digits.lastIndex(where: { $0 != 0 }) else { return 0 }
    var bits: UInt128 = 0
    let bottom = max(0, top - 2)
    for index in (bottom...top).reversed() { bits = (bits << 32) | UInt128(sum.digits[index]) }
    // A bit for all below keeps the rounding right.
    if bits >> 64 != 0, sum.digits[..<bottom].contains(where: { $0 != 0 }) { bits |= 1 }
    let magnitude = scaled(Double(bits), by: bottom * 32 + Self.lowest)
    return isNegative ? -magnitude : magnitude
  }

  private func scaled(_ value: Double, by exponent: Int) -> Double {
    // In two steps, since the power itself may be out of range.
    let half = exponent / 2
    return value * Double(sign: .plus, exponent: half, significand: 1)
      * Double(sign: .plus, exponent: exponent - half, significand: 1)
  }
}
