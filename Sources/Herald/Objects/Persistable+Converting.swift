import FoundationEssentials
import HeraldModel

// What `create(_:value:)` takes for a property: the property's own type, and what a dictionary literal or an encoded
// value has instead: other integers, arrays for lists and sets, dictionaries for maps and linked objects.

extension Persistable {
  /// Makes a value of what a dictionary holds; nil where it does not fit.
  static func converted(_ value: Any, _ core: StoreCore) throws -> Self? {
    if let value = value as? Self { return value }
    if let type = Self.self as? any ConvertibleCollection.Type {
      return try type.collected(value, core) as? Self
    }
    if let type = Self.self as? any PersistableElement.Type {
      return try type.convertedElement(value, core) as? Self
    }
    return nil
  }
}

extension PersistableElement {
  fileprivate static func convertedElement(_ value: Any, _ core: StoreCore) throws -> Any? {
    if let value = value as? Self { return value }
    if let type = Self.self as? any OptionalElement.Type {
      if isNil(value) { return Self._missing() }
      return try type.wrapped.convertedElement(value, core).map { type.wrap($0) }
    }
    if let type = Self.self as? ObjectBase.Type {
      guard let values = value as? [String: Any] else { return nil }
      return try core.unmanaged(type, values)
    }
    switch value {
    case let value as any BinaryInteger:
      if let type = Self.self as? any FixedWidthInteger.Type { return exact(value, type) }
      if Self.self == Double.self { return Double(value) }
      if Self.self == Float.self { return Float(value) }
      if Self.self == Decimal128.self { return Int(exactly: value).map { Decimal128($0) } }
      if Self.self == AnyValue.self { return Int(exactly: value).map { AnyValue.int($0) } }
    case let value as Double:
      if Self.self == Float.self { return Float(value) }
      if Self.self == Decimal128.self { return Decimal128(value) }
    default: break
    }
    if Self.self == AnyValue.self { return try AnyValue(converting: value, core) }
    if let type = Self.self as? any PersistableEnum.Type { return enumerated(type, value) }
    return nil
  }

  private static func exact<N: FixedWidthInteger>(_ value: any BinaryInteger, _ type: N.Type) -> N?
  {
    N(exactly: value)
  }

  private static func enumerated<E: PersistableEnum>(_ type: E.Type, _ value: Any) -> Any? {
    (value as? E.RawValue).flatMap(E.init(rawValue:))
  }
}

/// Whether a value is an optional without a value.
private func isNil(_ value: Any) -> Bool { (value as? any OptionalValue)?.isNone ?? false }

private protocol OptionalValue { var isNone: Bool { get } }

extension Optional: OptionalValue {
  var isNone: Bool { if case .none = self { true } else { false } }
}

private protocol OptionalElement {
  static var wrapped: any PersistableElement.Type { get }
  static func wrap(_ value: Any) -> Any
}

extension Optional: OptionalElement where Wrapped: PersistableElement {
  static var wrapped: any PersistableElement.Type { Wrapped.self }
  static func wrap(_ value: Any) -> Any { (value as? Wrapped) as Any }
}

/// A list, a set or a map, from what a dictionary holds.
private protocol ConvertibleCollection {
  static func collected(_ value: Any, _ core: StoreCore) throws -> Any?
}

extension List: ConvertibleCollection {
  fileprivate static func collected(_ value: Any, _ core: StoreCore) throws -> Any? {
    try elements(value, Element.self, core).map { List($0) }
  }
}

extension MutableSet: ConvertibleCollection {
  fileprivate static func collected(_ value: Any, _ core: StoreCore) throws -> Any? {
    guard let elements = try elements(value, Element.self, core) else { return nil }
    let set = MutableSet()
    set.insert(objectsIn: elements)
    return set
  }
}

extension Map: ConvertibleCollection {
  fileprivate static func collected(_ value: Any, _ core: StoreCore) throws -> Any? {
    guard let entries = value as? [String: Any] else { return nil }
    let map = Map()
    for (key, value) in entries {
      guard let value = try Value.convertedElement(value, core) as? Value else { return nil }
      map[Key(_text: key)] = value
    }
    return map
  }
}

private func elements<Element: PersistableElement>(
  _ value: Any, _ type: Element.Type, _ core: StoreCore
) throws -> [Element]? {
  guard let values = value as? any Sequence else { return nil }
  var elements: [Element] = []
  for value in values {
    guard let element = try Element.convertedElement(value, core) as? Element else { return nil }
    elements.append(element)
  }
  return elements
}

extension AnyValue {
  /// Makes a value of what a dictionary holds; nil for a type that no property has.
  init?(converting value: Any, _ core: StoreCore) throws {
    switch value {
    case let value as AnyValue: self = value
    case let value as Bool: self = .bool(value)
    case let value as Int: self = .int(value)
    case let value as Double: self = .double(value)
    case let value as Float: self = .float(value)
    case let value as String: self = .string(value)
    case let value as Data: self = .data(value)
    case let value as Date: self = .date(value)
    case let value as UUID: self = .uuid(value)
    case let value as ObjectId: self = .objectId(value)
    case let value as Decimal128: self = .decimal(value)
    case let value as Object: self = .object(value)
    case let values as [Any]:
      self = .list(try values.map { try AnyValue(converting: $0, core) ?? AnyValue.none })
    case let entries as [String: Any]:
      self = .dictionary(
        try entries.mapValues { try AnyValue(converting: $0, core) ?? AnyValue.none })
    case _:
      guard isNil(value) else { return nil }
      self = .none
    }
  }
}

extension StoreCore {
  /// Makes an unmanaged object with values by name; the object with a primary key that is given in place of a linked
  /// object's values is not looked up. Errors: `unknownProperty`, `wrongType`.
  func unmanaged<T: ObjectBase>(_ type: T.Type, _ values: [String: Any]) throws -> T {
    let table = try ObjectTable.of(type)
    let object = type.init()
    for (name, value) in values {
      guard let property = table.property(named: name) else {
        throw HeraldError.unknownProperty(
          name, className: table.className,
          nearest: nearestName(to: name, in: table.properties.map(\.name)))
      }
      guard let converted = try convertedValue(property.type, value) else {
        throw HeraldError.wrongType(
          property: name, className: table.className, expected: "\(property.type)",
          value: "\(value)")
      }
      property.local.set(object, converted)
    }
    return object
  }

  private func convertedValue(
    _ type: any Persistable.Type, _ value: Any
  ) throws -> (any Persistable)? { try type.converted(value, self) }
}
