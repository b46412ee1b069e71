package import HeraldModel

/// Parses numbers.
package enum NumberText {
  /// An int if possible, a double if it keeps every digit, otherwise a decimal; nil if the text is not a
  /// number, or too large for a decimal.
  package static func value(_ text: String) -> Value? {
    if let integer = Int(text) { return .int(integer) }
    if let double = shortDouble(text) { return .double(double) }
    guard let decimal = Decimal128(text), decimal.isFinite else { return nil }
    if text.utf8.contains(where: isFraction) {
      let nearest = Double(decimal)
      if nearest.isFinite, Decimal128(nearest) == decimal {
        return .double(nearest.signed(as: text))
      }
    }
    return .decimal(decimal)
  }

  /// The value of the bytes of a number.
  package static func value(of digits: ArraySlice<UInt8>) -> Value? {
    if let integer = integer(digits) { return .int(integer) }
    return value(String(decoding: digits, as: UTF8.self))
  }

  /// The fast path for whole numbers; nil for any other bytes.
  private static func integer(_ digits: ArraySlice<UInt8>) -> Int? {
    let isNegative = digits.first == Byte.minus
    var number = 0
    for digit in digits.dropFirst(isNegative ? 1 : 0) {
      guard Byte.isDigit(digit) else { return nil }
      let (tens, overflow) = number.multipliedReportingOverflow(by: 10)
      let one = Int(digit - UInt8(ascii: "0"))
      let (sum, carry) =
        isNegative ? tens.subtractingReportingOverflow(one) : tens.addingReportingOverflow(one)
      if overflow || carry { return nil }
      number = sum
    }
    return digits.count > (isNegative ? 1 : 0) ? number : nil
  }

  /// The fast path for `12.5` and the like: at most 15 digits, all of which a double keeps, with a point
  /// between them. Nil for any other text.
  private static func shortDouble(_ text: String) -> Double? {
    var digits = 0
    var fraction: Int?
    var whole = 0
    let isNegative = text.utf8.first == Byte.minus
    for byte in text.utf8.dropFirst(isNegative ? 1 : 0) {
      if byte == Byte.dot, fraction == nil, digits > 0 {
        fraction = 0
      } else if Byte.isDigit(byte) {
        whole = whole * 10 + Int(byte - UInt8(ascii: "0"))
        digits += 1
        fraction = fraction.map { $0 + 1 }
        if digits > 15 { return nil }
      } else {
        return nil
      }
    }
    guard let fraction, fraction > 0 else { return nil }
    // Both are exact, so that the quotient is the double nearest to the text.
    let value = Double(whole) / powersOfTen[fraction]
    return isNegative ? -value : value
  }

  private static let powersOfTen: [Double] = (1...15).reduce(into: [1]) { powers, exponent in
    powers.append(powers[exponent - 1] * 10)
  }

  private static func isFraction(_ byte: UInt8) -> Bool {
    byte == Byte.dot || byte | 0x20 == UInt8(ascii: "e")
  }
}

extension Double {
  /// A zero keeps its sign.
  fileprivate func signed(as text: String) -> Double {
    self == 0 && text.utf8.first == Byte.minus ? -0.0 : self
  }
}
