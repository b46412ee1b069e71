// The grammar of a decimal; the letters are read in either case:
//
//   decimal  = [sign] (digits ["." [digits]] | "." digits) [("E" | "e") [sign] digits]
//            | [sign] ("inf" | "infinity" | "nan")
//   sign     = "+" | "-"

extension Decimal128: LosslessStringConvertible {
  /// Parses `19.90`, `-1.5e-7`, `.5`, `Infinity`, `-inf` or `nan`, rounding to 34 digits; nil if the
  /// text is not a number. A sign before `nan` is ignored.
  public init?(_ text: some StringProtocol) { self.init(utf8: Array(text.utf8)) }

  /// Parses the same from UTF-8.
  public init?(utf8 text: [UInt8]) {
    var reader = DecimalReader(text)
    guard let value = reader.decimal(), reader.isAtEnd else { return nil }
    self = value
  }

  /// `1`, `0.10`, `-0.000001` with all digits of the number; `1E-7` and `1E+21` with an exponent where
  /// digits alone cannot express it; `Infinity`, `-Infinity` and `NaN`. Parsing the text returns the
  /// same digits and exponent.
  public var description: String {
    guard isFinite else { return isNaN ? "NaN" : isNegative ? "-Infinity" : "Infinity" }
    let parts = parts
    let sign = parts.isNegative ? "-" : ""
    let digits = parts.coefficient.decimalText
    let lead = digits.utf8.count + parts.exponent
    guard parts.exponent <= 0, lead > -6 else {
      let power = lead - 1
      let rest = digits.dropFirst()
      return sign + digits.prefix(1) + (rest.isEmpty ? "" : "." + rest)
        + (power < 0 ? "E" : "E+") + String(power)
    }
    if parts.exponent == 0 { return sign + digits }
    guard lead > 0 else { return sign + "0." + String(repeating: "0", count: -lead) + digits }
    return sign + digits.prefix(lead) + "." + digits.dropFirst(lead)
  }
}

extension UInt128 {
  /// The digits. Converting two 64-bit halves is much faster than converting 128 bits.
  fileprivate var decimalText: String {
    let (upper, lower) = quotientAndRemainder(dividingBy: powersOfTen[19])
    let last = String(UInt64(lower))
    guard upper != 0 else { return last }
    return String(UInt64(upper)) + String(repeating: "0", count: 19 - last.utf8.count) + last
  }
}

/// Parses a decimal from left to right.
private struct DecimalReader {
  private let bytes: [UInt8]
  private var position = 0

  /// The bound of a parsed exponent: no text has enough digits to bring it back into range.
  private static let exponentLimit = 1_000_000_000_000

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { position == bytes.count }

  /// Consumes the digit at the position; nil if there is none.
  private mutating func digit() -> UInt8? {
    guard position < bytes.count, (0x30...0x39).contains(bytes[position]) else { return nil }
    position += 1
    return bytes[position - 1] - 0x30
  }

  /// Consumes `byte`, a lower-case letter or a symbol, in either case.
  private mutating func take(_ byte: UInt8) -> Bool {
    guard position < bytes.count else { return false }
    let isCapital = (0x41...0x5A).contains(bytes[position])
    guard bytes[position] | (isCapital ? 0x20 : 0) == byte else { return false }
    position += 1
    return true
  }

  private mutating func take(_ word: StaticString) -> Bool {
    let start = position
    for index in 0..<word.utf8CodeUnitCount where !take(word.utf8Start[index]) {
      position = start
      return false
    }
    return true
  }

  private mutating func takeSign() -> Bool {
    if take(0x2D) { return true }
    _ = take(0x2B)
    return false
  }

  mutating func decimal() -> Decimal128? {
    let isNegative = takeSign()
    if take("nan") { return .nan }
    if take("infinity") || take("inf") { return .infinity(isNegative: isNegative) }
    var digits = DigitGatherer()
    var isEmpty = true
    while let digit = digit() {
      digits.append(digit)
      isEmpty = false
    }
    if take(0x2E) {
      while let digit = digit() {
        digits.append(digit)
        digits.exponent -= 1
        isEmpty = false
      }
    }
    guard !isEmpty, let exponent = exponent() else { return nil }
    return Decimal128.rounding(
      WideNatural(digits.coefficient), exponent: digits.exponent + exponent,
      isNegative: isNegative, hasMore: digits.hasMore)
  }

  /// Consumes the optional exponent; 0 if there is none, nil if it has no digits.
  private mutating func exponent() -> Int? {
    guard take(0x65) else { return 0 }
    let isNegative = takeSign()
    guard var exponent = digit().map(Int.init) else { return nil }
    while let digit = digit() {
      exponent = min(exponent * 10 + Int(digit), Self.exponentLimit)
    }
    return isNegative ? -exponent : exponent
  }
}

/// The digits of a number of any length: the first 37, and whether any nonzero digit follows.
private struct DigitGatherer {
  var coefficient: UInt128 = 0
  var exponent = 0
  var hasMore = false

  mutating func append(_ digit: UInt8) {
    if coefficient < powersOfTen[36] {
      coefficient = coefficient * 10 + UInt128(digit)
    } else {
      exponent += 1
      hasMore = hasMore || digit != 0
    }
  }
}
