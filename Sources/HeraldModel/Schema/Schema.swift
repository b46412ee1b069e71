/// Every class of a store at one version. The size of one reference.
public struct Schema: Sendable {
  /// `@unchecked Sendable`: mutated only while a single schema references it (`unshare`). For the same reason
  /// its properties need no check of exclusive access, which every added object would pay for.
  private final class Storage: @unchecked Sendable {
    @exclusivity(unchecked) private(set) var classes: [ClassSchema]
    @exclusivity(unchecked) private(set) var names: [String]
    @exclusivity(unchecked) private(set) var indices: [String: Int]
    /// Indices by the number of a class; -1 where there is none.
    @exclusivity(unchecked) private var indicesByID: [Int]
    /// The numbers of the classes that have backlinks.
    @exclusivity(unchecked) private(set) var classesWithBacklinks: Set<ClassID>

    init(_ classes: [ClassSchema]) {
      self.classes = classes
      names = classes.map(\.name)
      classesWithBacklinks = Set(classes.lazy.filter(\.hasBacklinks).map(\.id))
      indices = Dictionary(uniqueKeysWithValues: classes.enumerated().map { ($1.name, $0) })
      let count = classes.reduce(0) { max($0, Int($1.id.rawValue) + 1) }
      indicesByID = [Int](repeating: -1, count: count)
      for (index, classSchema) in classes.enumerated() {
        indicesByID[Int(classSchema.id.rawValue)] = index
      }
    }

    init(copying other: Storage) {
      (classes, names) = (other.classes, other.names)
      (indices, indicesByID) = (other.indices, other.indicesByID)
      classesWithBacklinks = other.classesWithBacklinks
    }

    /// Appends a class, or replaces the one with its number.
    func put(_ classSchema: ClassSchema) {
      if classSchema.hasBacklinks {
        classesWithBacklinks.insert(classSchema.id)
      } else {
        classesWithBacklinks.remove(classSchema.id)
      }
      let number = Int(classSchema.id.rawValue)
      while indicesByID.count <= number { indicesByID.append(-1) }
      let index = indicesByID[number]
      if index >= 0 {
        if names[index] != classSchema.name {
          indices[names[index]] = nil
          indices[classSchema.name] = index
        }
        classes[index] = classSchema
        names[index] = classSchema.name
      } else {
        indicesByID[number] = classes.count
        indices[classSchema.name] = classes.count
        classes.append(classSchema)
        names.append(classSchema.name)
      }
    }

    /// Removes the class at an index. O(classes after it): few, if classes are declared soon after
    /// they are first referred to.
    func remove(at index: Int) {
      classesWithBacklinks.remove(classes[index].id)
      indicesByID[Int(classes[index].id.rawValue)] = -1
      indices[names[index]] = nil
      classes.remove(at: index)
      names.remove(at: index)
      for moved in index..<classes.count {
        indicesByID[Int(classes[moved].id.rawValue)] = moved
        indices[names[moved]] = moved
      }
    }

    /// Returns the index of a class; nil if there is none of that number.
    func index(of id: ClassID) -> Int? {
      let number = Int(id.rawValue)
      return number < indicesByID.count && indicesByID[number] >= 0 ? indicesByID[number] : nil
    }
  }

  private var storage: Storage
  /// In the order of their declaration.
  public internal(set) var projections: [ProjectionDefinition]
  /// The number of the next new class; no number is used twice.
  package private(set) var nextClass: ClassID

  public init(classes: [ClassSchema] = [], projections: [ProjectionDefinition] = []) {
    self.init(classes: classes, projections: projections, nextClass: ClassID(1))
  }

  /// Makes a schema whose next class has at least the number `nextClass`: classes with the highest
  /// numbers may have been dropped.
  package init(
    classes: [ClassSchema], projections: [ProjectionDefinition], nextClass: ClassID
  ) {
    storage = Storage(classes)
    self.projections = projections
    self.nextClass = classes.reduce(nextClass) { max($0, ClassID($1.id.rawValue + 1)) }
  }

  public var classes: [ClassSchema] { storage.classes }

  /// The classes that have backlinks properties, in the order of `classes`.
  package var classesWithBacklinks: [ClassSchema] {
    storage.classesWithBacklinks.compactMap(storage.index(of:)).sorted().map { storage.classes[$0] }
  }

  public func classSchema(named name: String) -> ClassSchema? {
    if storage.classes.count <= fewClasses {
      let index = storage.names.firstIndex(of: name)
      return index.map { storage.classes[$0] }
    }
    return storage.indices[name].map { storage.classes[$0] }
  }

  public func classSchema(_ id: ClassID) -> ClassSchema? {
    storage.index(of: id).map { storage.classes[$0] }
  }

  /// Whether both share their storage, so that their classes are equal. O(1).
  package func isIdentical(to other: Schema) -> Bool { storage === other.storage }

  /// Copies the storage before a mutation if it is shared.
  private mutating func unshare() {
    if !isKnownUniquelyReferenced(&storage) { storage = Storage(copying: storage) }
  }

  /// Returns the length of the common prefix of classes that share their storage.
  package func commonPrefixCount(identicalTo other: Schema) -> Int {
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

  /// Makes later classes get numbers from `id` on.
  mutating func skipClasses(before id: ClassID) { nextClass = max(nextClass, id) }

  /// Removes a class.
  package mutating func remove(_ classID: ClassID) {
    guard let index = storage.index(of: classID) else { return }
    unshare()
    storage.remove(at: index)
  }

  /// Removes the undeclared classes that no property links to any more.
  package mutating func removeUnreferenced() {
    let named = Set(storage.classes.flatMap { $0.properties.compactMap(\.type.linkedClass) })
    let isOrphan = { (classSchema: ClassSchema) in
      !classSchema.isDeclared && !named.contains(classSchema.id)
    }
    guard storage.classes.contains(where: isOrphan) else { return }
    storage = Storage(storage.classes.filter { !isOrphan($0) })
  }
}

/// Up to this number of classes, comparing each name is faster than hashing.
private let fewClasses = 8

extension Schema: Hashable {
  public static func == (a: Schema, b: Schema) -> Bool {
    (a.storage === b.storage || a.classes == b.classes) && a.projections == b.projections
      && a.nextClass == b.nextClass
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(classes) }
}
