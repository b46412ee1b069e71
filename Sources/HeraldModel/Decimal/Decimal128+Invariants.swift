extension DecimalParts {
  /// What keeps the parts from being a number of the format; empty where nothing does.
  var violations: [String] {
    var found: [String] = []
    if coefficient > Decimal128.greatestCoefficient { found.append("\(coefficient) has 35 digits") }
    if !Decimal128.exponents.contains(exponent) { found.append("exponent \(exponent)") }
    return found
  }
}

extension Decimal128 {
  /// What is wrong with the bits; empty where they are a canonical form.
  var violations: [String] {
    guard !isNaN else { return bits == Self.nan.bits ? [] : ["NaN carries a sign or a payload"] }
    guard !isInfinite else {
      return high & ~Self.signMask == Self.infinityMask && low == 0
        ? [] : ["infinity carries digits"]
    }
    return parts.violations
  }
}
