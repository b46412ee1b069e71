import HeraldEngine
import HeraldModel

extension Store {
  /// Adds an object with values by name, and returns it; properties that are not given get their defaults. Linked
  /// objects are dictionaries or arrays of their own, lists and sets arrays; of objects that are in no store, or in another
  /// one, copies are added.
  ///
  ///     store.create(Dog.self, value: ["name": "Max", "age": 3])
  ///
  /// With an update policy, only the given properties of an existing object change. The write fails at its end with
  /// `unknownProperty`, `wrongType`, `noPrimaryKey` with a policy, or an error of `add`; the returned object is then in no store.
  @discardableResult
  public func create<T: Object>(
    _ type: T.Type, value: [String: Any] = [:], update: UpdatePolicy = .error
  ) -> T {
    create(type, update) { object in
      let table = try ObjectTable.of(type)
      try object.setLocal(ObjectCopy(core).values(value, of: table))
      return table.storedNames(value.keys)
    }
  }

  /// Adds an object with values in the order of its properties, and returns it, as `create` does with values by name.
  /// Those of superclasses are first, and `LinkingObjects` have no value.
  ///
  ///     store.create(Dog.self, value: ["Max", 3])
  @discardableResult
  public func create<T: Object>(
    _ type: T.Type, value: [Any], update: UpdatePolicy = .error
  ) -> T {
    create(type, update) { object in
      let table = try ObjectTable.of(type)
      let values = try table.named(value)
      try object.setLocal(ObjectCopy(core).values(values, of: table))
      return Set(values.keys)
    }
  }

  /// Adds an object whose properties `set` assigns; it returns their names.
  private func create<T: Object>(
    _ type: T.Type, _ update: UpdatePolicy, _ set: (T) throws -> Set<String>
  ) -> T {
    core.create(T.className, update, { type.init() }, set) ?? T()
  }

  /// Adds an object with the properties that another one has by the same names, and returns it: a copy, also of an object
  /// of another class or store. Its embedded objects, and the objects that it links to and that are in no store, or in
  /// another one, are copied with it. The write fails as with a dictionary, and with `objectDeleted`.
  ///
  ///     let twin = store.create(Dog.self, value: dog)
  @discardableResult
  public func create<T: Object>(
    _ type: T.Type, value: ObjectBase, update: UpdatePolicy = .error
  ) -> T {
    create(type, update) { try ObjectCopy(core).copy(value, into: $0) }
  }

  /// Adds an object with the properties of a record of the program's own, as `create` with a dictionary does; the write
  /// also fails with an error of the record's encoding.
  @discardableResult
  @_disfavoredOverload
  public func create<T: Object>(
    _ type: T.Type, value: some Encodable, update: UpdatePolicy = .error
  ) -> T {
    let properties = core.attempt("an object of class '\(T.className)'", is: "created") {
      try ValueEncoder.properties(of: value)
    }
    return properties.map { create(type, value: $0, update: update) } ?? T()
  }
}

extension StoreCore {
  /// Adds the object that `make` returns, whose properties `set` assigns; it returns their names. Nil if that fails, and
  /// with it the write.
  func create<T: ObjectBase>(
    _ className: String, _ update: UpdatePolicy, _ make: () throws -> T,
    _ set: (T) throws -> Set<String>
  ) -> T? {
    attempt("an object of class '\(className)'", is: "created") {
      try session.checkedWrite()
      let object = try make()
      try checkUpdatable(object.classTable(), update)
      let given = try set(object)
      _ = try ObjectAdding(self, update, given: update == .error ? nil : given).add(
        object, asEmbedded: false)
      return object
    }
  }
}
