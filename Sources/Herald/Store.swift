import HeraldEngine
public import HeraldModel

/// One session of a store: one thread's view of it, at one version.
///
///     let store = try Store(path: "pets.hdb")
///     let dogs = try store.objects("Dog")
///     let token = try dogs.observe { dogs, change in print(change) }
///     try store.write { _ = try store.add("Dog", [("name", .value(.string("Max")))]) }
///     try store.endTurn()
///
/// A session belongs to the thread (or queue) that uses it, as do the objects, collections and
/// tokens that come from it. `newSession` makes another for another thread.
public final class Store {
  let session: Session
  var placeholders = Placeholders()
  /// What the session is called in messages; nothing depends on it.
  public let name: String
  /// Stops what takes long, with `interrupted`: questions (counting, sorting, reading rows,
  /// aggregates), the first call of observed results, `alter`, `drop` and the deletion of results.
  /// nil: nothing does.
  ///
  /// A first call that was stopped is still owed. `alter` and `drop` that were stopped have rolled
  /// back the whole write.
  public var interruption: Interruption? {
    get { session.interruption }
    set { session.interruption = newValue }
  }

  /// A new store in memory, which goes with its last session.
  public convenience init() throws {
    try self.init(Session(path: nil, readOnly: false), named: "main")
  }

  /// Opens the store at `path`, or creates it where there is none.
  ///
  /// Errors: `notAStore`, `newerFormat`, `damaged`, `cannotOpen`, `locked`, `readOnly`; the file is
  /// then as it was.
  public convenience init(path: String, readOnly: Bool = false) throws {
    try self.init(Session(path: path, readOnly: readOnly), named: "main")
  }

  /// Opens the store at `path` for a program that was written for these classes.
  ///
  ///     let store = try Store(path: "pets.hdb", classes: [dog, person])
  ///
  /// What adds only is taken: a new store, or an older one, gets the classes and properties, indexes
  /// and defaults that it has not; what a newer one has beyond them stays. Errors, with the store as
  /// it was: as above; `schemaDiffers`, which says what to do, where a property has another type;
  /// `needsDefault` where objects would have no value of a new property; `readOnly` where something
  /// is missing in a store that cannot be written.
  public convenience init(
    path: String, readOnly: Bool = false, classes: [ClassDefinition]
  ) throws {
    try self.init(path: path, readOnly: readOnly)
    do {
      try session.adopt(classes)
    } catch {
      close()
      throw error
    }
  }

  /// Brings the store to the classes that a program was written for, as opening with them does.
  public func adopt(_ classes: [ClassDefinition]) throws { try session.adopt(classes) }

  init(_ session: Session, named name: String) {
    self.session = session
    self.name = name
  }

  /// Another session of the same store, at its newest version.
  public func newSession(named name: String = "") throws -> Store {
    Store(try session.sibling(), named: name)
  }

  /// The file; nil for a store in memory.
  public var path: String? { session.path }

  public var isReadOnly: Bool { session.isReadOnly }

  public var isClosed: Bool { session.isClosed }

  /// Ends the session: its tokens stop silently, an open write is rolled back.
  public func close() { session.close() }

  /// The committed version that the session stands at.
  public var version: Int { session.version }

  /// The classes, with those that the open write has declared.
  public var schema: Schema { session.schema }

  /// Declares a class, in the open write or in one of its own. The same declaration again changes
  /// nothing.
  public func declare(_ definition: ClassDefinition) throws {
    if session.isInWrite {
      try session.declare(definition)
    } else {
      try session.write { try session.declare(definition) }
    }
  }

  /// Changes a class and its objects with it, in the open write or in one of its own.
  ///
  ///     try store.alter("Dog", [.rename("age", to: "years"), .drop("nick")])
  ///
  /// All or nothing. Properties that are added give their default to the objects that are there;
  /// one that changes its type converts every value. What observers are told: store tokens, that
  /// something changed; tokens whose rows were found, ordered or held by a property that went or has
  /// another type now, the deletion of every row, after which they are dead. Renamed properties are
  /// followed.
  ///
  /// Errors, before anything is changed: an unknown or taken name, `inUse` where a projection or
  /// backlinks need a property, `cannotConvert`, `needsDefault` and `duplicateInAlter` with the object
  /// that does not fit. What fails later (`interrupted`, `full`) has rolled back the open write.
  /// Cost: each object once for each property that changes its type.
  public func alter(_ className: String, _ alterations: [ClassAlteration]) throws {
    if session.isInWrite {
      try session.alter(className, alterations)
    } else {
      try session.write { try session.alter(className, alterations) }
    }
  }

  /// Drops a class with all its objects, or a projection, in the open write or in one of its own.
  ///
  /// Links to the objects become nil, and lists and sets lose them. Errors: `unknownClass`, `inUse`
  /// where a property of another class, or a projection, names the class. What fails later
  /// (`interrupted`, `full`) has rolled back the open write.
  public func drop(_ name: String) throws {
    if session.isInWrite {
      try session.drop(name)
    } else {
      try session.write { try session.drop(name) }
    }
  }

  /// Declares a projection, in the open write or in one of its own.
  public func declare(_ projection: ProjectionDefinition) throws {
    if session.isInWrite {
      try session.declare(projection)
    } else {
      try session.write { try session.declare(projection) }
    }
  }

  /// Every projection, in the order of declaration.
  public var projections: [ProjectionDefinition] { schema.projections }

  /// Every inconsistency that a slow recount of the whole store finds; empty when all is well.
  public func check() -> [String] { session.check() }

  func classSchema(_ name: String) throws(HeraldError) -> ClassSchema {
    guard let classSchema = session.classSchema(named: name) else {
      throw .unknownClass(name, nearest: nearestName(to: name, in: schema.classes.map(\.name)))
    }
    return classSchema
  }
}
