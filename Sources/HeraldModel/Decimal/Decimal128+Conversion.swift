extension Decimal128 {
  public init(_ value: Int) {
    self.init(
      DecimalParts(
        isNegative: value < 0, coefficient: UInt128(value.magnitude), exponent: 0))
  }

  /// The number with the fewest digits that is read back as `value`: 0.1 gives `0.1`, and 10 gives
  /// `10`. For the value to its last bit, see `init(exactly:)`.
  public init(_ value: Double) { self.init(shortest: value.description, of: value) }

  /// The number with the fewest digits that is read back as `value` at float precision.
  public init(_ value: Float) { self.init(shortest: value.description, of: value) }

  private init(shortest text: String, of value: some BinaryFloatingPoint) {
    guard value.isFinite else {
      self = value.isNaN ? .nan : .infinity(isNegative: value < 0)
      return
    }
    // The point and the 0 after it, which every whole number of fewer digits is printed with.
    let text = text.hasSuffix(".0") ? text.dropLast(2) : text[...]
    guard let decimal = Decimal128(text) else { preconditionFailure("\(text) is no number") }
    self = decimal
  }

  /// The very value of a double; nil where it has more than 34 digits, as 0.1 has.
  public init?(exactly value: Double) {
    guard value.isFinite else {
      self = value.isNaN ? .nan : .infinity(isNegative: value < 0)
      return
    }
    let binary = BinaryParts(value)
    var coefficient = UInt128(binary.significand)
    var (twos, tens) = (binary.exponent, 0)
    while twos < 0, coefficient != 0 {
      coefficient *= 5
      guard coefficient <= Self.greatestCoefficient else { return nil }
      twos += 1
      tens -= 1
    }
    while twos > 0, coefficient != 0 {
      if coefficient.isMultiple(of: 5) {
        coefficient /= 5
        tens += 1
      } else {
        coefficient *= 2
        guard coefficient <= Self.greatestCoefficient else { return nil }
      }
      twos -= 1
    }
    // Whole numbers are written out where their digits suffice.
    if tens > 0, coefficient.decimalDigitCount + tens <= Self.digitLimit {
      coefficient *= powersOfTen[tens]
      tens = 0
    }
    self.init(
      DecimalParts(isNegative: value.sign == .minus, coefficient: coefficient, exponent: tens))
  }
}

/// The magnitude of a finite double: `significand * 2^exponent`, the significand odd unless it is
/// 0.
private struct BinaryParts {
  let significand: UInt64
  let exponent: Int

  init(_ value: Double) {
    let isNormal = value.exponentBitPattern != 0
    let whole = value.significandBitPattern | (isNormal ? 1 << 52 : 0)
    let zeros = whole == 0 ? 0 : whole.trailingZeroBitCount
    significand = whole >> UInt64(zeros)
    exponent = whole == 0 ? 0 : Int(isNormal ? value.exponentBitPattern : 1) - 1075 + zeros
  }
}

extension Int {
  /// The whole number that a decimal is (`1E+3`, `2.00`); nil for others, and beyond 64 bits.
  public init?(exactly value: Decimal128) {
    guard value.isFinite else { return nil }
    let parts = value.reduced.parts
    guard parts.exponent >= 0, parts.exponent < 20 else { return nil }
    let (magnitude, overflow) = parts.coefficient.multipliedReportingOverflow(
      by: powersOfTen[parts.exponent])
    guard !overflow, let magnitude = Int128(exactly: magnitude) else { return nil }
    self.init(exactly: parts.isNegative ? -magnitude : magnitude)
  }
}

extension Double {
  /// The double nearest to a decimal, half to even; an infinity or 0 beyond the range of doubles.
  public init(_ value: Decimal128) {
    guard value.isFinite else {
      self = value.isNaN ? .nan : value.isNegative ? -.infinity : .infinity
      return
    }
    let magnitude = Double(magnitudeOf: value.parts)
    self = value.isNegative ? -magnitude : magnitude
  }

  private init(magnitudeOf parts: DecimalParts) {
    let lead = parts.coefficient.decimalDigitCount + parts.exponent
    if parts.coefficient == 0 || lead < -323 {
      self = 0
    } else if lead > 309 {
      self = .infinity
    } else if parts.coefficient < 1 << 53, abs(parts.exponent) < exactPowersOfTen.count {
      // Both operands are exact, so that one rounding is all there is.
      let power = exactPowersOfTen[abs(parts.exponent)]
      let coefficient = Double(UInt64(parts.coefficient))
      self = parts.exponent < 0 ? coefficient / power : coefficient * power
    } else {
      let text = "\(parts.coefficient)e\(parts.exponent)"
      guard let double = Double(text) else { preconditionFailure("\(text) is no number") }
      self = double
    }
  }
}

/// 10^0 to 10^22, all that are doubles to the last bit.
private let exactPowersOfTen: [Double] = (0...22).map { Double(UInt128(powersOfTen[$0])) }

extension Decimal128 {
  /// Bytes whose order is that of the numbers, the same for equal numbers: for the keys of indexes.
  ///
  ///     bytes    := 0                                           NaN
  ///               | 1                                           negative infinity
  ///               | 2 the bytes of the opposite number, each turned     negative
  ///               | 3                                           zero, of either sign
  ///               | 4 exponent:u16 coefficient:u128             positive
  ///               | 5                                           infinity
  ///
  /// Numbers are big-endian; the coefficient has all of its 34 digits, and the exponent is that of
  /// the last of them, so moved that none is negative.
  package var orderedBytes: [UInt8] {
    if isNaN { return [0] }
    if isInfinite { return [isNegative ? 1 : 5] }
    if isZero { return [3] }
    var parts = parts
    while parts.coefficient <= Decimal128.greatestCoefficient / 10 {
      parts.coefficient *= 10
      parts.exponent -= 1
    }
    var bytes: [UInt8] = []
    let exponent = UInt16(parts.exponent + Self.orderedBias)
    withUnsafeBytes(of: exponent.bigEndian) { bytes += $0 }
    withUnsafeBytes(of: parts.coefficient.bigEndian) { bytes += $0 }
    return isNegative ? [2] + bytes.map { ~$0 } : [4] + bytes
  }

  /// The least exponent, with as many digits more as a coefficient has.
  private static let orderedBias = 6176 + digitLimit
}
