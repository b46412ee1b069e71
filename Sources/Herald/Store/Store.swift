import HeraldEngine
@_exported public import HeraldModel
@_exported public import HeraldObservation
@_exported public import HeraldQuery

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

  /// The bytes of memory that a write transaction of this process may need: a quarter of the machine's
  /// memory unless set. A write that needs more throws `writeTooLarge`.
  ///
  /// Memory is needed for what a write changes or deletes, as far as observers and the log tell of it,
  /// and for strings and data of more than four kilobytes.
  public var writeLimit: Int {
    get { session.writeLimit }
    set { session.writeLimit = newValue }
  }

  /// A new store in memory, which goes with its last session. `sizeLimit`: the bytes that it cannot
  /// exceed; half of the machine's memory when nil.
  public convenience init(sizeLimit: Int? = nil) throws {
    try self.init(Session(path: nil, readOnly: false, sizeLimit: sizeLimit), named: "main")
  }

  /// Opens the store at `path`, or creates it where there is none.
  ///
  ///     let store = try Store(path: "/srv/pets.hdb", fileMode: 0o660)
  ///
  /// A path that is a symbolic link leads to the store; the lock file beside the store must not be
  /// one. Opened with `readOnly`, nothing is created or changed: a lock file that is there is used
  /// where this user may write to it, else the store is read without one, as long as no program has it
  /// open for writing.
  ///
  /// - Parameters:
  ///   - fileMode: The permissions of a new store, whatever the process's mask; a lock file has those
  ///     of its store, and its owner where this user may give files away.
  ///   - sizeLimit: The bytes that the store cannot exceed; nil: a tebibyte. Programs that share a
  ///     store should agree on it.
  ///
  /// Errors: `notAStore`, `newerFormat`, `damaged`, `cannotOpen`, `otherLockInUse`,
  /// `otherStoreInUse`, `lockNeeded`, `locked`, `readOnly`; the file is then as it was. A file that is
  /// moved or replaced while it is open, or its lock file, makes every later read and write throw
  /// `storeReplaced`, `storeRemoved`, `lockReplaced` or `lockRemoved`, and nothing is written.
  public convenience init(
    path: String, readOnly: Bool = false, fileMode: UInt32 = 0o600, sizeLimit: Int? = nil
  ) throws {
    try self.init(
      Session(path: path, readOnly: readOnly, fileMode: fileMode, sizeLimit: sizeLimit),
      named: "main")
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
    path: String, readOnly: Bool = false, fileMode: UInt32 = 0o600, sizeLimit: Int? = nil,
    classes: [ClassDefinition]
  ) throws {
    try self.init(path: path, readOnly: readOnly, fileMode: fileMode, sizeLimit: sizeLimit)
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
    session.name = name
  }

  /// Another session of the same store, at its newest version.
  public func newSession(named name: String = "") throws -> Store {
    Store(try session.sibling(), named: name)
  }

  /// Whether this process has the file at `path` open as a store, or as the lock file of one.
  ///
  /// Such a file must not be opened by other means: closing it again would drop the locks by which
  /// other processes know that this one reads.
  public static func isOpen(fileAt path: String) -> Bool { Session.isOpen(fileAt: path) }

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

  /// Throws `damaged` where something that was read through members that cannot throw, such as
  /// `LiveCollection.count`, was damaged and read as nil or as missing. What throws does so by itself.
  public func checkIntact() throws { try session.checkIntact() }

  func classSchema(_ name: String) throws(HeraldError) -> ClassSchema {
    guard let classSchema = session.classSchema(named: name) else {
      throw .unknownClass(name, nearest: nearestName(to: name, in: schema.classes.map(\.name)))
    }
    return classSchema
  }
}
