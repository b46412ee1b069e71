import Herald

/// Numbers as they are written.
enum NumberText {
  /// An int where it is one, a double where that keeps every digit, else a decimal; nil where the
  /// text is no number, or one too large for a decimal.
  static func value(_ text: String) -> Value? {
    if let integer = Int(text) { return .int(integer) }
    guard let decimal = Decimal128(text), decimal.isFinite else { return nil }
    if text.utf8.contains(where: isFraction) {
      let nearest = Double(decimal)
      if nearest.isFinite, Decimal128(nearest) == decimal {
        return .double(nearest.signed(as: text))
      }
    }
    return .decimal(decimal)
  }

  private static func isFraction(_ byte: UInt8) -> Bool {
    byte == Byte.dot || byte | 0x20 == UInt8(ascii: "e")
  }
}

extension Double {
  /// A zero keeps the sign that it was written with.
  fileprivate func signed(as text: String) -> Double {
    self == 0 && text.utf8.first == Byte.minus ? -0.0 : self
  }
}
