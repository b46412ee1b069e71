public import HeraldModel

extension Decimal128: PersistableValue {
  public static var _element: PersistedElement { PersistedElement(.decimal) }
  public static func _missing() -> Decimal128 { .zero }

  public static func _decode(_ value: Value, _ core: StoreCore) -> Decimal128? {
    if case .decimal(let value) = value { value } else { nil }
  }

  public func _encode(_ links: LinkEncoder) throws -> Value { .decimal(self) }
  public var _text: String { description }
}

extension Decimal128: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
  /// The number of a literal.
  public init(integerLiteral value: Int) { self.init(value) }
  /// The number of a literal, which has the precision of a `Double`; `Decimal128(string:)` keeps every digit.
  public init(floatLiteral value: Double) { self.init(value) }
}

extension Decimal128 {
  /// Parses a number, which is rounded to 34 digits. Errors: `ValueError` for other text.
  public init(string: String) throws {
    guard let value = Decimal128(string) else {
      throw ValueError("'\(string)' is no decimal number")
    }
    self = value
  }
}

extension Decimal128: Codable {
  /// Decodes the text of a number.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let value = Decimal128(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "'\(text)' is no decimal number")
    }
    self = value
  }

  /// Encodes the text of the number, with every digit.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// Text that is no value of a type.
public struct ValueError: Error, Hashable, CustomStringConvertible {
  /// A full sentence with the text.
  public let description: String

  init(_ description: String) { self.description = description }
}
