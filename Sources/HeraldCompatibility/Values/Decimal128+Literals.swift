public import Herald

extension Decimal128: ExpressibleByStringLiteral {
  /// The number of a text; other text stops the program.
  public init(stringLiteral value: String) {
    guard let number = Decimal128(value) else { fatalError("'\(value)' is no decimal number") }
    self = number
  }
}

extension Decimal128 {
  /// The number of double precision that is nearest.
  public var doubleValue: Double { Double(self) }
  /// Whether the number has a sign, as negative zero has.
  public var isSignMinus: Bool { isNegative }
}
