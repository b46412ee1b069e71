import HeraldEngine
import HeraldModel

/// A session of a store with what the typed interface keeps for it. Objects and collections hold it.
public final class StoreCore {
  let dynamic: DynamicStore
  let session: Session
  let owner: SessionOwner
  /// The store that programs hold; it owns the bindings.
  private var knownFacade: Unmanaged<Store>?
  /// The classes in use, which forget themselves here.
  private var bindings: [BindingKey: Unmanaged<ClassBinding>] = [:]
  /// The class that was looked up last.
  private var last: (type: ObjectIdentifier, binding: Unmanaged<ClassBinding>)?
  /// The classes that the open write has taken into the store.
  @exclusivity(unchecked) private var bindingsOfWrite: [BindingKey] = []
  private var types: [String: ObjectBase.Type] = [:]
  /// The classes of the program by name that the store was opened with or has used or, of a frozen store, the live one.
  private var knownTypes: [String: ObjectBase.Type] = [:]
  /// What the objects share that the open write has added.
  @exclusivity(unchecked) private(set) var lastAdded: AddedInWrite?
  /// Used for one object after the other.
  @exclusivity(unchecked) private var lastAdding: ObjectAdding?
  /// The first error of the open write in a method that cannot throw.
  @exclusivity(unchecked) private var failure: (any Error)?
  /// Whether a write could not begin, so that nothing is done until it ends.
  @exclusivity(unchecked) private var hasFailedToBegin = false

  /// Of a frozen store: the live one that it was frozen from.
  weak var origin: StoreCore? {
    didSet { if let origin { knownTypes = origin.knownTypes } }
  }
  weak var lastFrozen: StoreCore?
  /// The migration that is under way, as long as it is.
  @exclusivity(unchecked) var migration: Migration?
  /// What a module above the library keeps with the session.
  var companion: AnyObject?
  /// Whether others reach the session by its store's name, so that a write which was begun by hand keeps it.
  var isShared = false
  /// Whether its objects are copies of those that a program has in no store, to be queried.
  var isOfCopies = false
  /// The session itself, while a write is open that was begun by hand.
  private var keptByWrite: StoreCore?
  /// Held while a frozen store, which several threads read, looks up a class.
  private let lock: RecursiveLock?
  /// The closures that are tracked; nil as long as there was none.
  var knownTracker: Tracker?
  /// Observers that could not be registered, until the next delivery.
  var failedObservers: [FailedObserver] = []

  init(_ dynamic: DynamicStore, _ owner: SessionOwner) {
    self.dynamic = dynamic
    session = dynamic.session
    self.owner = owner
    lock = dynamic.isFrozen ? RecursiveLock() : nil
    owner.turns?.attach(self)
  }

  /// The session that takes the place of a closed one.
  convenience init(_ dynamic: DynamicStore, continuing core: StoreCore) {
    self.init(dynamic, core.owner)
    knownTypes = core.knownTypes
    isShared = core.isShared
    companion = core.companion
  }

  var facade: Store {
    knownFacade?.takeUnretainedValue() ?? Store(core: self)
  }

  // Not weak references: an object with one is slower to retain for good.

  func attach(_ facade: Store) { knownFacade = Unmanaged.passUnretained(facade) }

  func detach(_ facade: Store) {
    if knownFacade?.toOpaque() == Unmanaged.passUnretained(facade).toOpaque() { knownFacade = nil }
  }

  func forget(_ binding: ClassBinding) {
    if let lock { lock.withLock { forgetUnlocked(binding) } } else { forgetUnlocked(binding) }
  }

  private func forgetUnlocked(_ binding: ClassBinding) {
    let key = BindingKey(binding.table)
    guard bindings[key]?.toOpaque() == Unmanaged.passUnretained(binding).toOpaque() else { return }
    bindings[key] = nil
    last = nil
  }

  /// Stops the program if the caller is not on the store's thread, queue or actor.
  @inline(__always) func checkOwner() {
    owner.check("a store, with its objects and collections,")
  }
}

extension StoreCore {
  /// Returns the class of the program in this store, which takes it in if it is new.
  func binding(of type: ObjectBase.Type) throws -> ClassBinding {
    if let lock { return try lock.withLock { try unlockedBinding(of: type) } }
    return try unlockedBinding(of: type)
  }

  private func unlockedBinding(of type: ObjectBase.Type) throws -> ClassBinding {
    let identifier = ObjectIdentifier(type)
    if let last, last.type == identifier { return last.binding.takeUnretainedValue() }
    if let known = bindings[.type(identifier)] {
      last = (identifier, known)
      return known.takeUnretainedValue()
    }
    let table = try ObjectTable.of(type)
    if let other = types[table.className], other != type {
      throw SchemaError(twoClassesNamed: table.className, other, type)
    }
    do {
      try adopt([type])
    } catch HeraldError.readOnly {
      guard session.schema.classSchema(named: table.className) != nil else {
        throw SchemaError(missing: table.className, from: "read-only")
      }
      throw SchemaError(
        "the store has no class '\(table.className)' like that of the program, and is read-only")
    }
    guard let classSchema = session.schema.classSchema(named: table.className) else {
      throw SchemaError(missing: table.className, from: "frozen")
    }
    let binding = ClassBinding(self, table, classSchema.id)
    types[table.className] = type
    knownTypes[table.className] = type
    keep(binding)
    return binding
  }

  private func keep(_ binding: ClassBinding) {
    let key = BindingKey(binding.table)
    bindings[key] = Unmanaged.passUnretained(binding)
    knownFacade?.takeUnretainedValue().bindings[key] = binding
    if session.isInWrite { bindingsOfWrite.append(key) }
  }

  /// Returns a class of the store with the properties that it has at the session's version.
  func binding(ofClass id: ClassID) throws -> ClassBinding {
    if let lock { return try lock.withLock { try unlockedBinding(ofClass: id) } }
    return try unlockedBinding(ofClass: id)
  }

  private func unlockedBinding(ofClass id: ClassID) throws -> ClassBinding {
    if let known = bindings[.number(id)]?.takeUnretainedValue(), known.isCurrent { return known }
    let schema = session.schema
    guard let classSchema = schema.classSchema(id) else {
      throw SchemaError("the store has no class of number \(id.rawValue)", isMissingClass: true)
    }
    let named = NamedClass(classSchema, schema, labels: ObjectTable.labels(of: knownTypes))
    let binding = ClassBinding(self, ObjectTable(named: named), id)
    keep(binding)
    return binding
  }

  /// Returns the class of a table of another session of the store.
  func binding(like table: ObjectTable) throws -> ClassBinding {
    guard let named = table.named else { return try binding(of: table.objectType) }
    return try binding(ofClass: named.classSchema.id)
  }

  /// Takes classes into the store, with those that they link to.
  func adopt(_ types: [ObjectBase.Type]) throws {
    if session.isFrozen { return }
    do {
      try session.adopt(definitions(of: types))
    } catch HeraldError.schemaDiffers(let className, let reason, let remedy)
      where remedy.hasPrefix("run:")
    {
      // A property's type: the remedy is the shell's.
      throw HeraldError.schemaDiffers(
        className: className, reason: reason,
        remedy: "open the store with 'schemaVersion:' and 'migration:'")
    }
  }

  /// Returns the declarations of classes and of those that they link to.
  func definitions(of types: [ObjectBase.Type]) throws -> [ClassDefinition] {
    var tables: [ObjectTable] = []
    var seen: Set<ObjectIdentifier> = []
    var pending = types
    var named: [String: ObjectBase.Type] = [:]
    while let type = pending.popLast() {
      guard seen.insert(ObjectIdentifier(type)).inserted else { continue }
      let table = try ObjectTable.of(type)
      if let other = named.updateValue(type, forKey: table.className) {
        throw SchemaError(twoClassesNamed: table.className, other, type)
      }
      tables.append(table)
      pending += table.linkedTypes
    }
    for table in tables { knownTypes[table.className] = table.objectType }
    return tables.map(\.definition)
  }

  /// Makes an instance of an object of a class, without a look at the store.
  func instance<T: ObjectBase>(of type: T.Type, _ id: ObjectID) -> T? {
    let found =
      type == DynamicObject.self ? try? binding(ofClass: id.classID) : try? binding(of: type)
    guard let binding = found, binding.classID == id.classID else { return nil }
    return unsafeDowncast(binding.instance(id.number), to: type)
  }

  /// Adds an object with all unmanaged objects that it links to.
  func add(_ object: ObjectBase, _ update: UpdatePolicy, asEmbedded: Bool = false) throws
    -> ObjectID
  {
    if let last = lastAdding, last.isReusable, last.update == update {
      return try last.add(object, asEmbedded: asEmbedded)
    }
    let adding = ObjectAdding(self, update)
    lastAdding = adding
    return try adding.add(object, asEmbedded: asEmbedded)
  }

  /// Throws `noPrimaryKey` where objects of a class cannot be found to be updated.
  func checkUpdatable(_ table: ObjectTable, _ update: UpdatePolicy) throws {
    if update != .error, table.primaryKey == nil {
      throw HeraldError.noPrimaryKey(className: table.className)
    }
  }

  func addedInWrite(_ outcome: WriteOutcome) -> AddedInWrite {
    if let lastAdded, lastAdded.outcome === outcome { return lastAdded }
    let added = AddedInWrite(outcome)
    lastAdded = added
    return added
  }
}

extension StoreCore {
  /// Whether a write is open, or was begun and could not be opened.
  var isInWrite: Bool { session.isInWrite || hasFailedToBegin }

  /// Runs a statement of a write that cannot throw; the first failure makes the write fail at its end. Outside a write it
  /// stops the program, with a sentence about what is done to the subject.
  @discardableResult
  func attempt<R>(
    _ subject: @autoclosure () -> String, is participle: String, _ body: () throws -> R
  ) -> R? {
    checkOwner()
    if hasFailedToBegin { return nil }
    if let migration { return migration.note(body) }
    do {
      return try body()
    } catch HeraldError.notInWrite {
      stopProgram("\(subject()) is \(participle) outside a write transaction; 'write' opens one")
    } catch {
      if session.isInWrite {
        failure = failure ?? error
      } else {
        stopProgram("\(subject()) cannot be \(participle): \(error)")
      }
      return nil
    }
  }

  func noteFailureToBegin(_ error: any Error) {
    failure = error
    hasFailedToBegin = true
  }

  /// Called after a write was begun by hand.
  func begunByHand() { if isShared { keptByWrite = self } }

  /// Throws the first failure of the write.
  func throwFailure() throws {
    if let failure { throw failure }
  }

  /// Called after the end of a write.
  func endedWrite(isRolledBack: Bool) {
    if failure != nil { failure = nil }
    hasFailedToBegin = false
    if lastAdded != nil { lastAdded = nil }
    if let adding = lastAdding, isRolledBack || !adding.isReusable { lastAdding = nil }
    if isRolledBack {
      for key in bindingsOfWrite {
        guard let binding = bindings.removeValue(forKey: key)?.takeUnretainedValue() else {
          continue
        }
        if binding.table.named == nil { types[binding.table.className] = nil }
        last = nil
        knownFacade?.takeUnretainedValue().bindings[key] = nil
      }
    }
    if !bindingsOfWrite.isEmpty { bindingsOfWrite = [] }
    owner.turns?.schedule()
    if keptByWrite != nil { withExtendedLifetime(self) { keptByWrite = nil } }
  }
}

extension StoreCore {
  /// Makes an instance of an object: of the program's class if it has used that with this store, or opened it with it;
  /// else, and in a migration, by the names of its properties.
  func knownInstance(_ id: ObjectID) -> ObjectBase? {
    guard let name = session.schema.classSchema(id.classID)?.name else { return nil }
    let type = migration == nil ? knownType(named: name) : nil
    return instance(of: type ?? DynamicObject.self, id)
  }

  /// The class of the program with a name in stores, if it has been used with this one; nil otherwise.
  func knownType(named name: String) -> ObjectBase.Type? {
    if let lock { lock.withLock { knownTypes[name] } } else { knownTypes[name] }
  }
}

/// What a session has a binding for: a class of the program, or one of the store by its number.
enum BindingKey: Hashable {
  case type(ObjectIdentifier)
  case number(ClassID)

  init(_ table: ObjectTable) {
    self =
      table.named.map { .number($0.classSchema.id) } ?? .type(ObjectIdentifier(table.objectType))
  }
}

extension SchemaError {
  fileprivate init(missing className: String, from kind: String) {
    self.init(
      "the store has no class '\(className)', and cannot take it since it is \(kind)",
      isMissingClass: true)
  }

  fileprivate init(
    twoClassesNamed name: String, _ one: ObjectBase.Type, _ other: ObjectBase.Type
  ) {
    self.init(
      "two classes are named '\(name)': '\(String(reflecting: one))' and "
        + "'\(String(reflecting: other))'; override 'className' in one of them")
  }
}
