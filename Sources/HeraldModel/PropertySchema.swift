/// One property of a class. Immutable, and one reference, because a schema is passed along at each
/// change of each object.
public struct PropertySchema: Sendable {
  @usableFromInline final class Storage: Sendable {
    @usableFromInline let id: PropertyID
    @usableFromInline let name: String
    @usableFromInline let type: PropertyType
    @usableFromInline let isPrimaryKey: Bool
    @usableFromInline let isIndexed: Bool
    @usableFromInline let defaultValue: Value?

    init(
      _ id: PropertyID, _ name: String, _ type: PropertyType, isPrimaryKey: Bool, isIndexed: Bool,
      defaultValue: Value?
    ) {
      self.id = id
      self.name = name
      self.type = type
      self.isPrimaryKey = isPrimaryKey
      self.isIndexed = isIndexed
      self.defaultValue = defaultValue
    }
  }

  @usableFromInline let storage: Storage

  public init(
    id: PropertyID, name: String, type: PropertyType, isPrimaryKey: Bool = false,
    isIndexed: Bool = false, defaultValue: Value? = nil
  ) {
    storage = Storage(
      id, name, type, isPrimaryKey: isPrimaryKey, isIndexed: isIndexed, defaultValue: defaultValue)
  }

  @inlinable public var id: PropertyID { storage.id }
  @inlinable public var name: String { storage.name }
  @inlinable public var type: PropertyType { storage.type }
  @inlinable public var isPrimaryKey: Bool { storage.isPrimaryKey }
  @inlinable public var isIndexed: Bool { storage.isIndexed }
  /// What an object gets where its literal names no value; nil where there is none.
  @inlinable public var defaultValue: Value? { storage.defaultValue }
}

extension PropertySchema: Hashable {
  public static func == (a: PropertySchema, b: PropertySchema) -> Bool {
    a.storage === b.storage
      || a.id == b.id && a.name == b.name && a.type == b.type && a.isPrimaryKey == b.isPrimaryKey
        && a.isIndexed == b.isIndexed && a.defaultValue == b.defaultValue
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(name)
  }
}
