/// A natural number below 10^76: what a product, a shifted sum or a dividend of coefficients needs
/// before it is rounded.
struct WideNatural: Equatable {
  var high: UInt128
  var low: UInt128

  init(_ value: UInt128) { (high, low) = (0, value) }

  private init(high: UInt128, low: UInt128) { (self.high, self.low) = (high, low) }

  init(product a: UInt128, _ b: UInt128) { (high, low) = a.multipliedFullWidth(by: b) }

  /// `value * 10^places`, which must be below 10^76; the value itself must be below 10^38.
  init(_ value: UInt128, shiftedBy places: Int) {
    let first = min(places, powersOfTen.count - 1 - value.decimalDigitCount)
    self.init(product: value * powersOfTen[first], powersOfTen[places - first])
  }

  static func < (a: WideNatural, b: WideNatural) -> Bool { (a.high, a.low) < (b.high, b.low) }

  static func + (a: WideNatural, b: WideNatural) -> WideNatural {
    let (low, carry) = a.low.addingReportingOverflow(b.low)
    return WideNatural(high: a.high + b.high + (carry ? 1 : 0), low: low)
  }

  /// The difference; `b` must not be greater than `a`.
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

  /// 0 for 0.
  var decimalDigitCount: Int {
    guard high != 0 else { return low.decimalDigitCount }
    let places = powersOfTen.count - 1
    return places + dividedBy(powersOfTen[places]).quotient.low.decimalDigitCount
  }
}

/// 10^0 to 10^38, the greatest in 128 bits.
let powersOfTen: [UInt128] = {
  var powers: [UInt128] = [1]
  for _ in 0..<38 { powers.append(powers[powers.count - 1] * 10) }
  return powers
}()

extension UInt128 {
  /// 0 for 0.
  var decimalDigitCount: Int {
    // 1233 / 4096 is the logarithm of 2 as nearly as 128 bits ask for.
    let estimate = ((bitWidth - leadingZeroBitCount) * 1233) >> 12
    return estimate + (self >= powersOfTen[estimate] ? 1 : 0)
  }

  /// Takes trailing zeros away, at most `limit` of them; returns how many. The number must not be
  /// 0.
  mutating func removeTrailingZeros(atMost limit: Int) -> Int {
    var removed = 0
    var step = 32
    while step > 0 {
      // A multiple of 10^n is one of 2^n, and that is quick to see.
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
