import HeraldModel

/// A type with the one that a store has for it: of an enumeration that of its raw value, of a number the number itself.
public protocol HasPersistedType: SendableMetatype {
  /// The type as which a store has the values.
  associatedtype PersistedType
  /// The value of a stored one; nil where it is none.
  static func _restored(_ value: PersistedType) -> Self?
}

extension HasPersistedType where PersistedType == Self {
  public static func _restored(_ value: Self) -> Self? { value }
}

/// A type that a property, and an element of a list, a set or a map, can have.
public protocol PersistableElement: CollectionElement {
  static var _element: PersistedElement { get }
  /// Reads a single-valued property of a managed object; nil for nil.
  static func _readOptional(_ reference: PropertyReference) -> Self?
  /// The value that stands for one that is missing.
  static func _missing() -> Self
  /// The object that a key path reads through a link; nil for values.
  static func _probeElement(_ trace: KeyPathTrace) -> Self?
}

extension PersistableElement {
  public static var _objectType: ObjectBase.Type? { _element.objectType }

  public static func _instance(_ object: ObjectBase) -> Self {
    if let element = object as? Self { return element }
    stopProgram("an object of class '\(type(of: object))' is no '\(Self.self)'")
  }

  public static func _readOptional(_ reference: PropertyReference) -> Self? {
    let property = reference.property
    let value = property.value
    if value.isNull { return nil }
    return _decode(value, property.core) ?? property.stop(wrong: value)
  }

  public static func _probeElement(_ trace: KeyPathTrace) -> Self? { nil }
}
