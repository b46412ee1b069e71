public import FoundationEssentials
public import HeraldModel

/// A value of any type that a property can hold, with lists and dictionaries of such values.
///
///     @Persisted var extra: AnyValue
///     dog.extra = .list([.int(1), .string("one")])
public enum AnyValue {
  /// No value.
  case none
  /// A Boolean.
  case bool(Bool)
  /// A whole number of 64 bits.
  case int(Int)
  /// A number of single precision.
  case float(Float)
  /// A number of double precision.
  case double(Double)
  /// Text.
  case string(String)
  /// Bytes.
  case data(Data)
  /// A moment.
  case date(Date)
  /// An identifier of 12 bytes.
  case objectId(ObjectId)
  /// An identifier of 16 bytes.
  case uuid(UUID)
  /// A decimal number of 34 digits.
  case decimal128(Decimal128)
  /// A link to an object; its deletion makes the value nil.
  case object(Object)
  /// Values in an order.
  case list([AnyValue])
  /// Values by keys.
  case dictionary([String: AnyValue])
}

extension AnyValue: PersistableValue {
  public typealias PersistedType = AnyValue
  public static var _element: PersistedElement { PersistedElement(.any, isOptional: true) }
  public static func _missing() -> AnyValue { .none }

  public static func _read(_ reference: PropertyReference) -> AnyValue {
    let property = reference.property
    return _decode(property.value, property.core) ?? AnyValue.none
  }

  public static func _decode(_ value: Value, _ core: StoreCore) -> AnyValue? {
    switch value {
    case .null: AnyValue.none
    case .bool(let value): .bool(value)
    case .int(let value): .int(value)
    case .float(let value): .float(value)
    case .double(let value): .double(value)
    case .string(let value): .string(value)
    case .data(let value): .data(Data(value))
    case .date(let value): .date(Date(value))
    case .decimal(let value): .decimal128(value)
    case .uuid(let value): .uuid(UUID(value))
    case .objectID(let value): .objectId(value)
    case .link(let id): (core.knownInstance(id) as? Object).map { .object($0) } ?? AnyValue.none
    case .list(let values): .list(values.map { _decode($0, core) ?? AnyValue.none })
    case .map(let entries):
      .dictionary(
        Dictionary(uniqueKeysWithValues: entries.map { ($0.key, _decode($0.value, core) ?? .none) })
      )
    }
  }

  public func _encode(_ links: LinkEncoder) throws -> Value {
    switch self {
    case .none: .null
    case .bool(let value): .bool(value)
    case .int(let value): .int(value)
    case .float(let value): .float(value)
    case .double(let value): .double(value)
    case .string(let value): .string(value)
    case .data(let value): .data(Array(value))
    case .date(let value): try value._encode(links)
    case .decimal128(let value): .decimal(value)
    case .uuid(let value): .uuid(UniqueID(value))
    case .objectId(let value): .objectID(value)
    case .object(let object): .link(try links.link(to: object))
    case .list(let values): .list(try values.map { try $0._encode(links) })
    case .dictionary(let entries):
      .map(MapEntries(try entries.map { ($0.key, try $0.value._encode(links)) }))
    }
  }

  public var _text: String { description }
}

extension AnyValue: CustomStringConvertible {
  /// The value in words.
  public var description: String {
    switch self {
    case .none: "nil"
    case .bool(let value): value.description
    case .int(let value): value.description
    case .float(let value): value.description
    case .double(let value): value.description
    case .string(let value): value
    case .data(let value): value._text
    case .date(let value): value.description
    case .objectId(let value): value.description
    case .uuid(let value): value.uuidString
    case .decimal128(let value): value.description
    case .object(let value): value._text
    case .list(let values): "[" + values.map(\.description).joined(separator: ", ") + "]"
    case .dictionary(let entries):
      "["
        + entries.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(
          separator: ", ") + "]"
    }
  }
}

extension AnyValue: Hashable {}

extension AnyValue: ExpressibleByBooleanLiteral {
  /// A Boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension AnyValue: ExpressibleByIntegerLiteral {
  /// A whole number.
  public init(integerLiteral value: Int) { self = .int(value) }
}

extension AnyValue: ExpressibleByFloatLiteral {
  /// A number of double precision.
  public init(floatLiteral value: Double) { self = .double(value) }
}

extension AnyValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  /// Text.
  public init(stringLiteral value: String) { self = .string(value) }
}
