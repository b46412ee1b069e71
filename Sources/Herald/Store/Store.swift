public import Dispatch
import HeraldEngine
@_exported public import HeraldModel
@_exported public import HeraldObservation
@_exported public import HeraldQuery

/// A store of objects, as one thread, queue or actor sees it, at one version.
///
///     let store = try Store(path: "dogs.hdb")
///     let token = store.objects(Dog.self).observe { change in print(change) }
///     try store.write { store.add(Dog()) }
///
/// A store and what comes from it belong to the thread that opened it, or to the queue or actor of `on:`. On the
/// main thread, on a queue and on an actor it notifies its observers by itself, at the executor's next turn after
/// a commit; elsewhere `refresh` does.
public final class Store {
  private(set) var core: StoreCore
  /// The classes in use.
  var bindings: [BindingKey: ClassBinding] = [:]

  init(core: StoreCore) {
    self.core = core
    core.attach(self)
    if !core.session.isFrozen { SharedStores.note(self) }
  }

  deinit { core.detach(self) }

  /// Creates a store in memory, which is deleted with its last session. `objectTypes` are taken into it at once;
  /// others when they are first used. Errors: `SchemaError`; the system has no memory for it.
  public convenience init(objectTypes: [ObjectBase.Type] = []) throws {
    try self.init(DynamicStore(), .current(), objectTypes)
  }

  /// Creates a store in memory for a serial queue. A concurrent one would run several blocks of the store at once.
  public convenience init(on queue: DispatchQueue, objectTypes: [ObjectBase.Type] = []) throws {
    try self.init(DynamicStore(), .queue(queue), objectTypes)
  }

  /// Creates a store in memory for an actor, which must be the caller's.
  public convenience init(on actor: any Actor, objectTypes: [ObjectBase.Type] = []) throws {
    try self.init(DynamicStore(), .actor(actor), objectTypes)
  }

  /// Opens the store at `path`. Where there is none, the store is empty, and its first commit makes the file.
  ///
  /// Errors: `notAStore`, `newerFormat`, `damaged`, `cannotOpen`, `otherLockInUse`, `otherStoreInUse`, `lockNeeded`,
  /// `locked`, `readOnly`; `SchemaError`; and `schemaDiffers` where a class of `objectTypes` has other types in the
  /// store, which `schemaVersion:` and `migration:` change. If the file or its lock file is moved or replaced while it is
  /// open, every later write throws `storeReplaced`, `storeRemoved`, `lockReplaced` or `lockRemoved`.
  public convenience init(
    path: String, readOnly: Bool = false, objectTypes: [ObjectBase.Type] = []
  ) throws {
    try self.init(DynamicStore(path: path, readOnly: readOnly), .current(), objectTypes)
  }

  /// Opens the store at `path` for a serial queue. A concurrent one would run several blocks of the store at once.
  public convenience init(
    path: String, readOnly: Bool = false, on queue: DispatchQueue,
    objectTypes: [ObjectBase.Type] = []
  ) throws {
    try self.init(
      DynamicStore(path: path, readOnly: readOnly), .queue(queue), objectTypes)
  }

  /// Opens the store at `path` for an actor, which must be the caller's.
  public convenience init(
    path: String, readOnly: Bool = false, on actor: any Actor,
    objectTypes: [ObjectBase.Type] = []
  ) throws {
    try self.init(DynamicStore(path: path, readOnly: readOnly), .actor(actor), objectTypes)
  }

  /// Opens the store at `path`, and changes its classes to those of the program if it has an older version of them.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - objectTypes: The classes of the program, which are taken into the store with those that they link to.
  ///   - schemaVersion: The version of the program's classes, from 1.
  ///   - migration: Moves the values of an older version; without it new properties get their defaults, and others are
  ///     dropped.
  ///
  /// Errors, after which the store is unchanged: those of opening and of the migration; `SchemaError` where the store has
  /// a newer version.
  public convenience init(
    path: String, objectTypes: [ObjectBase.Type], schemaVersion: Int,
    migration: ((Migration) throws -> Void)? = nil
  ) throws {
    let dynamic = try DynamicStore(path: path)
    self.init(core: StoreCore(dynamic, .current()))
    do {
      try core.adopt(objectTypes, version: schemaVersion, migration)
    } catch {
      dynamic.close()
      throw error
    }
  }

  /// Copies the store's newest version into a new file, while sessions and programs continue to write. Errors, after
  /// which nothing is left of the file: `cannotWrite` if it exists or cannot be written, `full`, `frozen`.
  public func writeCopy(to path: String) throws { try core.dynamic.backup(to: path) }

  convenience init(
    _ dynamic: DynamicStore, _ owner: SessionOwner, _ objectTypes: [ObjectBase.Type]
  ) throws {
    self.init(core: StoreCore(dynamic, owner))
    do {
      try core.adopt(objectTypes)
    } catch {
      dynamic.close()
      throw error
    }
  }

  /// Declares classes and the classes that they link to; closes the store if that fails.
  package func take(_ objectTypes: [ObjectBase.Type]) throws {
    do {
      try core.adopt(objectTypes)
    } catch {
      core.dynamic.close()
      throw error
    }
  }

  /// The same session as the shell uses it.
  package var untyped: DynamicStore { core.dynamic }

  /// The version of the program's classes that the store has; 0 if it was never given.
  package var programSchemaVersion: Int { core.session.programSchemaVersion }

  /// What a module above the library keeps with the session, which the next one takes over.
  package var companion: AnyObject? {
    get { core.companion }
    set { core.companion = newValue }
  }

  /// The path of the file; nil for a store in memory.
  public var path: String? { core.dynamic.path }

  /// How the store follows the stream of commits that it shares with other machines; nil for a store of this machine
  /// alone.
  public var replicaStatus: ReplicaStatus? { core.dynamic.replicaStatus }

  /// The largest size, in bytes, of the memory that a transaction of this process may use; a quarter of the machine's
  /// memory by default. A transaction that needs more throws `writeTooLarge`.
  public var writeLimit: Int {
    get { core.dynamic.writeLimit }
    set { core.dynamic.writeLimit = newValue }
  }

  /// When the commits of this process are safe from a loss of power; `full`, the default, for all of them at once.
  /// Without effect in memory.
  public var durability: Durability {
    get { core.dynamic.durability }
    set { core.dynamic.durability = newValue }
  }

  /// Whether the store was opened for reading only.
  public var isReadOnly: Bool { core.dynamic.isReadOnly }

  /// Whether the store is at one version for good.
  public var isFrozen: Bool { core.dynamic.isFrozen }

  /// The committed version that the store is at.
  public var version: Int { core.dynamic.version }

  /// Ends the session: its observers receive the error `closed` as their last call, and its objects are invalidated. In
  /// an observer's block they are not called.
  public func close() {
    let session = core.session
    if !session.isClosed, !session.isFrozen, !session.isDelivering, !core.isInWrite,
      core.owner.isCurrent
    {
      session.failObservers(.closed)
      core.deliverFailedObservers()
    }
    let wasInWrite = core.isInWrite
    core.dynamic.close()
    if wasInWrite { core.endedWrite(isRolledBack: true) }
  }

  /// Ends the session as `close` does, and begins another one of the same store for the same thread, queue or actor.
  package func renew() {
    guard !isFrozen, !core.session.isClosed else { return }
    // Opened first: it keeps a store in memory.
    guard let session = try? core.dynamic.address.newSession(named: core.dynamic.name) else {
      return close()
    }
    session.autorefresh = autorefresh
    close()
    let next = StoreCore(session, continuing: core)
    SharedStores.replace(core, by: next)
    core.detach(self)
    (core, bindings) = (next, [:])
    next.attach(self)
  }

  /// Whether the end of a turn advances the store to the newest version. True by default.
  public var autorefresh: Bool {
    get { core.dynamic.autorefresh }
    set { core.dynamic.autorefresh = newValue }
  }

  /// Advances to the newest version and notifies the observers; returns whether anything was new. In an
  /// observer's block and in a transaction it does nothing. Of a store that is on no actor and no queue, this is the
  /// turn, which also runs the transactions that `writeAsync` has queued. A lost or damaged store is reported to its observers
  /// as `error`.
  @discardableResult
  public func refresh() -> Bool {
    core.checkOwner()
    defer { core.deliverFailedObservers() }
    let isNew = (try? core.dynamic.refresh()) ?? false
    if core.owner.turns == nil, core.session.hasQueuedWrites { _ = try? core.dynamic.endTurn() }
    return isNew
  }
}

extension Store: Equatable {
  /// Whether both are the same session.
  public static func == (a: Store, b: Store) -> Bool { a.core === b.core }
}
