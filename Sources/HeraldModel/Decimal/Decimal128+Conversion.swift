extension Decimal128 {
  /// A whole number, exactly.
  public init(_ value: Int) {
    self.init(
      DecimalParts(
        isNegative: value < 0, coefficient: UInt128(value.magnitude), exponent: 0))
  }

  /// Makes the shortest decimal that is read back as `value`: 0.1 gives `0.1`, and 10 gives `10`.
  /// For the exact value, see `init(exactly:)`.
  public init(_ value: Double) { self.init(shortest: value.description, of: value) }

  /// Makes the shortest decimal that is read back as `value` at float precision.
  public init(_ value: Float) { self.init(shortest: value.description, of: value) }

  private init(shortest text: String, of value: some BinaryFloatingPoint) {
    guard value.isFinite else {
      self = value.isNaN ? .nan : .infinity(isNegative: value < 0)
      return
    }
    // `description` prints whole numbers with a trailing ".0".
    let text = text.hasSuffix(".0") ? text.dropLast(2) : text[...]
    guard let decimal = Decimal128(text) else { preconditionFailure("\(text) is not a number") }
    self = decimal
  }

  /// Makes the exact value of a double; nil if it has more than 34 digits, as 0.1 has.
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
      guard coefficient <= Self.largestCoefficient else { return nil }
      twos += 1
      tens -= 1
    }
    while twos > 0, coefficient != 0 {
      if coefficient.isMultiple(of: 5) {
        coefficient /= 5
        tens += 1
      } else {
        coefficient *= 2
        guard coefficient <= Self.largestCoefficient else { return nil }
      }
      twos -= 1
    }
    // Whole numbers get exponent 0 if they have at most 34 digits.
    if tens > 0, coefficient.decimalDigitCount + tens <= Self.digitLimit {
      coefficient *= powersOfTen[tens]
      tens = 0
    }
    self.init(
      DecimalParts(isNegative: value.sign == .minus, coefficient: coefficient, exponent: tens))
  }
}

/// The magnitude of a finite double: `significand * 2^exponent`, with an odd significand or 0.
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
  /// Makes the int that equals a decimal (`1E+3`, `2.00`); nil if none does.
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
  /// Makes the double nearest to a decimal, half to even; infinity or 0 beyond the range of doubles.
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
      // Both operands are exact, so that the result is rounded only once.
      let power = exactPowersOfTen[abs(parts.exponent)]
      let coefficient = Double(UInt64(parts.coefficient))
      self = parts.exponent < 0 ? coefficient / power : coefficient * power
    } else {
      let text = "\(parts.coefficient)e\(parts.exponent)"
      guard let double = Double(text) else { preconditionFailure("\(text) is not a number") }
      self = double
    }
  }
}

/// 10^0 to 10^22: the powers of ten that are exact as doubles.
private let exactPowersOfTen: [Double] = (0...22).map { Double(UInt128(powersOfTen[$0])) }

extension Decimal128 {
  /// Bytes that order as the numbers do, the same for equal numbers: for the keys of indexes.
  ///
  ///     bytes    := 0                                           NaN
  ///               | 1                                           -infinity
  ///               | 2 the bytes of the opposite number, each inverted   negative
  ///               | 3                                           zero, of either sign
  ///               | 4 exponent:u16 coefficient:u128             positive
  ///               | 5                                           infinity
  ///
  /// Numbers are big-endian. The coefficient is scaled to 34 digits, and the exponent is that of the
  /// last digit, biased so that it is never negative.
  package var orderedBytes: [UInt8] {
    if isNaN { return [0] }
    if isInfinite { return [isNegative ? 1 : 5] }
    if isZero { return [3] }
    var parts = parts
    while parts.coefficient <= Decimal128.largestCoefficient / 10 {
      parts.coefficient *= 10
      parts.exponent -= 1
    }
    var bytes: [UInt8] = []
    let exponent = UInt16(parts.exponent + Self.orderedBias)
    withUnsafeBytes(of: exponent.bigEndian) { bytes += $0 }
    withUnsafeBytes(of: parts.coefficient.bigEndian) { bytes += $0 }
    return isNegative ? [2] + bytes.map { ~$0 } : [4] + bytes
  }

  /// The bias that makes the exponent of the smallest number, scaled to 34 digits, non-negative.
  private static let orderedBias = 6176 + digitLimit
}
