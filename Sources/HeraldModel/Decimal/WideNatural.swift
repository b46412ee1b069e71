/// A natural number below 10^76: holds products, shifted sums and dividends of coefficients before
/// they are rounded.
struct WideNatural: Equatable {
  var high: UInt128
  var low: UInt128

  init(_ value: UInt128) { (high, low) = (0, value) }

  private init(high: UInt128, low: UInt128) { (self.high, self.low) = (high, low) }

  init(product a: UInt128, _ b: UInt128) { (high, low) = a.multipliedFullWidth(by: b) }

  /// Makes `value * 10^places`, which must be below 10^76; `value` must be below 10^38.
  init(_ value: UInt128, shiftedBy places: Int) {
    let first = min(places, powersOfTen.count - 1 - value.decimalDigitCount)
    self.init(product: value * powersOfTen[first], powersOfTen[places - first])
  }

  static func < (a: WideNatural, b: WideNatural) -> Bool { (a.high, a.low) < (b.high, b.low) }

  static func + (a: WideNatural, b: WideNatural) -> WideNatural {
    let (low, carry) = a.low.addingReportingOverflow(b.low)
    return WideNatural(high: a.high + b.high + (carry ? 1 : 0), low: low)
  }

  /// Returns the difference; `b` must not be larger than `a`.
  static func - (a: WideNatural, b: WideNatural) -> WideNatural {
    let (low, borrow) = a.low.subtractingReportingOverflow(b.low)
    return WideNatural(high: a.high - b.high - (borrow ? 1 : 0), low: low)
  }

  func dividedBy(_ divisor: UInt128) -> (quotient: WideNatural, remainder: UInt128) {
    guard high != 0 else {
      let (quotient, remainder) = low.quotientAndRemainder(dividingBy: divisor)
      return (WideNatural(quotient), remainder)
    }
    let (upper, rest) = high.quotientAndRemainder(dividingBy: divisor)
    let (lower, remainder) = divisor.dividingFullWidth((rest, low))
    return (WideNatural(high: upper, low: lower), remainder)
  }

  /// The number of decimal digits; 0 for 0.
  var decimalDigitCount: Int {
    guard high != 0 else { return low.decimalDigitCount }
    let places = powersOfTen.count - 1
    return places + dividedBy(powersOfTen[places]).quotient.low.decimalDigitCount
  }
}

/// 10^0 to 10^38, the largest in 128 bits.
let powersOfTen: [UInt128] = {
  var powers: [UInt128] = [1]
  for _ in 0..<38 { powers.append(powers[powers.count - 1] * 10) }
  return powers
}()

extension UInt128 {
  /// The number of decimal digits; 0 for 0.
  var decimalDigitCount: Int {
    // 1233 / 4096 approximates log10(2) closely enough for 128 bits.
    let estimate = ((bitWidth - leadingZeroBitCount) * 1233) >> 12
    return estimate + (self >= powersOfTen[estimate] ? 1 : 0)
  }

  /// Removes at most `limit` trailing zeros; returns how many. The number must not be 0.
  mutating func removeTrailingZeros(atMost limit: Int) -> Int {
    var removed = 0
    var step = 32
    while step > 0 {
      // A multiple of 10^n is a multiple of 2^n, which is cheap to test.
      if removed + step <= limit, trailingZeroBitCount >= step {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: powersOfTen[step])
        if remainder == 0 {
          self = quotient
          removed += step
        }
      }
      step >>= 1
    }
    return removed
  }
}
