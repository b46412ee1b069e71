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
  /// The number that the next new class gets: no number is given twice.
  package private(set) var nextClass: ClassID

  public init(classes: [ClassSchema] = [], projections: [ProjectionDefinition] = []) {
    self.init(classes: classes, projections: projections, nextClass: ClassID(1))
  }

  /// `nextClass` counts where classes with the highest numbers were dropped.
  package init(
    classes: [ClassSchema], projections: [ProjectionDefinition], nextClass: ClassID
  ) {
    storage = Storage(classes)
    self.projections = projections
    self.nextClass = classes.reduce(nextClass) { max($0, ClassID($1.id.rawValue + 1)) }
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

  /// Whether the classes are known to be the same without comparing them. O(1).
  package func isIdentical(to other: Schema) -> Bool { storage === other.storage }

  /// Adds a class, or replaces the one with its id.
  public mutating func put(_ schema: ClassSchema) {
    var classes = storage.classes
    if let place = classes.firstIndex(where: { $0.id == schema.id }) {
      classes[place] = schema
    } else {
      classes.append(schema)
    }
    storage = Storage(classes)
    nextClass = max(nextClass, ClassID(schema.id.rawValue + 1))
  }

  /// No class declared from now on gets a number before `id`.
  mutating func skipClasses(before id: ClassID) { nextClass = max(nextClass, id) }

  /// Takes a class out.
  package mutating func remove(_ classID: ClassID) {
    storage = Storage(storage.classes.filter { $0.id != classID })
  }

  /// Takes the classes out that nobody declared and that no property names any more.
  package mutating func removeUnnamed() {
    let named = Set(storage.classes.flatMap { $0.properties.compactMap(\.type.linkedClass) })
    let isLeft = { (classSchema: ClassSchema) in
      !classSchema.isDeclared && !named.contains(classSchema.id)
    }
    guard storage.classes.contains(where: isLeft) else { return }
    storage = Storage(storage.classes.filter { !isLeft($0) })
  }
}

/// Up to so many names are compared one by one.
private let fewClasses = 8

extension Schema: Hashable {
  public static func == (a: Schema, b: Schema) -> Bool {
    (a.storage === b.storage || a.classes == b.classes) && a.projections == b.projections
      && a.nextClass == b.nextClass
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(classes) }
}
