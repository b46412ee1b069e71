// Results are exact, then rounded half to even to 34 digits. An exact result has the standard's
// preferred exponent: for a sum the smaller exponent of the operands, for a product their sum, for a
// quotient their difference. A rounded result uses all 34 digits. Nothing traps: an undefined result
// is NaN.

extension Decimal128: AdditiveArithmetic {
  /// The number with the other sign.
  public static prefix func - (value: Decimal128) -> Decimal128 {
    value.isNaN ? value : Decimal128(bits: (value.high ^ signMask, value.low))
  }

  /// The number without its sign.
  public var magnitude: Decimal128 { isNegative ? -self : self }

  /// The sum, rounded to 34 digits.
  public static func + (a: Decimal128, b: Decimal128) -> Decimal128 {
    guard a.isFinite, b.isFinite else {
      if a.isNaN || b.isNaN { return nan }
      guard a.isInfinite else { return b }
      return b.isInfinite && a.isNegative != b.isNegative ? nan : a
    }
    let (a, b) = (a.parts, b.parts)
    return a.exponent >= b.exponent ? sum(a, b) : sum(b, a)
  }

  /// The difference, rounded to 34 digits.
  public static func - (a: Decimal128, b: Decimal128) -> Decimal128 { a + -b }

  /// Returns the sum of two numbers; the exponent of `a` is not smaller than that of `b`.
  private static func sum(_ a: DecimalParts, _ b: DecimalParts) -> Decimal128 {
    let gap = a.exponent - b.exponent
    let digits = a.coefficient.decimalDigitCount
    if a.coefficient == 0 {
      let isNegative = b.isNegative && (a.isNegative || b.coefficient != 0)
      return Decimal128(
        DecimalParts(
          isNegative: isNegative, coefficient: b.coefficient, exponent: b.exponent))
    }
    if b.coefficient == 0 {
      let places = min(gap, digitLimit - digits)
      return Decimal128(
        DecimalParts(
          isNegative: a.isNegative, coefficient: a.coefficient * powersOfTen[places],
          exponent: a.exponent - places))
    }
    let isSum = a.isNegative == b.isNegative
    guard digits + gap <= 76 else {
      // All of b lies below the 37th digit of a, so that only its sign matters.
      let places = 37 - digits
      let shifted = WideNatural(a.coefficient * powersOfTen[places] - (isSum ? 0 : 1))
      return rounding(
        shifted, exponent: a.exponent - places, isNegative: a.isNegative, hasMore: true)
    }
    let shifted =
      digits + gap <= 37
      ? WideNatural(a.coefficient * powersOfTen[gap])
      : WideNatural(a.coefficient, shiftedBy: gap)
    let other = WideNatural(b.coefficient)
    if isSum {
      return rounding(shifted + other, exponent: b.exponent, isNegative: a.isNegative)
    }
    if shifted == other {
      return Decimal128(DecimalParts(isNegative: false, coefficient: 0, exponent: b.exponent))
    }
    return shifted < other
      ? rounding(other - shifted, exponent: b.exponent, isNegative: b.isNegative)
      : rounding(shifted - other, exponent: b.exponent, isNegative: a.isNegative)
  }

  /// The product, rounded to 34 digits.
  public static func * (a: Decimal128, b: Decimal128) -> Decimal128 {
    let isNegative = a.isNegative != b.isNegative
    guard a.isFinite, b.isFinite else {
      return a.isNaN || b.isNaN || a.isZero || b.isZero ? nan : infinity(isNegative: isNegative)
    }
    let (a, b) = (a.parts, b.parts)
    return rounding(
      WideNatural(product: a.coefficient, b.coefficient), exponent: a.exponent + b.exponent,
      isNegative: isNegative)
  }

  /// The quotient, rounded to 34 digits; of zero by zero no number, of others by zero infinity.
  public static func / (a: Decimal128, b: Decimal128) -> Decimal128 {
    let isNegative = a.isNegative != b.isNegative
    if a.isNaN || b.isNaN || a.isInfinite && b.isInfinite || a.isZero && b.isZero { return nan }
    if a.isInfinite || b.isZero { return infinity(isNegative: isNegative) }
    if b.isInfinite {
      return Decimal128(
        DecimalParts(isNegative: isNegative, coefficient: 0, exponent: exponents.lowerBound))
    }
    return quotient(a.parts, b.parts, isNegative: isNegative)
  }

  /// Returns the quotient of two numbers; `b` is not 0.
  private static func quotient(
    _ a: DecimalParts, _ b: DecimalParts, isNegative: Bool
  ) -> Decimal128 {
    let preferred = a.exponent - b.exponent
    if a.coefficient == 0 {
      return rounding(WideNatural(0), exponent: preferred, isNegative: isNegative)
    }
    // Shifted so that the quotient has 36 or 37 digits, two more than are kept.
    let places = 36 + b.coefficient.decimalDigitCount - a.coefficient.decimalDigitCount
    let dividend = WideNatural(a.coefficient, shiftedBy: places)
    let (quotient, remainder) = dividend.dividedBy(b.coefficient)
    guard remainder == 0 else {
      return rounding(
        quotient, exponent: preferred - places, isNegative: isNegative, hasMore: true)
    }
    var coefficient = quotient.low
    let removed = coefficient.removeTrailingZeros(atMost: places)
    return rounding(
      WideNatural(coefficient), exponent: preferred - places + removed, isNegative: isNegative)
  }

  /// Returns what remains of a division whose quotient is truncated, exactly, with the sign of the dividend;
  /// NaN if `b` is 0.
  public func remainder(dividingBy b: Decimal128) -> Decimal128 {
    if isNaN || b.isNaN || isInfinite || b.isZero { return .nan }
    if b.isInfinite || isZero { return self }
    let (dividend, divisor) = (parts, b.parts)
    var rest = dividend.coefficient
    var modulus = divisor.coefficient
    if dividend.exponent >= divisor.exponent {
      // Digit by digit, so that neither number has to be written out.
      rest %= modulus
      for _ in divisor.exponent..<dividend.exponent where rest > 0 { rest = rest * 10 % modulus }
    } else {
      for _ in dividend.exponent..<divisor.exponent where modulus <= rest { modulus *= 10 }
      if modulus <= rest { rest %= modulus }
    }
    return Decimal128(
      DecimalParts(
        isNegative: dividend.isNegative, coefficient: rest,
        exponent: min(dividend.exponent, divisor.exponent)))
  }

  /// Multiplies by a number.
  public static func *= (a: inout Decimal128, b: Decimal128) { a = a * b }

  /// Divides by a number.
  public static func /= (a: inout Decimal128, b: Decimal128) { a = a / b }
}
