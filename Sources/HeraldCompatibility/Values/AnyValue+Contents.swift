public import FoundationEssentials
public import Herald

extension AnyValue {
  /// No value.
  public init() { self = .none }

  /// The Boolean; nil for another value.
  public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }
  /// The whole number; nil for another value.
  public var intValue: Int? { if case .int(let value) = self { value } else { nil } }
  /// The number of single precision; nil for another value.
  public var floatValue: Float? { if case .float(let value) = self { value } else { nil } }
  /// The number of double precision; nil for another value.
  public var doubleValue: Double? { if case .double(let value) = self { value } else { nil } }
  /// The text; nil for another value.
  public var stringValue: String? { if case .string(let value) = self { value } else { nil } }
  /// The bytes; nil for another value.
  public var dataValue: Data? { if case .data(let value) = self { value } else { nil } }
  /// The moment; nil for another value.
  public var dateValue: Date? { if case .date(let value) = self { value } else { nil } }
  /// The identifier of 12 bytes; nil for another value.
  public var objectIdValue: ObjectId? { if case .objectId(let value) = self { value } else { nil } }
  /// The identifier of 16 bytes; nil for another value.
  public var uuidValue: UUID? { if case .uuid(let value) = self { value } else { nil } }
  /// The decimal number; nil for another value.
  public var decimal128Value: Decimal128? {
    if case .decimal128(let value) = self { value } else { nil }
  }
  /// The list; nil for another value.
  ///
  /// An assignment of it, or of an element, is one of the whole property: `dog.extra.listValue?.append(.int(3))`.
  public var listValue: [AnyValue]? {
    get { if case .list(let values) = self { values } else { nil } }
    set { self = newValue.map { .list($0) } ?? .none }
  }

  /// The dictionary; nil for another value. An assignment is one of the whole property.
  public var dictionaryValue: [String: AnyValue]? {
    get { if case .dictionary(let entries) = self { entries } else { nil } }
    set { self = newValue.map { .dictionary($0) } ?? .none }
  }

  /// Returns the object that is linked to; nil for another value, and for an object of another class.
  public func object<Linked: Object>(_ type: Linked.Type) -> Linked? {
    if case .object(let object) = self { object as? Linked } else { nil }
  }

  /// The value by itself, of a list and a dictionary those of its elements; nil for none.
  var contents: Any? {
    switch self {
    case .none: nil
    case .bool(let value): value
    case .int(let value): value
    case .float(let value): value
    case .double(let value): value
    case .string(let value): value
    case .data(let value): value
    case .date(let value): value
    case .objectId(let value): value
    case .uuid(let value): value
    case .decimal128(let value): value
    case .object(let object): object
    case .list(let values): values.map(\.contents)
    case .dictionary(let entries): entries.mapValues(\.contents)
    }
  }
}
