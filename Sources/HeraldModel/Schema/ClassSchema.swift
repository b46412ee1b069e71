/// One class: its properties in the order of their declaration. Immutable, and one reference.
public struct ClassSchema: Sendable {
  @usableFromInline final class Storage: Sendable {
    @usableFromInline let id: ClassID
    @usableFromInline let name: String
    @usableFromInline let isDeclared: Bool
    @usableFromInline let isEmbedded: Bool
    @usableFromInline let properties: [PropertySchema]
    @usableFromInline let primaryKey: PropertySchema?
    let nextProperty: PropertyID
    let hasBacklinks: Bool
    /// Empty where there are so few properties that looking at each is faster.
    let places: [String: Int]
    /// By the number of a property; -1 where there is none.
    let placesByID: [Int]

    init(
      _ id: ClassID, _ name: String, isDeclared: Bool, isEmbedded: Bool,
      _ properties: [PropertySchema], nextProperty: PropertyID?
    ) {
      self.id = id
      self.name = name
      self.isDeclared = isDeclared
      self.isEmbedded = isEmbedded
      self.properties = properties
      primaryKey = properties.first(where: \.isPrimaryKey)
      hasBacklinks = properties.contains { $0.type.isBacklinks }
      places =
        properties.count <= fewProperties
        ? [:] : Dictionary(uniqueKeysWithValues: properties.enumerated().map { ($1.name, $0) })
      let count = properties.reduce(0) { max($0, Int($1.id.rawValue) + 1) }
      var placesByID = [Int](repeating: -1, count: count)
      for (place, property) in properties.enumerated() {
        placesByID[Int(property.id.rawValue)] = place
      }
      self.placesByID = placesByID
      self.nextProperty = max(PropertyID(UInt32(max(count, 1))), nextProperty ?? PropertyID(1))
    }
  }

  @usableFromInline let storage: Storage

  public init(
    id: ClassID, name: String, isDeclared: Bool = true, isEmbedded: Bool = false,
    properties: [PropertySchema], nextProperty: PropertyID? = nil
  ) {
    storage = Storage(
      id, name, isDeclared: isDeclared, isEmbedded: isEmbedded, properties,
      nextProperty: nextProperty)
  }

  @inlinable public var id: ClassID { storage.id }
  @inlinable public var name: String { storage.name }
  /// False for a class that others name as a target and that has not been declared yet.
  @inlinable public var isDeclared: Bool { storage.isDeclared }
  /// Its objects live and die with the one object that holds them.
  @inlinable public var isEmbedded: Bool { storage.isEmbedded }
  @inlinable public var properties: [PropertySchema] { storage.properties }
  @inlinable public var primaryKey: PropertySchema? { storage.primaryKey }
  /// The number that the next new property gets: no number is given twice.
  package var nextProperty: PropertyID { storage.nextProperty }

  /// Whether the classes are known to be the same without comparing them. O(1).
  package func isIdentical(to other: ClassSchema) -> Bool { storage === other.storage }

  /// Whether it has a property of backlinks.
  package var hasBacklinks: Bool { storage.hasBacklinks }

  public func property(named name: String) -> PropertySchema? {
    if storage.properties.count <= fewProperties {
      for property in storage.properties where property.storage.name == name { return property }
      return nil
    }
    return storage.places[name].map { storage.properties[$0] }
  }

  public func property(_ id: PropertyID) -> PropertySchema? {
    order(of: id).map { storage.properties[$0] }
  }

  /// The place of a property in the order of declaration, which is the order of change reports.
  public func order(of id: PropertyID) -> Int? {
    let number = Int(id.rawValue)
    guard number < storage.placesByID.count, storage.placesByID[number] >= 0 else { return nil }
    return storage.placesByID[number]
  }
}

/// Up to so many names are compared one by one, which is faster than to hash the name looked for.
private let fewProperties = 12

extension ClassSchema: Hashable {
  public static func == (a: ClassSchema, b: ClassSchema) -> Bool {
    a.storage === b.storage
      || a.id == b.id && a.name == b.name && a.isDeclared == b.isDeclared
        && a.isEmbedded == b.isEmbedded
        && a.properties == b.properties && a.nextProperty == b.nextProperty
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(name)
  }
}
