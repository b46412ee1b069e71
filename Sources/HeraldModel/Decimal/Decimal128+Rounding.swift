extension Decimal128 {
  /// Returns the decimal nearest to `coefficient * 10^exponent`, half to even: infinity above the
  /// range, a number of fewer digits or 0 below it.
  ///
  /// With `hasMore` the exact value is above the coefficient by less than 1; the coefficient must then
  /// have at least 36 digits, so that the missing fraction alone cannot be half a unit.
  static func rounding(
    _ coefficient: WideNatural, exponent: Int, isNegative: Bool, hasMore: Bool = false
  ) -> Decimal128 {
    let digits = coefficient.decimalDigitCount
    let excess = max(digits - digitLimit, exponents.lowerBound - exponent)
    var parts = DecimalParts(
      isNegative: isNegative, coefficient: coefficient.low, exponent: exponent)
    if excess > digits {
      parts.coefficient = 0
      parts.exponent += excess
    } else if excess > 0 {
      parts.coefficient = coefficient.roundedHalfEven(dropping: excess, hasMore: hasMore)
      parts.exponent += excess
      if parts.coefficient > largestCoefficient {
        parts.coefficient /= 10
        parts.exponent += 1
      }
    }
    return clamping(parts)
  }

  /// Returns the number with these parts. An exponent that is too large is reduced by appending zeros
  /// to the coefficient, or the result is infinity.
  private static func clamping(_ parts: DecimalParts) -> Decimal128 {
    let excess = parts.exponent - exponents.upperBound
    guard excess > 0 else { return Decimal128(parts) }
    var parts = parts
    parts.exponent = exponents.upperBound
    if parts.coefficient != 0 {
      guard excess <= digitLimit - parts.coefficient.decimalDigitCount else {
        return infinity(isNegative: parts.isNegative)
      }
      parts.coefficient *= powersOfTen[excess]
    }
    return Decimal128(parts)
  }
}

extension Decimal128 {
  /// How a number is rounded to a number of decimals.
  package enum Direction: Sendable {
    /// To the nearest, half away from zero.
    case nearest
    case up
    case down
    case towardZero
  }

  /// Returns the number with at most so many decimals; before the point where there are fewer than none. One that is not
  /// finite stays.
  package func rounded(decimals: Int = 0, _ direction: Direction) -> Decimal128 {
    guard isFinite, parts.exponent < -decimals else { return self }
    var parts = parts
    let dropped = -decimals - parts.exponent
    let unit = dropped < powersOfTen.count ? powersOfTen[dropped] : nil
    let (kept, rest) =
      unit.map { parts.coefficient.quotientAndRemainder(dividingBy: $0) }
      ?? (0, parts.coefficient)
    let isGreater =
      switch direction {
      case .nearest: unit.map { rest >= $0 - rest } ?? false
      case .up: rest != 0 && !parts.isNegative
      case .down: rest != 0 && parts.isNegative
      case .towardZero: false
      }
    parts.coefficient = kept + (isGreater ? 1 : 0)
    parts.exponent = -decimals
    return .clamping(parts)
  }
}

extension WideNatural {
  /// Returns the number rounded to drop its last `places` digits, at most all; the result must fit
  /// into 128 bits.
  fileprivate func roundedHalfEven(dropping places: Int, hasMore: Bool) -> UInt128 {
    var kept = self
    var places = places
    var hasMore = hasMore
    let most = powersOfTen.count - 1
    if places > most {
      let (quotient, remainder) = kept.dividedBy(powersOfTen[most])
      kept = quotient
      hasMore = hasMore || remainder != 0
      places -= most
    }
    let (quotient, remainder) = kept.dividedBy(powersOfTen[places])
    let half = powersOfTen[places] / 2
    let isOdd = quotient.low & 1 == 1
    let roundsUp = remainder > half || remainder == half && (hasMore || isOdd)
    return quotient.low + (roundsUp ? 1 : 0)
  }
}
