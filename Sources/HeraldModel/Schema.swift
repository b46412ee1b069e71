/// One property of a class.
public struct PropertySchema: Hashable, Sendable {
  public let id: PropertyID
  public let name: String
  public let type: PropertyType
  public let isPrimaryKey: Bool
  public let isIndexed: Bool
  /// What an object gets where its literal names no value; nil where there is none.
  public let defaultValue: Value?

  public init(
    id: PropertyID, name: String, type: PropertyType, isPrimaryKey: Bool = false,
    isIndexed: Bool = false, defaultValue: Value? = nil
  ) {
    self.id = id
    self.name = name
    self.type = type
    self.isPrimaryKey = isPrimaryKey
    self.isIndexed = isIndexed
    self.defaultValue = defaultValue
  }
}

/// One class: its properties in the order of their declaration.
public struct ClassSchema: Hashable, Sendable {
  public let id: ClassID
  public let name: String
  /// False for a class that others name as a target and that has not been declared yet.
  public let isDeclared: Bool
  public let properties: [PropertySchema]
  public let primaryKey: PropertySchema?
  private let places: [String: Int]
  private let placesByID: [PropertyID: Int]

  public init(id: ClassID, name: String, isDeclared: Bool = true, properties: [PropertySchema]) {
    self.id = id
    self.name = name
    self.isDeclared = isDeclared
    self.properties = properties
    self.primaryKey = properties.first(where: \.isPrimaryKey)
    self.places = Dictionary(
      uniqueKeysWithValues: properties.enumerated().map { ($1.name, $0) })
    self.placesByID = Dictionary(uniqueKeysWithValues: properties.enumerated().map { ($1.id, $0) })
  }

  public func property(named name: String) -> PropertySchema? {
    places[name].map { properties[$0] }
  }

  public func property(_ id: PropertyID) -> PropertySchema? {
    placesByID[id].map { properties[$0] }
  }

  /// The place of a property in the order of declaration, which is the order of change reports.
  public func order(of id: PropertyID) -> Int? { placesByID[id] }
}

/// Every class of a store at one version.
public struct Schema: Hashable, Sendable {
  public private(set) var classes: [ClassSchema]
  private var places: [String: Int]
  private var placesByID: [ClassID: Int]

  public init(classes: [ClassSchema] = []) {
    self.classes = classes
    self.places = Dictionary(uniqueKeysWithValues: classes.enumerated().map { ($1.name, $0) })
    self.placesByID = Dictionary(uniqueKeysWithValues: classes.enumerated().map { ($1.id, $0) })
  }

  public func classSchema(named name: String) -> ClassSchema? { places[name].map { classes[$0] } }

  public func classSchema(_ id: ClassID) -> ClassSchema? { placesByID[id].map { classes[$0] } }

  /// Adds a class, or replaces the one with its id.
  public mutating func put(_ schema: ClassSchema) {
    if let place = placesByID[schema.id] {
      classes[place] = schema
      self = Schema(classes: classes)
    } else {
      places[schema.name] = classes.count
      placesByID[schema.id] = classes.count
      classes.append(schema)
    }
  }
}
