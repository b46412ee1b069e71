package import HeraldEngine
package import HeraldModel
import HeraldObservation
package import HeraldQuery

/// A session of a store: one thread's view of it, at one version.
///
///     let store = try DynamicStore(path: "pets.hdb")
///     let dogs = try store.objects("Dog")
///     let token = try dogs.observe { dogs, change in print(change) }
///     try store.write { _ = try store.add("Dog", [("name", .value(.string("Max")))]) }
///     try store.endTurn()
///
/// A session belongs to the thread (or queue) that uses it, as do the objects, collections and tokens
/// that come from it. `newSession` returns one for another thread.
package final class DynamicStore {
  package let session: Session
  var placeholders = Placeholders()
  /// The session in the typed interface, once it has an observer.
  weak var core: StoreCore?
  /// The name of the session in messages; it has no other effect.
  package let name: String
  /// A request that makes long operations throw `interrupted`: queries (counting, sorting, reading rows,
  /// aggregates), the first call of observed results, `alter`, `drop` and the deletion of results. Nil,
  /// the default, for none.
  ///
  /// An interrupted first call stays pending. An interrupted `alter` or `drop` has rolled back the whole
  /// transaction.
  package var interruption: Interruption? {
    get { session.interruption }
    set { session.interruption = newValue }
  }

  /// The largest size, in bytes, of the memory that a transaction of this process may use; a quarter of
  /// the machine's memory by default. A transaction that needs more throws `writeTooLarge`.
  ///
  /// A transaction keeps in memory the changes and deletions that observers and the log need, and its
  /// longest string or data.
  package var writeLimit: Int {
    get { session.writeLimit }
    set { session.writeLimit = newValue }
  }

  /// When the commits of this process are safe from a loss of power; `full`, the default, for all of them at once.
  /// Without effect in memory.
  package var durability: Durability {
    get { session.syncsEveryCommit ? .full : .normal }
    set { session.syncsEveryCommit = newValue == .full }
  }

  /// Creates a store in memory, which is deleted with its last session. `sizeLimit` is its largest size
  /// in bytes; nil for half of the machine's memory. Errors: the system has no memory for it.
  package convenience init(sizeLimit: Int? = nil) throws {
    try self.init(Session(path: nil, readOnly: false, sizeLimit: sizeLimit), named: "main")
  }

  /// Opens the store at `path`. Where there is none, the store is empty, and its first commit makes the file.
  ///
  ///     let store = try DynamicStore(path: "/srv/pets.hdb", fileMode: 0o660)
  ///
  /// The path may be a symbolic link to the store; the lock file next to the store must not be one.
  ///
  /// - Parameters:
  ///   - path: The path of the store's file.
  ///   - readOnly: Whether to open the store for reading only, which creates and changes nothing. An
  ///     existing lock file is used if this user may write to it; otherwise the store is read without
  ///     one, which requires that no program has it open for writing.
  ///   - fileMode: The permissions of a new store, regardless of the process's umask. A lock file has
  ///     the permissions of its store, and its owner if this user may change owners.
  ///   - sizeLimit: The largest size of the store in bytes; nil for one tebibyte. Programs that share
  ///     a store should use the same limit.
  ///
  /// Errors, after which the file is unchanged: `notAStore`, `newerFormat`, `damaged`, `cannotOpen`,
  /// `otherLockInUse`, `otherStoreInUse`, `lockNeeded`, `locked`, `readOnly`. If the file or its lock
  /// file is moved or replaced while it is open, every later read and write throws `storeReplaced`,
  /// `storeRemoved`, `lockReplaced` or `lockRemoved`, and nothing is written.
  package convenience init(
    path: String, readOnly: Bool = false, fileMode: UInt32 = 0o600, sizeLimit: Int? = nil
  ) throws {
    try self.init(
      Session(path: path, readOnly: readOnly, fileMode: fileMode, sizeLimit: sizeLimit),
      named: "main")
  }

  /// Opens the store at `path`, and adds what the store lacks of a program's classes.
  ///
  ///     let store = try DynamicStore(path: "pets.hdb", classes: [dog, person])
  ///
  /// A new or older store gets the missing classes, properties, indexes and defaults; additional ones of
  /// a newer store stay. Errors, after which the store is unchanged: those of
  /// `init(path:readOnly:fileMode:sizeLimit:)`; `schemaDiffers`, with a remedy, if a property has another
  /// type; `needsDefault` if existing objects would lack a value of a new property; `readOnly` if a store
  /// opened for reading lacks something.
  package convenience init(
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

  /// Adds what the store lacks of a program's classes, as `init(path:…:classes:)` does, with its errors.
  package func adopt(_ classes: [ClassDefinition]) throws { try session.adopt(classes) }

  init(_ session: Session, named name: String) {
    self.session = session
    self.name = name
    session.name = name
  }

  deinit { session.observatory.publicSession = nil }

  /// Returns another session of the same store, at its newest version. Errors: `closed`.
  package func newSession(named name: String = "") throws -> DynamicStore {
    DynamicStore(try session.sibling(), named: name)
  }

  /// Returns whether this process has the file at `path` open as a store, or as the lock file of one.
  ///
  /// Such a file must not be opened by other means: closing it would release the locks by which other
  /// processes know of this reader.
  package static func isOpen(fileAt path: String) -> Bool { Session.isOpen(fileAt: path) }

  /// The path of the file; nil for a store in memory.
  package var path: String? { session.path }

  /// Whether the store has a file; one that was not there when it was opened is made by the first commit, of this
  /// program or another.
  package var hasFile: Bool { session.hasFile }

  /// Whether the store was opened for reading only.
  package var isReadOnly: Bool { session.isReadOnly }

  /// How the store follows the stream of commits that it shares with other machines; nil for a store of this machine
  /// alone.
  package var replicaStatus: ReplicaStatus? { session.replicaStatus }

  /// Whether the session was closed.
  package var isClosed: Bool { session.isClosed }

  /// Ends the session. Its observers are not called any more, and an open transaction is rolled back.
  package func close() { session.close() }

  /// The committed version that the session is at.
  package var version: Int {
    session.resumeOnUse()
    return session.version
  }

  /// The schema, including what the open transaction has declared.
  package var schema: Schema { session.schema }

  /// Declares a class, in the open transaction or in one of its own. Repeating the same declaration
  /// changes nothing. Errors: `classExists` for another declaration of the name, `projectionExists` and
  /// `queryExists` for a name of these, `reservedName`, `invalidName`, `invalidSchema`,
  /// `duplicateProperty`.
  package func declare(_ definition: ClassDefinition) throws {
    if session.isInWrite {
      try session.declare(definition)
    } else {
      try session.write { try session.declare(definition) }
    }
  }

  /// Changes a class and its objects, in the open transaction or in one of its own.
  ///
  ///     try store.alter("Dog", [.rename("age", to: "years"), .drop("nick")])
  ///
  /// The alterations are applied together or not at all. Existing objects get the default of an added
  /// property; a change of type converts every value. Store tokens receive `changed`. Tokens whose query
  /// or collection depends on a property that was dropped or changed its type receive the deletion of
  /// every row, and are then dead. Tokens follow renamed properties.
  ///
  /// Errors, before anything is changed: an unknown or existing name; `inUse` if a projection or
  /// backlinks need a property; `cannotConvert`, `needsDefault` and `duplicateInAlter`, which name the
  /// object. Later errors (`interrupted`, `full`) have rolled back the open transaction. Cost: every
  /// object is read once for each property that changes its type.
  package func alter(_ className: String, _ alterations: [ClassAlteration]) throws {
    if session.isInWrite {
      try session.alter(className, alterations)
    } else {
      try session.write { try session.alter(className, alterations) }
    }
  }

  /// The time at which the next objects expire, which their class does not keep any longer; nil if none will by their age.
  /// A commit at that time or later deletes them.
  package var nextExpiry: Timestamp? { get throws { try session.nextExpiry } }

  /// Drops a class with all its objects, or a projection, in the open transaction or in one of its own.
  ///
  /// Links to the objects become nil, and lists and sets remove them. Errors: `unknownClass`; `inUse` if
  /// a property of another class, or a projection, names the class. Later errors (`interrupted`, `full`)
  /// have rolled back the open transaction.
  package func drop(_ name: String) throws {
    if session.isInWrite {
      try session.drop(name)
    } else {
      try session.write { try session.drop(name) }
    }
  }

  /// Declares a projection, in the open transaction or in one of its own.
  package func declare(_ projection: ProjectionDefinition) throws {
    if session.isInWrite {
      try session.declare(projection)
    } else {
      try session.write { try session.declare(projection) }
    }
  }

  /// Keeps a query under a name, in the open transaction or in one of its own; the name then stands where a class
  /// does in a query. Errors: `classExists`, `projectionExists` or `queryExists` for a name that is taken; `QueryError`
  /// if the query cannot be bound.
  package func define(_ definition: QueryDefinition, names: any QueryNames) throws {
    if session.isInWrite {
      try session.define(definition)
      do {
        _ = try queried(definition.name, names)
      } catch {
        try session.drop(definition.name)
        throw error
      }
    } else {
      try session.write {
        try session.define(definition)
        _ = try queried(definition.name, names)
      }
    }
  }

  /// Every projection, in the order of declaration.
  package var projections: [ProjectionDefinition] { schema.projections }

  /// Gives the memory of the file's pages that were read back to the system, which reads them again where needed: for
  /// programs that pass once over many objects. No effect in memory.
  package func releaseMemory() { session.releaseMemory() }

  /// Calls `body` for each of several parts, in order, on as many threads as there are processors, each with a store that
  /// reads what this one does: `ObjectHandle.read(by:)` is an object there. With this store alone in a transaction, at an
  /// earlier version, and if there is a newer version by now. An interruption ends it before the next part.
  package func readConcurrently(_ parts: Int, _ body: @Sendable (Int, DynamicStore) -> Void) {
    // Used by one of the threads, while this one waits.
    nonisolated(unsafe) let own = self
    session.readConcurrently(parts) { part, session in
      body(part, session === own.session ? own : DynamicStore(session, named: own.name))
    }
  }

  /// Throws `damaged` if a member that cannot throw, such as `LiveCollection.count`, has read damaged
  /// data as nil or as missing. Members that throw do so themselves.
  package func checkIntact() throws { try session.checkIntact() }

  func classSchema(_ name: String) throws(HeraldError) -> ClassSchema {
    guard let classSchema = session.classSchema(named: name) else {
      throw .unknownClass(name, nearest: nearestName(to: name, in: schema.classes.map(\.name)))
    }
    return classSchema
  }
}
