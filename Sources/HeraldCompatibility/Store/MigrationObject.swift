public import Herald

/// An object during a migration, by the names of its properties.
public typealias MigrationObject = DynamicObject

/// Called with each object of a class, as it was and as it will be; neither is nil.
public typealias MigrationObjectEnumerateBlock = (
  _ oldObject: MigrationObject?, _ newObject: MigrationObject?
) -> Void

/// The change of a store's classes to those of a newer version of the program, by Realm's names.
///
///     migration.enumerateObjects(ofType: "Person") { old, new in new!["name"] = old!["title"] }
public struct Migration {
  private let migration: Herald.Migration

  init(_ migration: Herald.Migration) { self.migration = migration }

  /// The classes as they were.
  public var oldSchema: Schema { Schema(migration.oldSchema) }

  /// The classes as they will be, with properties that the program has no more.
  public var newSchema: Schema { Schema(migration.newSchema) }

  /// Calls `block` with each object of a class, as it was, to be read, and as it will be, to be assigned; neither is nil.
  /// What cannot be assigned makes the migration fail. A class that there is not has no objects.
  public func enumerateObjects(
    ofType typeName: String,
    _ block: (_ oldObject: MigrationObject?, _ newObject: MigrationObject?) throws -> Void
  ) rethrows {
    guard oldSchema[typeName] != nil || newSchema[typeName] != nil else { return }
    try migration.enumerateObjects(ofType: typeName) { old, new in try block(old, new) }
  }

  /// Adds an object of a class as it will be, with values by name, in the order of its properties, or those of another
  /// object, and returns it. Names in a dictionary that no property has are ignored; values that the class cannot take make the migration
  /// fail.
  @discardableResult
  public func create(_ typeName: String, value: Any = [String: Any]()) -> MigrationObject {
    switch value {
    case let values as [String: Any]:
      migration.create(typeName, value: migration.table(of: typeName)?.known(values) ?? values)
    case let values as [Any]: migration.create(typeName, value: values)
    case let object as ObjectBase: migration.create(typeName, value: object)
    case _: fatalError("an object of class '\(typeName)' cannot be created of '\(value)'")
    }
  }

  /// Deletes an object as it will be.
  public func delete(_ object: MigrationObject) { migration.delete(object) }

  /// Deletes every object of a class, and the class unless the program has it; returns whether the store had it.
  @discardableResult
  public func deleteData(forType typeName: String) -> Bool {
    migration.deleteData(forType: typeName)
  }

  /// Gives a property of the program's class the values of one that the store had under another name.
  public func renameProperty(onType typeName: String, from oldName: String, to newName: String) {
    migration.renameProperty(onType: typeName, from: oldName, to: newName)
  }
}
