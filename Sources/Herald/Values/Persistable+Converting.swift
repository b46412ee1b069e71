import FoundationEssentials
import HeraldModel

// What `create(_:value:)` takes for a property: the property's own type, and what a dictionary literal or an encoded
// value has instead: other integers, arrays for lists and sets, dictionaries for maps and linked objects.

extension Persistable {
  /// Makes a value of what a dictionary holds; nil where it does not fit.
  static func converted(_ value: Any) throws -> Self? {
    if let value = value as? Self { return value }
    if let type = Self.self as? any ConvertibleCollection.Type {
      return isNil(value) ? _initial() : cast(try type.collected(value))
    }
    if let type = Self.self as? any PersistableElement.Type {
      return cast(try type.convertedElement(value))
    }
    return nil
  }
}

/// Returns a converted value as its type; nil if there is none, which `as?` makes a value of a type that is optional.
private func cast<T>(_ value: Any?) -> T? {
  guard let value else { return nil }
  return value as? T
}

extension PersistableElement {
  /// Makes an element of what a dictionary holds; nil where it does not fit.
  package static func element(of value: Any) throws -> Self? { cast(try convertedElement(value)) }

  fileprivate static func convertedElement(_ value: Any) throws -> Any? {
    if let value = value as? Self { return value }
    if let type = Self.self as? any ContainingElement.Type {
      return try type.contained.convertedElement(value).map { type.container(of: $0) }
    }
    if let type = Self.self as? any ConvertedPersistable.Type {
      return try type.restored(from: value)
    }
    if let type = Self.self as? any OptionalElement.Type {
      if isNil(value) { return Self._missing() }
      return try type.wrapped.convertedElement(value).map { type.wrap($0) }
    }
    if let type = Self.self as? ObjectBase.Type {
      if let values = value as? [String: Any] { return try type.unmanaged(values) }
      guard let values = value as? [Any] else { return nil }
      return try type.unmanaged(ObjectTable.of(type).named(values))
    }
    switch value {
    case let value as any BinaryInteger:
      if let type = Self.self as? any FixedWidthInteger.Type { return exact(value, type) }
      if Self.self == Bool.self { return Int(exactly: value).flatMap { [0: false, 1: true][$0] } }
      if Self.self == Double.self { return Double(value) }
      if Self.self == Float.self { return Float(value) }
      if Self.self == Decimal128.self { return Int(exactly: value).map { Decimal128($0) } }
      if Self.self == AnyValue.self { return Int(exactly: value).map { AnyValue.int($0) } }
    case let value as Float where Self.self == Double.self: return Double(value)
    case let value as Float where Self.self == Decimal128.self: return Decimal128("\(value)")
    case let value as Decimal where Self.self == Decimal128.self: return Decimal128("\(value)")
    case let value as Double:
      if Self.self == Float.self { return value.isFinite ? finite(Float(value)) : Float(value) }
      if Self.self == Decimal128.self { return Decimal128(value) }
    case let value as String:
      if Self.self == Decimal128.self { return Decimal128(value) }
      if Self.self == UUID.self { return UUID(uuidString: value) }
    default: break
    }
    if Self.self == AnyValue.self { return try AnyValue(converting: value) }
    if let type = Self.self as? any PersistableEnum.Type, let found = enumerated(type, value) {
      return found
    }
    switch value {
    case let value as any PersistableEnum: return try convertedElement(value.rawValue)
    case let value as any ConvertedPersistable: return try convertedElement(value.persistableValue)
    case _: return nil
    }
  }

  /// Whether a value is of the type that is stored, and may be none of this one.
  fileprivate static func storesOther(_ value: Any) throws -> Bool {
    switch Self.self {
    case let type as any OptionalElement.Type: try type.wrapped.storesOther(value)
    case let type as any PersistableEnum.Type: try takes(value, type)
    case let type as any FailableCustomPersistable.Type: try takes(value, type)
    case _: false
    }
  }

  private static func takes<E: PersistableEnum>(_ value: Any, _ type: E.Type) throws -> Bool {
    try E.RawValue.convertedElement(value) != nil
  }

  private static func takes<E: FailableCustomPersistable>(
    _ value: Any, _ type: E.Type
  ) throws -> Bool { try E.PersistedType.convertedElement(value) != nil }

  private static func finite(_ value: Float) -> Float? { value.isFinite ? value : nil }

  private static func exact<N: FixedWidthInteger>(_ value: any BinaryInteger, _ type: N.Type) -> N?
  {
    N(exactly: value)
  }

  private static func enumerated<E: PersistableEnum>(_ type: E.Type, _ value: Any) -> Any? {
    (value as? E.RawValue).flatMap(E.init(rawValue:))
  }
}

/// Whether a value is an optional without a value, or what Foundation's collections have instead.
private func isNil(_ value: Any) -> Bool {
  if let value = value as? any OptionalValue { return value.content.map(isNil) ?? true }
  // Foundation is not imported for it alone.
  return type(of: value) is AnyClass && String(describing: type(of: value)) == "NSNull"
}

private protocol OptionalValue { var content: Any? { get } }

extension Optional: OptionalValue {
  var content: Any? { self }
}

/// A property in an object of its own, from what it has.
private protocol ContainingElement {
  static var contained: any PersistableElement.Type { get }
  static func container(of value: Any) -> Any
}

extension StoredProperty: ContainingElement {
  fileprivate static var contained: any PersistableElement.Type { Value.self }

  fileprivate static func container(of value: Any) -> Any {
    (value as? Value).map { StoredProperty($0) } as Any
  }
}

extension ConvertedPersistable {
  /// Returns the value of one of the type that is stored, which an embedded object has in the place of none.
  fileprivate static func restored(from value: Any) throws -> Any? {
    if isNil(value), PersistedType.self is ObjectBase.Type { return _missing() }
    guard let stored = try PersistedType.element(of: value) else { return nil }
    return _restored(stored)
  }
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
  static func collected(_ value: Any) throws -> Any?
}

extension List: ConvertibleCollection {
  fileprivate static func collected(_ value: Any) throws -> Any? {
    try elements(value, Element.self).map { List($0) }
  }
}

extension MutableSet: ConvertibleCollection {
  fileprivate static func collected(_ value: Any) throws -> Any? {
    guard let elements = try elements(value, Element.self) else { return nil }
    let set = MutableSet()
    set.insert(objectsIn: elements)
    return set
  }
}

extension Map: ConvertibleCollection {
  fileprivate static func collected(_ value: Any) throws -> Any? {
    guard let entries = entries(of: value) else { return nil }
    let map = Map()
    for (key, value) in entries {
      guard let value = try Value.element(of: value) else { return nil }
      map[Key(_text: key)] = value
    }
    return map
  }
}

/// The entries of a dictionary, of a map of other values, or of an array without elements, which is an empty dictionary to
/// many an encoder; nil for another value.
private func entries(of value: Any) -> [String: Any]? {
  switch value {
  case let entries as [String: Any]: entries
  case let map as any EntriesByText: map.entriesByText
  case let values as [Any] where values.isEmpty: [:]
  case _: nil
  }
}

private protocol EntriesByText { var entriesByText: [String: Any] { get } }

extension Map: EntriesByText {
  fileprivate var entriesByText: [String: Any] {
    Dictionary(uniqueKeysWithValues: map { ($0.key._text, $0.value as Any) })
  }
}

private func elements<Element: PersistableElement>(
  _ value: Any, _ type: Element.Type
) throws -> [Element]? {
  guard let values = value as? any Sequence else { return nil }
  var elements: [Element] = []
  for value in values {
    guard let element = try Element.element(of: value) else { return nil }
    elements.append(element)
  }
  return elements
}

extension AnyValue {
  /// Makes the value of one of Foundation's objects, too, whose numbers are Booleans to Swift where they are 0 and 1.
  package init?(bridging value: Any) throws {
    if let number = value as? Int {
      self = .int(number)
    } else if let number = value as? Double {
      self = .double(number)
    } else {
      try self.init(converting: value)
    }
  }

  /// Makes a value of what a dictionary holds; nil for a type that no property has.
  init?(converting value: Any) throws {
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
    case let value as Decimal128: self = .decimal128(value)
    case let value as Object: self = .object(value)
    case let values as [Any]:
      self = .list(try values.map { try AnyValue(converting: $0) ?? AnyValue.none })
    case let entries as [String: Any]:
      self = .dictionary(
        try entries.mapValues { try AnyValue(converting: $0) ?? AnyValue.none })
    case _:
      guard isNil(value) else { return nil }
      self = .none
    }
  }
}

extension ObjectBase {
  /// Makes an unmanaged instance with values by name; the object with a primary key that is given in place of a linked
  /// object's values is not looked up. Errors: `unknownProperty`, `wrongType`.
  static func unmanaged(_ values: [String: Any]) throws -> Self {
    let object = self.init()
    try setGiven(values, of: object)
    return object
  }

  /// Sets properties of an unmanaged instance. Errors: `unknownProperty`, `wrongType`.
  func setLocal(_ values: [String: Any]) throws {
    let table = try classTable()
    for (name, value) in values {
      let property = try table.required(name)
      property.local.set(self, try property.converted(value, of: table))
    }
  }
}

/// Sets properties of an unmanaged instance that is made of values in those of another one, and notes which. Errors:
/// `unknownProperty`, `wrongType`.
func setGiven(_ values: [String: Any], of object: ObjectBase) throws {
  try object.setLocal(values)
  let table = try object.classTable()
  object._extra = GivenValues(table.storedNames(values.keys))
}

extension ObjectTable {
  /// Returns values in the order of the properties by name; there may be fewer. Errors: `ValueError` for more.
  package func named(_ values: [Any]) throws -> [String: Any] { try Self.named(values, definition) }

  /// Returns values in the order of a class's properties by name; there may be fewer. Errors: `ValueError` for more.
  static func named(_ values: [Any], _ definition: ClassDefinition) throws -> [String: Any] {
    let names = definition.properties.filter { property in
      if case .backlinks = property.shape { false } else { true }
    }.map(\.name)
    guard values.count <= names.count else {
      throw ValueError(
        "class '\(definition.name)' has \(names.count) properties with values, and gets \(values.count): "
          + "\(names.joined(separator: ", "))")
    }
    return Dictionary(uniqueKeysWithValues: zip(names, values))
  }

  /// The values of an object's properties by the names that a store has for them.
  func values(of object: ObjectBase) -> [String: Any] {
    let stored = properties.filter { $0.originProperty == nil }
    return Dictionary(
      uniqueKeysWithValues: stored.map {
        ($0.name, PropertyChange.unwrapped($0.value(of: object)) as Any)
      })
  }

  /// The names in the store of properties by their names in the program.
  func storedNames(_ names: some Sequence<String>) -> Set<String> {
    Set(names.map { property(named: $0)?.name ?? $0 })
  }

  /// Returns a property. Errors: `unknownProperty`.
  func required(_ name: String) throws -> Property {
    guard let property = property(named: name) else {
      throw HeraldError.unknownProperty(
        name, className: className, nearest: nearestName(to: name, in: properties.map(\.name)))
    }
    return property
  }
}

extension ObjectTable.Property {
  /// Returns a value of the property's type for one that is assigned: where nil is a value, it stands for one of the stored
  /// type that is none of the property's. Errors: `wrongType`.
  func assigned(_ value: Any, of table: ObjectTable) throws -> any Persistable {
    if let element = type as? any PersistableElement.Type, try element.storesOther(value),
      try convertedValue(type, value) == nil, definition.isOptional
    {
      return type._initial()
    }
    return try converted(value, of: table)
  }

  /// Returns a value of the property's type. Errors: `wrongType`.
  func converted(_ value: Any, of table: ObjectTable) throws -> any Persistable {
    guard let converted = try convertedValue(type, table.linked(value, self)) else {
      throw HeraldError.wrongType(
        property: name, className: table.className, expected: "\(type)",
        value: PropertyChange.unwrapped(value).map { "\($0)" } ?? "nil")
    }
    return converted
  }

  private func convertedValue(
    _ type: any Persistable.Type, _ value: Any
  ) throws -> (any Persistable)? { try type.converted(value) }
}
