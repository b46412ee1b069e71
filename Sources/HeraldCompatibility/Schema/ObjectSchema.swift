package import Herald

/// A class with its properties.
public struct ObjectSchema: Equatable, CustomStringConvertible {
  /// The name of the class.
  public let className: String
  /// The class; `DynamicObject` for one that the program knows by its name alone.
  public let objectClass: AnyClass
  /// The properties that have values, in order.
  public let properties: [Property]
  /// Whether its objects are parts of others.
  public let isEmbedded: Bool
  private let computed: [Property]

  init(_ table: ObjectTable, of type: ObjectBase.Type) {
    self.init(
      table.className, type, isEmbedded: type is EmbeddedObject.Type,
      table.properties.map { Property($0.definition, named: $0.label) })
  }

  init(_ definition: ClassDefinition) {
    self.init(
      definition.name, DynamicObject.self, isEmbedded: definition.isEmbedded,
      definition.properties.map { Property($0, named: $0.name) })
  }

  private init(
    _ className: String, _ type: ObjectBase.Type, isEmbedded: Bool, _ all: [Property]
  ) {
    self.className = className
    objectClass = type
    self.isEmbedded = isEmbedded
    properties = all.filter { $0.type != .linkingObjects }
    computed = all.filter { $0.type == .linkingObjects }
  }

  /// The property by which objects are found; nil without one.
  public var primaryKeyProperty: Property? { properties.first(where: \.isPrimaryKey) }

  /// The property with a name, `LinkingObjects` among them; nil without one.
  public subscript(propertyName: String) -> Property? {
    (properties + computed).first { $0.name == propertyName }
  }

  /// Whether both are classes of one name with the same properties.
  public static func == (a: ObjectSchema, b: ObjectSchema) -> Bool {
    a.className == b.className && a.isEmbedded == b.isEmbedded && a.properties == b.properties
      && a.computed == b.computed
  }

  /// The name, and the properties in braces.
  public var description: String {
    "\(className) {\n" + properties.map { "  \($0)\n" }.joined() + "}"
  }
}

/// The classes of a store.
public struct Schema: Equatable, CustomStringConvertible {
  /// The classes, in the order of their declarations.
  public let objectSchema: [ObjectSchema]

  init(_ schema: Herald.Schema) {
    objectSchema = schema.classes.filter(\.isDeclared).map {
      ObjectSchema(schema.definition(of: $0))
    }
  }

  init(_ schema: Herald.Schema, _ type: (String) -> ObjectBase.Type?) {
    objectSchema = schema.classes.filter(\.isDeclared).map { classSchema in
      type(classSchema.name)?.sharedSchema() ?? ObjectSchema(schema.definition(of: classSchema))
    }
  }

  private init(_ objectSchema: [ObjectSchema]) { self.objectSchema = objectSchema }

  /// The classes that have a name among some.
  func limited(to names: Set<String>) -> Schema {
    Schema(objectSchema.filter { names.contains($0.className) })
  }

  /// The class with a name; nil without one.
  public subscript(className: String) -> ObjectSchema? {
    objectSchema.first { $0.className == className }
  }

  /// The classes, one after the other.
  public var description: String { objectSchema.map(\.description).joined(separator: "\n") }
}

extension Realm {
  /// The classes of the store, as the program declares them; of a configuration with `objectTypes` these, and those that
  /// they link to.
  public var schema: Schema {
    let schema = Schema(store.dynamic.schema) { store.programType(named: $0) }
    guard var pending = RealmSession.of(store).configuration?.objectTypes else { return schema }
    var names: Set<String> = []
    while let type = pending.popLast() {
      guard let table = try? ObjectTable.of(type) else { continue }
      if names.insert(table.className).inserted { pending += table.linkedTypes }
    }
    return schema.limited(to: names)
  }
}

extension ObjectBase {
  /// The class with its properties; nil for `Object` itself, and for a class that no store can have.
  public static func sharedSchema() -> ObjectSchema? {
    guard let table = try? ObjectTable.of(self) else { return nil }
    return ObjectSchema(table, of: self)
  }
}

extension ObservableObjectBase {
  /// The class of the object with its properties.
  public var objectSchema: ObjectSchema {
    if let schema = type(of: self).sharedSchema() { return schema }
    let name = ObjectTable.className(of: self)
    guard let realm, let known = realm.schema[name] else {
      fatalError("the class '\(name)' has no properties that a store can have")
    }
    return known
  }
}

extension ObjectBase {
  /// Returns the name of the property at the end of a key path, over links with dots, as queries and observers take it.
  public static func _name<Root: ResultElement>(for path: PartialKeyPath<Root>) -> String {
    requiredName(of: path)
  }
}

/// Returns the name of the property at the end of a key path, over links with dots, as queries and observers take it.
public func _name<Root: ResultElement>(for path: PartialKeyPath<Root>) -> String {
  requiredName(of: path)
}

/// Returns the names of the properties at the end of key paths.
public func _name<Root: ResultElement>(for paths: [PartialKeyPath<Root>]) -> [String] {
  paths.map { requiredName(of: $0) }
}
