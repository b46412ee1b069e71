/// One property of a class. Immutable, and the size of one reference, because every change of an
/// object passes a schema along.
public struct PropertySchema: Sendable {
  @usableFromInline final class Storage: Sendable {
    @usableFromInline let id: PropertyID
    @usableFromInline let name: String
    @usableFromInline let type: PropertyType
    @usableFromInline let isPrimaryKey: Bool
    @usableFromInline let isIndexed: Bool
    @usableFromInline let defaultValue: Value?
    @usableFromInline let isGenerated: Bool

    init(
      _ id: PropertyID, _ name: String, _ type: PropertyType, isPrimaryKey: Bool, isIndexed: Bool,
      defaultValue: Value?, isGenerated: Bool
    ) {
      self.id = id
      self.name = name
      self.type = type
      self.isPrimaryKey = isPrimaryKey
      self.isIndexed = isIndexed
      self.defaultValue = defaultValue
      self.isGenerated = isGenerated
    }
  }

  @usableFromInline let storage: Storage

  /// Makes a property of a schema.
  public init(
    id: PropertyID, name: String, type: PropertyType, isPrimaryKey: Bool = false,
    isIndexed: Bool = false, defaultValue: Value? = nil, isGenerated: Bool = false
  ) {
    storage = Storage(
      id, name, type, isPrimaryKey: isPrimaryKey, isIndexed: isIndexed, defaultValue: defaultValue,
      isGenerated: isGenerated)
  }

  /// The number of the property in its class.
  @inlinable public var id: PropertyID { storage.id }
  /// The name.
  @inlinable public var name: String { storage.name }
  /// The type.
  @inlinable public var type: PropertyType { storage.type }
  /// Whether no two objects have the same value.
  @inlinable public var isPrimaryKey: Bool { storage.isPrimaryKey }
  /// Whether it has an index.
  @inlinable public var isIndexed: Bool { storage.isIndexed }
  /// The value of an object whose literal omits the property; nil if there is none.
  @inlinable public var defaultValue: Value? { storage.defaultValue }
  /// Whether a new object gets a new uuid or object id; then there is no default value.
  @inlinable public var isGenerated: Bool { storage.isGenerated }
}

extension PropertySchema: Hashable {
  /// Whether both are the same property with the same type.
  public static func == (a: PropertySchema, b: PropertySchema) -> Bool {
    a.storage === b.storage
      || a.id == b.id && a.name == b.name && a.type == b.type && a.isPrimaryKey == b.isPrimaryKey
        && a.isIndexed == b.isIndexed && a.defaultValue == b.defaultValue
        && a.isGenerated == b.isGenerated
  }

  /// Equal properties have one hash value.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(name)
  }
}
