/// Every class of a store at one version. One reference.
public struct Schema: Sendable {
  /// `@unchecked Sendable`: it is changed only while one schema alone has it (`unshare`).
  private final class Storage: @unchecked Sendable {
    private(set) var classes: [ClassSchema]
    private(set) var names: [String]
    private(set) var places: [String: Int]
    /// By the number of a class; -1 where there is none.
    private var placesByID: [Int]
    /// The numbers of the classes that have backlinks.
    private(set) var backlinkHolders: Set<ClassID>

    init(_ classes: [ClassSchema]) {
      self.classes = classes
      names = classes.map(\.name)
      backlinkHolders = Set(classes.lazy.filter(\.hasBacklinks).map(\.id))
      places = Dictionary(uniqueKeysWithValues: classes.enumerated().map { ($1.name, $0) })
      let count = classes.reduce(0) { max($0, Int($1.id.rawValue) + 1) }
      placesByID = [Int](repeating: -1, count: count)
      for (place, classSchema) in classes.enumerated() {
        placesByID[Int(classSchema.id.rawValue)] = place
      }
    }

    init(copying other: Storage) {
      (classes, names) = (other.classes, other.names)
      (places, placesByID) = (other.places, other.placesByID)
      backlinkHolders = other.backlinkHolders
    }

    /// Puts a class behind the others, or in the place of the one with its number.
    func put(_ classSchema: ClassSchema) {
      if classSchema.hasBacklinks {
        backlinkHolders.insert(classSchema.id)
      } else {
        backlinkHolders.remove(classSchema.id)
      }
      let number = Int(classSchema.id.rawValue)
      while placesByID.count <= number { placesByID.append(-1) }
      let place = placesByID[number]
      if place >= 0 {
        if names[place] != classSchema.name {
          places[names[place]] = nil
          places[classSchema.name] = place
        }
        classes[place] = classSchema
        names[place] = classSchema.name
      } else {
        placesByID[number] = classes.count
        places[classSchema.name] = classes.count
        classes.append(classSchema)
        names.append(classSchema.name)
      }
    }

    /// Takes the class at a place out. What comes after it moves up: little, where classes are declared
    /// soon after they were first named.
    func remove(at place: Int) {
      backlinkHolders.remove(classes[place].id)
      placesByID[Int(classes[place].id.rawValue)] = -1
      places[names[place]] = nil
      classes.remove(at: place)
      names.remove(at: place)
      for moved in place..<classes.count {
        placesByID[Int(classes[moved].id.rawValue)] = moved
        places[names[moved]] = moved
      }
    }

    /// The place of a class; nil where there is none of that number.
    func place(_ id: ClassID) -> Int? {
      let number = Int(id.rawValue)
      return number < placesByID.count && placesByID[number] >= 0 ? placesByID[number] : nil
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

  /// The classes that have properties of backlinks, in their order.
  package var backlinkHolders: [ClassSchema] {
    storage.backlinkHolders.compactMap(storage.place).sorted().map { storage.classes[$0] }
  }

  public func classSchema(named name: String) -> ClassSchema? {
    if storage.classes.count <= fewClasses {
      let place = storage.names.firstIndex(of: name)
      return place.map { storage.classes[$0] }
    }
    return storage.places[name].map { storage.classes[$0] }
  }

  public func classSchema(_ id: ClassID) -> ClassSchema? {
    storage.place(id).map { storage.classes[$0] }
  }

  /// Whether the classes are known to be the same without comparing them. O(1).
  package func isIdentical(to other: Schema) -> Bool { storage === other.storage }

  /// Makes the classes this schema's alone, to be changed.
  private mutating func unshare() {
    if !isKnownUniquelyReferenced(&storage) { storage = Storage(copying: storage) }
  }

  /// How many classes at the beginning are known to be the same without comparing them.
  package func countOfFirstClasses(identicalTo other: Schema) -> Int {
    storage.classes.withUnsafeBufferPointer { mine in
      other.storage.classes.withUnsafeBufferPointer { others in
        var count = 0
        while count < min(mine.count, others.count), mine[count].isIdentical(to: others[count]) {
          count += 1
        }
        return count
      }
    }
  }

  /// Adds a class, or replaces the one with its id.
  public mutating func put(_ schema: ClassSchema) {
    unshare()
    storage.put(schema)
    nextClass = max(nextClass, ClassID(schema.id.rawValue + 1))
  }

  /// No class declared from now on gets a number before `id`.
  mutating func skipClasses(before id: ClassID) { nextClass = max(nextClass, id) }

  /// Takes a class out.
  package mutating func remove(_ classID: ClassID) {
    guard let place = storage.place(classID) else { return }
    unshare()
    storage.remove(at: place)
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
