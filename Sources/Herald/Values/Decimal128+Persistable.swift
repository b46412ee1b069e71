import FoundationEssentials
public import HeraldModel

extension Decimal128: PersistableValue {
  public typealias PersistedType = Decimal128
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
    self = try parsed(string, as: "decimal number") { Decimal128($0) }
  }
}

extension Decimal128: Codable {
  /// Decodes the text of a number, or a number.
  public init(from decoder: any Decoder) throws {
    if let decimal = try? decoder.singleValueContainer().decode(Decimal.self),
      let number = Decimal128("\(decimal)")
    {
      self = number
      return
    }
    self = try decodedText(decoder) { try Decimal128(string: $0) }
  }

  /// Encodes the text of the number, with every digit.
  public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}

/// Returns the value of a text. Errors: `ValueError` for one that has none.
func parsed<Value>(_ text: String, as what: String, _ parse: (String) -> Value?) throws -> Value {
  guard let value = parse(text) else { throw ValueError("'\(text)' is no \(what)") }
  return value
}

/// Decodes a value from its text. Errors: `DecodingError`.
func decodedText<Value>(_ decoder: any Decoder, _ parse: (String) throws -> Value) throws -> Value {
  let container = try decoder.singleValueContainer()
  let text = try container.decode(String.self)
  do {
    return try parse(text)
  } catch {
    throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(error)")
  }
}

/// Text that is not a value of a type.
public struct ValueError: Error, Hashable, CustomStringConvertible {
  /// A full sentence with the text.
  public let description: String

  init(_ description: String) { self.description = description }
}
