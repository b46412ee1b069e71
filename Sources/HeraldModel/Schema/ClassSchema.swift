/// One class: its properties in the order of their declaration. Immutable, and the size of one
/// reference.
public struct ClassSchema: Sendable {
  @usableFromInline final class Storage: Sendable {
    @usableFromInline let id: ClassID
    @usableFromInline let name: String
    @usableFromInline let isDeclared: Bool
    @usableFromInline let isEmbedded: Bool
    @usableFromInline let properties: [PropertySchema]
    @usableFromInline let primaryKey: PropertySchema?
    let retention: ObjectRetention?
    let nextProperty: PropertyID
    /// The classes from which its backlinks properties come.
    let backlinkOrigins: Set<ClassID>
    /// Empty if there are so few properties that a linear search is faster.
    let indices: [String: Int]
    /// Indices by the number of a property; -1 where there is none.
    let indicesByID: [Int]

    init(
      _ id: ClassID, _ name: String, isDeclared: Bool, isEmbedded: Bool,
      _ properties: [PropertySchema], nextProperty: PropertyID?, _ retention: ObjectRetention?
    ) {
      self.id = id
      self.name = name
      self.isDeclared = isDeclared
      self.isEmbedded = isEmbedded
      self.properties = properties
      self.retention = retention
      primaryKey = properties.first(where: \.isPrimaryKey)
      backlinkOrigins = Set(
        properties.lazy.filter(\.type.isBacklinks).compactMap(\.type.linkedClass))
      indices =
        properties.count <= fewProperties
        ? [:] : Dictionary(uniqueKeysWithValues: properties.enumerated().map { ($1.name, $0) })
      let count = properties.reduce(0) { max($0, Int($1.id.rawValue) + 1) }
      var indicesByID = [Int](repeating: -1, count: count)
      for (index, property) in properties.enumerated() {
        indicesByID[Int(property.id.rawValue)] = index
      }
      self.indicesByID = indicesByID
      self.nextProperty = max(PropertyID(UInt32(max(count, 1))), nextProperty ?? PropertyID(1))
    }
  }

  @usableFromInline let storage: Storage

  /// Makes a class of a schema.
  public init(
    id: ClassID, name: String, isDeclared: Bool = true, isEmbedded: Bool = false,
    properties: [PropertySchema], nextProperty: PropertyID? = nil,
    retention: ObjectRetention? = nil
  ) {
    storage = Storage(
      id, name, isDeclared: isDeclared, isEmbedded: isEmbedded, properties,
      nextProperty: nextProperty, retention)
  }

  /// The number of the class in its store.
  @inlinable public var id: ClassID { storage.id }
  /// The name of the class.
  @inlinable public var name: String { storage.name }
  /// False for a class that other classes link to and that is not declared yet.
  @inlinable public var isDeclared: Bool { storage.isDeclared }
  /// Whether each object of the class is owned by exactly one object and deleted with it.
  @inlinable public var isEmbedded: Bool { storage.isEmbedded }
  /// The properties, in order of their declaration.
  @inlinable public var properties: [PropertySchema] { storage.properties }
  /// The primary key, if the class has one.
  @inlinable public var primaryKey: PropertySchema? { storage.primaryKey }
  /// Which objects are kept; nil for all.
  public var retention: ObjectRetention? { storage.retention }
  /// The number of the next new property; no number is used twice.
  package var nextProperty: PropertyID { storage.nextProperty }

  /// Whether both share their storage, and are therefore equal. O(1).
  package func isIdentical(to other: ClassSchema) -> Bool { storage === other.storage }

  /// The classes from which its backlinks properties come.
  var backlinkOrigins: Set<ClassID> { storage.backlinkOrigins }

  /// Returns the property of a name; nil where there is none.
  public func property(named name: String) -> PropertySchema? {
    if storage.properties.count <= fewProperties {
      for property in storage.properties where property.storage.name == name { return property }
      return nil
    }
    return storage.indices[name].map { storage.properties[$0] }
  }

  /// Returns the property of a number; nil where there is none.
  public func property(_ id: PropertyID) -> PropertySchema? {
    order(of: id).map { storage.properties[$0] }
  }

  /// Returns the index of a property in the order of declaration, which is the order of change reports.
  public func order(of id: PropertyID) -> Int? {
    let number = Int(id.rawValue)
    guard number < storage.indicesByID.count, storage.indicesByID[number] >= 0 else { return nil }
    return storage.indicesByID[number]
  }
}

/// Up to this number of properties, comparing each name is faster than hashing the searched one.
private let fewProperties = 12

extension ClassSchema: Hashable {
  /// Whether both are the same class with the same properties.
  public static func == (a: ClassSchema, b: ClassSchema) -> Bool {
    a.storage === b.storage
      || a.id == b.id && a.name == b.name && a.isDeclared == b.isDeclared
        && a.isEmbedded == b.isEmbedded
        && a.properties == b.properties && a.nextProperty == b.nextProperty
        && a.retention == b.retention
  }

  /// Equal classes have one hash value.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(name)
  }
}

extension ClassSchema {
  private static let nestedLists = nested(.nestedLists, "nested lists", .list)
  private static let nestedMaps = nested(.nestedMaps, "nested maps", .map)

  /// Returns the hidden class of nested lists or of nested maps; nil for another number.
  package static func ofNested(_ id: ClassID) -> ClassSchema? {
    switch id {
    case .nestedLists: nestedLists
    case .nestedMaps: nestedMaps
    case _: nil
    }
  }

  private static func nested(_ id: ClassID, _ name: String, _ shape: PropertyShape) -> ClassSchema {
    let elements = PropertySchema(
      id: .elements, name: "elements", type: PropertyType(.any, shape: shape))
    return ClassSchema(id: id, name: name, properties: [elements])
  }
}
