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
  private let old: DynamicStore
  private let store: DynamicStore
  /// The first error, which makes the migration fail.
  fileprivate var failure: (any Error)?

  init(_ store: DynamicStore, from oldVersion: Int, to newVersion: Int) throws {
    self.store = store
    oldSchemaVersion = oldVersion
    newSchemaVersion = newVersion
    old = try store.newSession(named: "before the migration")
    old.autorefresh = false
  }

  /// Calls `block` with each object of a class, as it was, to be read, and as it will be, to be assigned. A class that the
  /// store does not have, and an assignment that it cannot take, make the migration fail.
  public func enumerateObjects(
    ofType className: String,
    _ block: (_ old: MigrationObject, _ new: MigrationObject) throws -> Void
  ) rethrows {
    for (object, new) in objects(className) {
      try block(MigrationObject(object, self), MigrationObject(new, self))
    }
  }

  /// Calls `block` with each object of a class, for blocks that take optionals, which never are nil:
  /// `new!["name"] = old!["name"]`.
  @_disfavoredOverload
  public func enumerateObjects(
    ofType className: String,
    _ block: (_ old: MigrationObject?, _ new: MigrationObject?) throws -> Void
  ) rethrows {
    for (object, new) in objects(className) {
      try block(MigrationObject(object, self), MigrationObject(new, self))
    }
  }

  /// Adds an object of a class as it will be, with values by name, and returns it. Values that the class cannot take make
  /// the migration fail; nothing is done with what is returned then.
  @discardableResult
  public func create(_ className: String, value: [String: Any] = [:]) -> MigrationObject {
    let added = note {
      try store.add(className, value.map { ($0.key, try MigrationObject.content($0.value)) })
    }
    return MigrationObject(added, self)
  }

  /// Adds an object of a class as it will be, with values in the order of the properties, as `create` with values by name.
  /// More values than properties make the migration fail.
  @discardableResult
  public func create(_ className: String, value: [Any]) -> MigrationObject {
    let names = note {
      let names = try store.classSchema(className).properties
        .filter { !$0.type.isBacklinks }.map(\.name)
      guard value.count <= names.count else {
        throw ValueError(
          "class '\(className)' has \(names.count) properties with values, and gets \(value.count)")
      }
      return names
    }
    return create(
      className, value: Dictionary(zip(names ?? [], value), uniquingKeysWith: { $1 }))
  }

  /// The classes as they were.
  public var oldSchema: Schema { old.schema }

  /// The classes as they will be, with properties that the program has no more.
  public var newSchema: Schema { store.schema }

  /// Deletes an object as it will be. One as it was makes the migration fail.
  public func delete(_ object: MigrationObject) {
    note { if let object = object.object { try store.delete(object) } }
  }

  /// Gives a property of the program's class the values of one that the store had under another name. Unknown names, and
  /// values of another type, make the migration fail.
  public func renameProperty(onType className: String, from oldName: String, to newName: String) {
    note {
      for (object, new) in objects(className) {
        try new.set(newName, to: MigrationObject.content(of: oldName, in: object))
      }
    }
  }

  /// Every object of a class, as it was and as it will be.
  private func objects(_ className: String) -> [(old: ObjectHandle, new: ObjectHandle)] {
    note {
      try old.objects(className).objects.compactMap { object in
        store.object(object.id).map { (object, $0) }
      }
    } ?? []
  }

  @discardableResult
  fileprivate func note<R>(_ step: () throws -> R) -> R? {
    if failure != nil { return nil }
    do {
      return try step()
    } catch {
      failure = error
      return nil
    }
  }

  /// Deletes every object of a class, and the class; returns whether the store had it.
  @discardableResult
  public func deleteData(forType className: String) -> Bool {
    guard store.schema.classSchema(named: className) != nil else { return false }
    return note { try store.drop(className) } != nil
  }
}

/// An object during a migration, by the names of its properties.
public final class MigrationObject {
  /// Nil after it could not be created.
  fileprivate let object: ObjectHandle?
  private let migration: Migration

  fileprivate init(_ object: ObjectHandle?, _ migration: Migration) {
    self.object = object
    self.migration = migration
  }

  /// The value of a property: nil for nil, for a collection `[AnyValue]` or `[String: AnyValue]`. An assignment that
  /// fails makes the migration fail.
  public subscript(name: String) -> Any? {
    get {
      guard let object else { return nil }
      switch try? Self.content(of: name, in: object) {
      case .value(let value)?: return any(value, object.store)
      case .list(let values)?: return values.map { any($0, object.store) as Any }
      case .map(let entries)?:
        return Dictionary(
          uniqueKeysWithValues: entries.map { ($0.key, any($0.value, object.store) as Any) })
      case nil: return nil
      }
    }
    set { migration.note { try object?.set(name, to: Self.content(newValue)) } }
  }

  fileprivate static func content(of name: String, in object: ObjectHandle) throws
    -> PropertyContent
  {
    guard try object.isCollection(name) else { return .value(try object.value(name)) }
    let collection = try object.collection(name)
    if collection.isMap { return .map(MapEntries(zip(collection.keys, collection.values))) }
    return .list(collection.values)
  }

  private func any(_ value: Value, _ store: DynamicStore) -> Any? {
    switch value {
    case .null: nil
    case .link(let id): store.object(id).map { MigrationObject($0, migration) }
    case .bool(let value): value
    case .int(let value): value
    case .float(let value): value
    case .double(let value): value
    case .string(let value): value
    case .data, .date, .decimal, .uuid, .objectID, .list, .map:
      AnyValue._decode(value, StoreCore(store, .everyone()))?.content
    }
  }

  fileprivate static func content(_ value: Any?) throws -> PropertyContent {
    switch value {
    case nil: return .value(.null)
    case let object as MigrationObject: return .value(object.object.map { .link($0.id) } ?? .null)
    case let values as [Any]:
      return .list(try values.map { try content($0).asValue })
    case let entries as [String: Any]:
      return .map(MapEntries(try entries.map { ($0.key, try content($0.value).asValue) }))
    case let value as any PersistableElement: return .value(try value._encode(LinkEncoder(nil)))
    case let value?: throw ValueError("'\(value)' is no value that a property can have")
    }
  }
}

extension MigrationObject: CustomStringConvertible {
  /// The class, and the properties with their values.
  public var description: String {
    guard let object, let classSchema = try? object.classSchema else {
      return "an object that does not exist"
    }
    let parts = classSchema.properties.filter { !$0.type.isBacklinks }.map { property in
      "\(property.name) = \(self[property.name].map { "\($0)" } ?? "nil")"
    }
    return "\(classSchema.name) { \(parts.joined(separator: "; ")) }"
  }
}

extension AnyValue {
  /// The value itself.
  var content: Any? {
    switch self {
    case .none: nil
    case .bool(let value): value
    case .int(let value): value
    case .float(let value): value
    case .double(let value): value
    case .string(let value): value
    case .data(let value): value
    case .date(let value): value
    case .objectId(let value): value
    case .uuid(let value): value
    case .decimal(let value): value
    case .object(let value): value
    case .list(let values): values.map { $0.content as Any }
    case .dictionary(let entries): entries.mapValues { $0.content as Any }
    }
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
        let migration = try Migration(dynamic, from: found, to: version)
        let dropped = try alter(try definitions(of: types))
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
