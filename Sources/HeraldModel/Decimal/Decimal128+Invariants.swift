extension DecimalParts {
  /// The violated invariants of the format; empty if the parts are valid.
  var violations: [String] {
    var found: [String] = []
    if coefficient > Decimal128.largestCoefficient { found.append("\(coefficient) has 35 digits") }
    if !Decimal128.exponents.contains(exponent) { found.append("exponent \(exponent)") }
    return found
  }
}

extension Decimal128 {
  /// The violated invariants; empty if the bits are a canonical form.
  var violations: [String] {
    guard !isNaN else { return bits == Self.nan.bits ? [] : ["NaN carries a sign or a payload"] }
    guard !isInfinite else {
      return high & ~Self.signMask == Self.infinityMask && low == 0
        ? [] : ["infinity carries digits"]
    }
    return parts.violations
  }
}
