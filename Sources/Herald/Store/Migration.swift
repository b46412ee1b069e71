import HeraldEngine
import HeraldModel
import HeraldQuery

/// The change of a store's classes to those of a newer version of the program.
///
///     let store = try Store(path: path, objectTypes: [Person.self], schemaVersion: 2) { migration in
///       migration.enumerateObjects(ofType: "Person") { old, new in
///         new["fullName"] = "\(old["firstName"]!) \(old["lastName"]!)"
///       }
///     }
///
/// The classes have their new properties already, with defaults; properties that the program has no more are dropped
/// afterwards. Everything is one transaction: what goes wrong, or is thrown by the block, leaves the store as it was.
public final class Migration {
  /// The version of the program's classes that the store has; 0 if it was never given.
  public let oldSchemaVersion: Int
  /// The version that it gets.
  public let newSchemaVersion: Int
  private let old: StoreCore
  private unowned let core: StoreCore
  /// The program's classes.
  private let definitions: [ClassDefinition]
  /// The first error, which makes the migration fail.
  fileprivate var failure: (any Error)?

  private var store: DynamicStore { core.dynamic }

  init(
    _ core: StoreCore, from oldVersion: Int, to newVersion: Int, _ definitions: [ClassDefinition]
  ) throws {
    self.core = core
    self.definitions = definitions
    oldSchemaVersion = oldVersion
    newSchemaVersion = newVersion
    let session = try core.dynamic.newSession(named: "before the migration")
    session.autorefresh = false
    old = StoreCore(session, .everyone())
    old.migration = self
    core.migration = self
  }

  /// Releases what holds it.
  fileprivate func end() {
    old.migration = nil
    core.migration = nil
  }

  /// Whether a session is that before the migration.
  func isOld(_ core: StoreCore) -> Bool { core === old }

  /// Calls `block` with each object of a class, as it was, to be read, and as it will be, to be assigned. A class that the
  /// store does not have, and an assignment that it cannot take, make the migration fail.
  public func enumerateObjects(
    ofType className: String,
    _ block: (_ old: DynamicObject, _ new: DynamicObject) throws -> Void
  ) rethrows {
    for (oldObject, newObject) in objects(className) {
      if let old = object(oldObject, in: old), let new = object(newObject, in: core) {
        try block(old, new)
      }
    }
  }

  private func object(_ handle: ObjectHandle, in core: StoreCore) -> DynamicObject? {
    core.instance(of: DynamicObject.self, handle.id)
  }

  /// The properties of a class as it will be; nil for an unknown one.
  package func table(of className: String) -> ObjectTable? {
    try? core.binding(ofClassNamed: className).table
  }

  /// Adds an object of a class as it will be, with values by name, and returns it. Values that the class cannot take make
  /// the migration fail; nothing is done with what is returned then.
  @discardableResult
  public func create(_ className: String, value: [String: Any] = [:]) -> DynamicObject {
    note {
      try added(className) { object in
        try object.setLocal(ObjectCopy(core).values(value, of: object.classTable()))
      }
    } ?? .missing(of: self)
  }

  /// Adds an object of a class as it will be, with values in the order of the program's properties, as `create` with values by name.
  /// More values than properties make the migration fail.
  @discardableResult
  public func create(_ className: String, value: [Any]) -> DynamicObject {
    note {
      try added(className) { object in
        let table = try object.classTable()
        let definition = definitions.first { $0.name == className }
        let names = try ObjectTable.named(value, definition ?? table.definition)
        try object.setLocal(ObjectCopy(core).values(names, of: table))
      }
    } ?? .missing(of: self)
  }

  /// Adds an object of a class as it will be, with the properties that another one has by the same names, and returns it.
  @discardableResult
  public func create(_ className: String, value: ObjectBase) -> DynamicObject {
    note {
      try added(className) { _ = try ObjectCopy(core).copy(value, into: $0) }
    } ?? .missing(of: self)
  }

  private func added(
    _ className: String, _ set: (DynamicObject) throws -> Void
  ) throws -> DynamicObject {
    let object = DynamicObject(of: try core.binding(ofClassNamed: className).table)
    try set(object)
    _ = try ObjectAdding(core, .error).add(object, asEmbedded: false)
    return object
  }

  /// The classes as they were.
  public var oldSchema: Schema { old.session.schema }

  /// The classes as they will be, with properties that the program has no more.
  public var newSchema: Schema { store.schema }

  /// Deletes an object as it will be. One as it was makes the migration fail.
  public func delete(_ object: DynamicObject) {
    note {
      guard let id = object.id else { return }
      guard object._binding?.core === core else { throw HeraldError.notInWrite }
      try core.session.delete(id)
    }
  }

  /// Gives a property of the program's class the values of one that the store had under another name. Unknown names, and
  /// values of another type, make the migration fail.
  public func renameProperty(onType className: String, from oldName: String, to newName: String) {
    note {
      for (object, new) in objects(className) {
        try new.set(newName, to: object.content(oldName))
      }
    }
  }

  /// Every object of a class, as it was and as it will be.
  private func objects(_ className: String) -> [(old: ObjectHandle, new: ObjectHandle)] {
    note {
      try old.dynamic.objects(className).objects.compactMap { object in
        store.object(object.id).map { (object, $0) }
      }
    } ?? []
  }

  /// Runs a step; the first one that fails makes the migration fail.
  @discardableResult
  func note<R>(_ step: () throws -> R) -> R? {
    if failure != nil { return nil }
    do {
      return try step()
    } catch {
      failure = error
      return nil
    }
  }

  /// Deletes every object of a class, and the class unless the program has it; returns whether the store had it. A class that
  /// another one links to can only be deleted with that link.
  @discardableResult
  public func deleteData(forType className: String) -> Bool {
    guard store.schema.classSchema(named: className) != nil else { return false }
    return note {
      if definitions.contains(where: { $0.name == className }) {
        try store.delete(store.objects(className))
      } else {
        try store.drop(className)
      }
    } != nil
  }
}

extension ObjectHandle {
  /// The whole content of a property.
  fileprivate func content(_ name: String) throws -> PropertyContent {
    guard try isCollection(name) else { return .value(try value(name)) }
    let collection = try collection(name)
    if collection.isMap { return .map(MapEntries(zip(collection.keys, collection.values))) }
    return .list(collection.values)
  }
}

extension StoreCore {
  /// Takes classes into the store, with those that they link to, at a version of the program's classes. If the store has
  /// an older version, its classes are changed to match, and `migrate` moves their values.
  func adopt(
    _ types: [ObjectBase.Type], version: Int, _ migrate: ((Migration) throws -> Void)?
  ) throws {
    let found = session.programSchemaVersion
    guard found <= version else {
      throw SchemaError(
        "the store has version \(found) of the program's classes, which is newer than \(version)")
    }
    if found == version, version > 0 { return try adopt(types) }
    try session.write {
      if session.schema.classes.contains(where: \.isDeclared) {
        let definitions = try definitions(of: types)
        let migration = try Migration(self, from: found, to: version, definitions)
        defer { migration.end() }
        let dropped = try alter(definitions)
        try migrate?(migration)
        if let failure = migration.failure { throw failure }
        for (className, names) in dropped where session.schema.classSchema(named: className) != nil
        {
          try session.alter(className, names.map { .drop($0) })
        }
      } else {
        try adopt(types)
      }
      try session.setProgramSchemaVersion(version)
    }
  }

  /// Gives the store's classes the properties of definitions; returns the properties that are to be dropped.
  ///
  /// Backlinks follow the properties that they come from: those that do not stay as they are are dropped first, and
  /// added last.
  private func alter(_ definitions: [ClassDefinition]) throws -> [(
    className: String, names: [String]
  )] {
    func stored(_ definition: ClassDefinition) -> ClassDefinition? {
      guard let existing = session.schema.classSchema(named: definition.name), existing.isDeclared
      else { return nil }
      return session.schema.definition(of: existing)
    }
    let existing = definitions.filter { stored($0) != nil }
    for definition in existing {
      let lost = (stored(definition)?.backlinks ?? []).filter { backlinks in
        !definition.backlinks.contains(where: backlinks.isSame)
          || !keepsOrigin(of: backlinks, definitions)
      }
      if !lost.isEmpty { try session.alter(definition.name, lost.map { .drop($0.name) }) }
    }
    var dropped: [(className: String, names: [String])] = []
    for definition in existing {
      guard let stored = stored(definition) else { continue }
      try alter(stored, to: definition)
      let names = Set(definition.properties.map(\.name))
      let extra = stored.properties.map(\.name).filter { !names.contains($0) }
      if !extra.isEmpty { dropped.append((definition.name, extra)) }
    }
    for definition in definitions where stored(definition) == nil {
      try session.declare(definition)
    }
    for definition in existing {
      let present = stored(definition)?.backlinks ?? []
      let missing = definition.backlinks.filter { !present.contains(where: $0.isSame) }
      if !missing.isEmpty { try session.alter(definition.name, missing.map { .add($0) }) }
    }
    return dropped
  }

  /// Gives a class the properties of a definition but its backlinks.
  private func alter(_ stored: ClassDefinition, to definition: ClassDefinition) throws {
    var alterations: [ClassAlteration] = []
    for property in definition.properties {
      guard let old = stored.properties.first(where: { $0.name == property.name }) else {
        if !property.isBacklinks { alterations.append(.add(property)) }
        continue
      }
      if property.isBacklinks {
        if !old.isBacklinks { alterations.append(.drop(property.name)) }
      } else if !property.keepsValues(of: old) {
        try session.alter(definition.name, [.drop(property.name)])
        alterations.append(.add(property))
      } else if old != property {
        alterations.append(.change(property))
      }
    }
    if !alterations.isEmpty { try session.alter(definition.name, alterations) }
  }

  /// Whether the property that backlinks come from is in the store and stays what it is.
  private func keepsOrigin(
    of backlinks: ClassDefinition.Property, _ definitions: [ClassDefinition]
  ) -> Bool {
    guard case .backlinks(let name) = backlinks.shape,
      case .link(let className) = backlinks.element,
      let definition = definitions.first(where: { $0.name == className })
    else { return true }
    let stored = session.schema.classSchema(named: className)
      .map { session.schema.definition(of: $0) }
    guard let old = stored?.properties.first(where: { $0.name == name }),
      let new = definition.properties.first(where: { $0.name == name })
    else { return false }
    return new.keepsValues(of: old)
  }
}

extension ClassDefinition {
  fileprivate var backlinks: [Property] { properties.filter(\.isBacklinks) }
}

extension ClassDefinition.Property {
  fileprivate var isBacklinks: Bool { if case .backlinks = shape { true } else { false } }

  fileprivate func isSame(_ other: Self) -> Bool {
    name == other.name && element == other.element && shape == other.shape
  }

  /// Whether a property of the same name can be changed to this one with its values.
  fileprivate func keepsValues(of old: Self) -> Bool {
    old.element == element && old.shape == shape && (!old.isOptional || isOptional)
  }
}
