/// Every class of a store at one version. One reference.
public struct Schema: Sendable {
  private final class Storage: Sendable {
    let classes: [ClassSchema]
    let names: [String]
    let places: [String: Int]
    /// By the number of a class; -1 where there is none.
    let placesByID: [Int]

    init(_ classes: [ClassSchema]) {
      self.classes = classes
      names = classes.map(\.name)
      places = Dictionary(uniqueKeysWithValues: classes.enumerated().map { ($1.name, $0) })
      let count = classes.reduce(0) { max($0, Int($1.id.rawValue) + 1) }
      var placesByID = [Int](repeating: -1, count: count)
      for (place, classSchema) in classes.enumerated() {
        placesByID[Int(classSchema.id.rawValue)] = place
      }
      self.placesByID = placesByID
    }
  }

  private var storage: Storage
  /// In the order of their declaration.
  public internal(set) var projections: [ProjectionDefinition]

  public init(classes: [ClassSchema] = [], projections: [ProjectionDefinition] = []) {
    storage = Storage(classes)
    self.projections = projections
  }

  public var classes: [ClassSchema] { storage.classes }

  public func classSchema(named name: String) -> ClassSchema? {
    if storage.classes.count <= fewClasses {
      let place = storage.names.firstIndex(of: name)
      return place.map { storage.classes[$0] }
    }
    return storage.places[name].map { storage.classes[$0] }
  }

  public func classSchema(_ id: ClassID) -> ClassSchema? {
    let number = Int(id.rawValue)
    guard number < storage.placesByID.count, storage.placesByID[number] >= 0 else { return nil }
    return storage.classes[storage.placesByID[number]]
  }

  /// Adds a class, or replaces the one with its id.
  public mutating func put(_ schema: ClassSchema) {
    var classes = storage.classes
    if let place = classes.firstIndex(where: { $0.id == schema.id }) {
      classes[place] = schema
    } else {
      classes.append(schema)
    }
    storage = Storage(classes)
  }
}

/// Up to so many names are compared one by one.
private let fewClasses = 8

extension Schema: Hashable {
  public static func == (a: Schema, b: Schema) -> Bool {
    (a.storage === b.storage || a.classes == b.classes) && a.projections == b.projections
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(classes) }
}
