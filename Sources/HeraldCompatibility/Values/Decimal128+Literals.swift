public import Herald

extension Decimal128: ExpressibleByStringLiteral {
  /// The number of a text; other text stops the program.
  public init(stringLiteral value: String) {
    guard let number = Decimal128(value) else { fatalError("'\(value)' is no decimal number") }
    self = number
  }
}
