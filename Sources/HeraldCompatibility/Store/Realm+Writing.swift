public import Herald

extension Realm {
  /// Runs a block in a transaction, and commits it. Errors: those of `Store.write`.
  @discardableResult
  public func write<Result>(
    withoutNotifying tokens: [NotificationToken] = [], _ block: () throws -> Result
  ) throws -> Result {
    try store.write(withoutNotifying: tokens, block)
  }

  /// Runs a block without a result in a transaction.
  public func write(
    withoutNotifying tokens: [NotificationToken] = [], _ block: () throws -> Void
  ) throws { try store.write(withoutNotifying: tokens, block) }

  /// Begins a transaction.
  public func beginWrite() { store.beginWrite() }

  /// Commits the open transaction. Errors: those of `Store.commitWrite`.
  public func commitWrite(withoutNotifying tokens: [NotificationToken] = []) throws {
    try store.commitWrite(withoutNotifying: tokens)
  }

  /// Rolls back the open transaction.
  public func cancelWrite() { store.cancelWrite() }

  /// Runs a block in a transaction, and waits for its turn without blocking the thread.
  @discardableResult
  public func asyncWrite<Result>(_ block: () throws -> Result) async throws -> Result {
    let session = RealmSession.of(store)
    let id = session.beginTransaction(nil)
    defer { _ = session.endTransaction(id) }
    return try await store.asyncWrite(block)
  }

  /// Adds an object, with all unmanaged objects that it links to.
  public func add(_ object: Object, update: UpdatePolicy = .error) {
    store.add(object, update: update)
  }

  /// Adds several objects.
  public func add<Objects: Sequence>(_ objects: Objects, update: UpdatePolicy = .error)
  where Objects.Element: Object {
    store.add(objects, update: update)
  }

  /// Adds an object with values by name, and returns it; names that no property has are ignored.
  @discardableResult
  public func create<T: Object>(
    _ type: T.Type, value: [String: Any] = [:], update: UpdatePolicy = .error
  ) -> T {
    let known = (try? ObjectTable.of(type))?.known(value)
    return store.create(type, value: known ?? value, update: update)
  }

  /// Adds an object with values in the order of its properties, and returns it.
  @discardableResult
  public func create<T: Object>(
    _ type: T.Type, value: [Any], update: UpdatePolicy = .error
  ) -> T {
    guard let known = try? ObjectTable.of(type).known(value) else {
      return store.create(type, value: value, update: update)
    }
    return store.create(type, value: known, update: update)
  }

  /// Adds a copy of an object, and returns it, as `Store.create` does.
  @discardableResult
  public func create<T: Object>(
    _ type: T.Type, value: ObjectBase, update: UpdatePolicy = .error
  ) -> T {
    store.create(type, value: value, update: update)
  }

  /// Adds an object with the properties of a record of the program's own; one that the class does not have fails the write.
  @discardableResult
  @_disfavoredOverload
  public func create<T: Object>(
    _ type: T.Type, value: some Encodable, update: UpdatePolicy = .error
  ) -> T {
    store.create(type, value: value, update: update)
  }

  /// Adds an object with values by name, in the order of its properties, or those of another object, and returns it.
  @discardableResult
  @_disfavoredOverload
  public func create<T: Object>(
    _ type: T.Type, value: Any, update: UpdatePolicy = .error
  ) -> T {
    switch value {
    case let values as [String: Any]: create(type, value: values, update: update)
    case let values as [Any]: create(type, value: values, update: update)
    case let object as ObjectBase: store.create(type, value: object, update: update)
    case _: fatalError("an object of class '\(T.className())' cannot be created of '\(value)'")
    }
  }

  /// Deletes an object.
  public func delete(_ object: ObjectBase) { store.delete(object) }

  /// Deletes several objects.
  public func delete<Objects: Sequence>(_ objects: Objects) where Objects.Element: ObjectBase {
    store.delete(objects)
  }

  /// Deletes the objects of a map.
  public func delete<Linked: ObjectBase>(_ map: Map<String, Linked?>) {
    store.delete(map.values.compactMap(\.self))
  }

  /// Deletes every object.
  public func deleteAll() { store.deleteAll() }
}
