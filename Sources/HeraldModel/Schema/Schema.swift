/// Every class of a store at one version. The size of one reference.
public struct Schema: Sendable {
  /// `@unchecked Sendable`: mutated only while a single schema references it (`unshare`). For the same reason
  /// its properties need no check of exclusive access, which every added object would pay for.
  private final class Storage: @unchecked Sendable {
    @exclusivity(unchecked) private(set) var classes: ChunkedArray<ClassSchema>
    /// The numbers of the classes by name, in parts by the hash of the name: a copy's change costs one part.
    @exclusivity(unchecked) private var numbers: [[String: ClassID]]
    /// Indices by the number of a class; -1 where there is none.
    @exclusivity(unchecked) private var indicesByID: ChunkedArray<Int>
    /// By the number of a class: the classes with a backlinks property that comes from it.
    @exclusivity(unchecked) private var backlinkHolders: ChunkedArray<[ClassID]>

    init(_ classes: some Sequence<ClassSchema>) {
      self.classes = ChunkedArray()
      numbers = [[String: ClassID]](repeating: [:], count: partCount)
      indicesByID = ChunkedArray()
      backlinkHolders = ChunkedArray()
      for classSchema in classes { put(classSchema) }
    }

    init(copying other: Storage) {
      (classes, numbers) = (other.classes, other.numbers)
      (indicesByID, backlinkHolders) = (other.indicesByID, other.backlinkHolders)
    }

    /// Appends a class, or replaces the one with its number.
    func put(_ classSchema: ClassSchema) {
      let number = Int(classSchema.id.rawValue)
      while indicesByID.count <= number { indicesByID.append(-1) }
      let index = indicesByID[number]
      if index >= 0 {
        let old = classes[index]
        if old.name != classSchema.name { numbers[part(of: old.name)][old.name] = nil }
        removeHolder(old)
        classes[index] = classSchema
      } else {
        indicesByID[number] = classes.count
        classes.append(classSchema)
      }
      numbers[part(of: classSchema.name)][classSchema.name] = classSchema.id
      addHolder(classSchema)
    }

    /// Removes the class at an index. O(classes after it): few, if classes are declared soon after
    /// they are first referred to.
    func remove(at index: Int) {
      let removed = classes[index]
      removeHolder(removed)
      indicesByID[Int(removed.id.rawValue)] = -1
      numbers[part(of: removed.name)][removed.name] = nil
      classes.remove(at: index)
      for moved in index..<classes.count { indicesByID[Int(classes[moved].id.rawValue)] = moved }
    }

    private func addHolder(_ holder: ClassSchema) {
      for origin in holder.backlinkOrigins {
        let number = Int(origin.rawValue)
        while backlinkHolders.count <= number { backlinkHolders.append([]) }
        backlinkHolders[number].append(holder.id)
      }
    }

    private func removeHolder(_ holder: ClassSchema) {
      for origin in holder.backlinkOrigins {
        backlinkHolders[Int(origin.rawValue)].removeAll { $0 == holder.id }
      }
    }

    /// Returns the classes with a backlinks property that comes from a class.
    func backlinkHolders(from origin: ClassID) -> [ClassID] {
      let number = Int(origin.rawValue)
      return number < backlinkHolders.count ? backlinkHolders[number] : []
    }

    /// Returns the class of a name; nil if there is none.
    func classSchema(named name: String) -> ClassSchema? {
      if classes.count <= fewClasses { return classes.first { $0.name == name } }
      return numbers[part(of: name)][name].flatMap(index(of:)).map { classes[$0] }
    }

    /// Returns the index of a class; nil if there is none of that number.
    func index(of id: ClassID) -> Int? {
      let number = Int(id.rawValue)
      return number < indicesByID.count && indicesByID[number] >= 0 ? indicesByID[number] : nil
    }

    private func part(of name: String) -> Int { name.hashValue & (partCount - 1) }
  }

  private var storage: Storage
  /// In the order of their declaration.
  public internal(set) var projections: [ProjectionDefinition]
  /// The queries with names, in the order of their definition.
  public internal(set) var definitions: [QueryDefinition] = []
  /// The number of the next new class; no number is used twice.
  package private(set) var nextClass: ClassID

  /// A schema of its classes and projections.
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

  /// Every class, in the order of declaration. O(classes).
  public var classes: [ClassSchema] { Array(storage.classes) }

  package var classCount: Int { storage.classes.count }

  /// Returns the classes from an index on, in the order of `classes`.
  package func classes(from index: Int) -> some RandomAccessCollection<ClassSchema> {
    storage.classes[index...]
  }

  /// Returns, in the order of `classes`, the classes with a backlinks property that comes from a class, and
  /// the class itself.
  package func backlinkHolders(around classSchema: ClassSchema) -> [ClassSchema] {
    Set(storage.backlinkHolders(from: classSchema.id) + [classSchema.id])
      .compactMap(storage.index(of:)).sorted().map { storage.classes[$0] }
  }

  /// Returns the class of a name; nil where there is none.
  public func classSchema(named name: String) -> ClassSchema? { storage.classSchema(named: name) }

  /// Returns the class of a number; nil where there is none.
  public func classSchema(_ id: ClassID) -> ClassSchema? {
    storage.index(of: id).map { storage.classes[$0] } ?? ClassSchema.ofNested(id)
  }

  /// Whether both share their storage, so that their classes are equal. O(1).
  package func isIdentical(to other: Schema) -> Bool { storage === other.storage }

  /// Copies the storage before a mutation if it is shared.
  private mutating func unshare() {
    if !isKnownUniquelyReferenced(&storage) { storage = Storage(copying: storage) }
  }

  /// Returns the length of the common prefix of classes that share their storage.
  package func commonPrefixCount(identicalTo other: Schema) -> Int {
    let (mine, others) = (storage.classes, other.storage.classes)
    var count = mine.sharedPrefixCount(with: others)
    while count < min(mine.count, others.count), mine[count].isIdentical(to: others[count]) {
      count += 1
    }
    return count
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
    let named = Set(storage.classes.lazy.flatMap { $0.properties.compactMap(\.type.linkedClass) })
    let isOrphan = { (classSchema: ClassSchema) in
      !classSchema.isDeclared && !named.contains(classSchema.id)
    }
    guard storage.classes.contains(where: isOrphan) else { return }
    storage = Storage(storage.classes.filter { !isOrphan($0) })
  }
}

/// Up to this number of classes, comparing each name is faster than hashing.
private let fewClasses = 8
/// The number of parts of the numbers by name; a power of two.
private let partCount = 64

extension Schema: Hashable {
  /// Whether both have the same classes and projections.
  public static func == (a: Schema, b: Schema) -> Bool {
    (a.storage === b.storage || a.classes == b.classes) && a.projections == b.projections
      && a.definitions == b.definitions
      && a.nextClass == b.nextClass
  }

  /// Equal schemas have one hash value.
  public func hash(into hasher: inout Hasher) { hasher.combine(classes) }
}
