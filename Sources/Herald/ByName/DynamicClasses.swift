import HeraldEngine
public import HeraldModel

/// The classes of a store by their names, for programs that learn at run time which classes there are.
///
///     for classSchema in store.dynamic.schema.classes where !classSchema.isEmbedded {
///       print(classSchema.name, store.dynamic.objects(classSchema.name).count)
///     }
///
/// Its objects, results and collections are those of the typed interface, of the element type `DynamicObject`: `filter`,
/// `sorted(byKeyPath:)`, `sum(ofProperty:)`, `observe(keyPaths:)`, `freeze` and the rest take the names of properties, and
/// `store.delete` deletes. A name may be that of a class of the program, whose objects are then seen in both ways.
public struct DynamicClasses {
  fileprivate let core: StoreCore

  /// Every class with its properties, including what the open transaction has declared.
  public var schema: Schema {
    core.checkOwner()
    return core.session.schema
  }

  /// The properties of a class; nil for an unknown one.
  package func table(of className: String) -> ObjectTable? {
    core.checkOwner()
    return try? core.binding(ofClassNamed: className).table
  }

  /// Declares a class, in the open transaction or in one of its own; the classes that it links to may follow. Declaring
  /// it again changes nothing. Errors: `classExists` for another declaration of the name, `invalidName`,
  /// `invalidSchema`, `duplicateProperty`, and those of `write`.
  ///
  ///     try store.dynamic.declare(
  ///       ClassDefinition(name: "Dog", properties: [.init(name: "name", element: .string)]))
  public func declare(_ definition: ClassDefinition) throws {
    core.checkOwner()
    try core.dynamic.declare(definition)
  }

  /// Every object of a class, in order of creation. That there is no such class stops the program at the first read, and
  /// reaches an observer as `error`; `schema` says which there are.
  ///
  ///     let old = store.dynamic.objects("Dog").filter("age > %@", 10).sorted(byKeyPath: "name")
  public func objects(_ className: String) -> Results<DynamicObject> {
    core.checkOwner()
    let core = core
    return Results(
      .query(
        ResultsQuery(core) {
          _ = try core.binding(ofClassNamed: className)
          return try core.dynamic.objects(className)
        }))
  }

  /// Returns the object with a primary key; nil where there is none, and for a key of another type or an unknown class.
  /// O(log n).
  public func object(_ className: String, forKey key: some PersistableValue) -> DynamicObject? {
    core.checkOwner()
    guard let value = try? key._encode(LinkEncoder(core)),
      let found = try? core.dynamic.object(className, key: value)
    else { return nil }
    return core.instance(of: DynamicObject.self, found.id)
  }

  /// Adds an object with values by name, and returns it; properties that are not given get the defaults of the store's
  /// class. Linked objects may be dictionaries, lists and sets are arrays, and maps are dictionaries.
  ///
  ///     let dog = store.dynamic.create("Dog", value: ["name": "Rex", "owner": ["name": "Ann"]])
  ///
  /// Update policies, and the errors with which the write fails at its end, are those of `Store.create`, and
  /// `unknownClass`; the returned object is then in no store.
  @discardableResult
  public func create(
    _ className: String, value: [String: Any] = [:], update: UpdatePolicy = .error
  ) -> DynamicObject {
    create(className, update) { object in
      let table = try object.classTable()
      try object.setLocal(ObjectCopy(core).values(value, of: table))
      return table.storedNames(value.keys)
    }
  }

  /// Adds an object with values in the order of the properties of the store's class, and returns it.
  @discardableResult
  public func create(
    _ className: String, value: [Any], update: UpdatePolicy = .error
  ) -> DynamicObject {
    create(className, update) { object in
      let table = try object.classTable()
      let values = try table.named(value)
      try object.setLocal(ObjectCopy(core).values(values, of: table))
      return Set(values.keys)
    }
  }

  /// Adds an object with the properties that another one has by the same names, and returns it.
  @discardableResult
  public func create(
    _ className: String, value: ObjectBase, update: UpdatePolicy = .error
  ) -> DynamicObject {
    create(className, update) { try ObjectCopy(core).copy(value, into: $0) }
  }

  private func create(
    _ className: String, _ update: UpdatePolicy, _ set: (DynamicObject) throws -> Set<String>
  ) -> DynamicObject {
    core.create(
      className, update, { DynamicObject(of: try core.binding(ofClassNamed: className).table) }, set
    ) ?? DynamicObject()
  }
}

extension Store {
  /// The store's classes by their names, for those that the program knows at run time only.
  ///
  ///     store.dynamic.objects("Dog").filter("age > 10")
  public var dynamic: DynamicClasses { DynamicClasses(core: core) }
}

extension StoreCore {
  /// Returns a class that is declared in the store. Errors: `unknownClass`, `undeclaredClass`.
  func binding(ofClassNamed className: String) throws -> ClassBinding {
    let classSchema = try dynamic.classSchema(className)
    try session.checkDeclared(classSchema)
    return try binding(ofClass: classSchema.id)
  }
}
