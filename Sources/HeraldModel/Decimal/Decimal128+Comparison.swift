extension Decimal128: Comparable, Hashable {
  /// Compares by value; returns a negative number, 0 or a positive number. NaN comes before all
  /// numbers and is equal to itself; 1.0 and 1.00 are equal, and so are 0 and -0.
  public func compare(_ other: Decimal128) -> Int {
    let (rank, otherRank) = (self.rank, other.rank)
    guard rank == 0, otherRank == 0 else { return rank - otherRank }
    let (a, b) = (parts, other.parts)
    let (sign, otherSign) = (a.sign, b.sign)
    guard sign == otherSign, sign != 0 else { return sign - otherSign }
    return sign * a.compareMagnitude(b)
  }

  /// The rank of a number that is not finite: NaN, -infinity, 0 for finite numbers, infinity.
  private var rank: Int {
    if isFinite { 0 } else if isNaN { -2 } else { isNegative ? -1 : 1 }
  }

  /// Whether the numbers are equal, however many digits each has. NaN is equal to itself.
  public static func == (a: Decimal128, b: Decimal128) -> Bool {
    a.high == b.high && a.low == b.low || a.compare(b) == 0
  }

  /// Whether the first number is less. NaN is before every other.
  public static func < (a: Decimal128, b: Decimal128) -> Bool { a.compare(b) < 0 }

  /// Equal numbers have one hash value.
  public func hash(into hasher: inout Hasher) {
    let reduced = reduced
    hasher.combine(reduced.high)
    hasher.combine(reduced.low)
  }

  /// The same value with as few digits as it can have (`1.00` as `1`, `100` as `1E+2`, `-0` as
  /// `0`): equal numbers, and only they, have the same bits here.
  public var reduced: Decimal128 {
    guard isFinite else { return self }
    var parts = parts
    guard parts.coefficient != 0 else { return .zero }
    parts.exponent += parts.coefficient.removeTrailingZeros(
      atMost: Self.exponents.upperBound - parts.exponent)
    return Decimal128(parts)
  }
}

extension Decimal128 {
  /// Compares by value, as two decimals are compared.
  public func compare(to other: Int) -> Int { compare(Decimal128(other)) }

  /// Compares by value. The double counts as the shortest decimal that is read back as it, so that
  /// `0.1` equals the double 0.1. NaN comes first and is equal to NaN. A float is compared as a
  /// double.
  public func compare(to other: Double) -> Int {
    if isNaN || other.isNaN { return isNaN ? other.isNaN ? 0 : -1 : 1 }
    // Rounding is monotonic, so that only numbers that round to this very double need more.
    let nearest = Double(self)
    if nearest != other { return nearest < other ? -1 : 1 }
    return compare(Decimal128(other))
  }
}

extension DecimalParts {
  /// -1, 0 or 1.
  fileprivate var sign: Int { coefficient == 0 ? 0 : isNegative ? -1 : 1 }

  /// Compares the magnitudes of two numbers that are not 0.
  fileprivate func compareMagnitude(_ other: DecimalParts) -> Int {
    let gap = exponent - other.exponent
    if gap == 0 { return Self.order(coefficient, other.coefficient) }
    let lead =
      coefficient.decimalDigitCount - other.coefficient.decimalDigitCount + gap
    if lead != 0 { return lead }
    // The first digits have the same power of ten: the shifted coefficient has no more digits than
    // the other one.
    return gap > 0
      ? Self.order(coefficient * powersOfTen[gap], other.coefficient)
      : Self.order(coefficient, other.coefficient * powersOfTen[-gap])
  }

  private static func order(_ a: UInt128, _ b: UInt128) -> Int { a < b ? -1 : a > b ? 1 : 0 }
}
