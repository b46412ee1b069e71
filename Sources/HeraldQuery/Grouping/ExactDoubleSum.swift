/// A sum of doubles without rounding: the same whatever the order of the additions, and after a value was added and
/// subtracted the same as before.
///
/// Fixed-point digits of 32 bits from 2^-1074 up, each in a word with room for carries. O(1) for each value.
struct ExactDoubleSum: Sendable {
  static let digitCount = 68
  /// The exponent of the lowest digit.
  private static let lowest = -1074
  /// After so many additions the digits could overflow.
  static let additionsBetweenCarries = 1 << 30

  private var digits: [Int64] = []
  private var additions = 0
  private var positiveInfinities = 0
  private var negativeInfinities = 0
  private var nans = 0

  /// Zero.
  init() {}

  /// The sum that digits are.
  init(digits: UnsafePointer<Int64>) {
    self.digits = Array(UnsafeBufferPointer(start: digits, count: Self.digitCount))
  }

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
    digits.withUnsafeMutableBufferPointer { digits in
      if let base = digits.baseAddress { Self.add(value, sign, to: base) }
    }
    additions += 1
    if additions >= Self.additionsBetweenCarries { carry() }
  }

  /// Adds a finite number, times 1 or -1, to digits.
  @inline(__always)
  static func add(_ value: Double, _ sign: Int64, to digits: UnsafeMutablePointer<Int64>) {
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
  }

  private mutating func carry() {
    additions = 0
    digits.withUnsafeMutableBufferPointer { digits in
      if let base = digits.baseAddress { Self.carry(base) }
    }
  }

  /// Brings every digit but the last into 0..<2^32.
  static func carry(_ digits: UnsafeMutablePointer<Int64>) {
    var carried: Int64 = 0
    for index in 0..<digitCount - 1 {
      let digit = digits[index] + carried
      carried = digit >> 32
      digits[index] = digit & 0xFFFF_FFFF
    }
    digits[digitCount - 1] += carried
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
