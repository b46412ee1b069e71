import HeraldEngine
package import HeraldModel

extension DynamicStore {
  /// Adds an object in the open transaction; properties that are not given get their defaults.
  ///
  /// If the transaction is rolled back, the object stays invalid, and its number is not reused. O(size of
  /// the object + log n for each index).
  ///
  /// Errors, before anything is changed: `notInWrite`, `unknownClass`, `unknownProperty`, `wrongType`,
  /// `missingValue`, `duplicateKey`, `embeddedNeedsOwner` for an embedded class.
  package func add(_ className: String, _ properties: [NamedContent]) throws -> ObjectHandle {
    if let (id, outcome) = try session.addAgain(className, properties) {
      return ObjectHandle(store: self, id: id, addedBy: outcome)
    }
    return ObjectHandle(store: self, id: try session.add(classSchema(className), properties))
  }

  /// Adds as many objects as each column has values, in the open transaction, and returns their numbers, which
  /// follow one another. Properties without a column get their defaults.
  ///
  ///     try store.write {
  ///       try store.insert("Dog", columns: [("name", .strings(names)), ("age", .ints(ages))])
  ///     }
  ///
  /// Several times faster than adding one object after the other, for a class without a primary key and links.
  ///
  /// Errors, before anything is changed: those of `add`; `unequalColumns`.
  @discardableResult
  package func insert(_ className: String, columns: [NamedColumn]) throws -> Range<ObjectNumber> {
    try session.add(to: classSchema(className), columns: columns)
  }

  /// Adds an embedded object in the open transaction, which must be assigned to its owner next. Errors:
  /// those of `add`.
  package func addEmbeddedObject(_ className: String, _ properties: [NamedContent]) throws
    -> ObjectHandle
  {
    ObjectHandle(
      store: self, id: try session.add(classSchema(className), properties, asEmbedded: true))
  }

  /// Updates the object with the same primary key, changing only values that differ, or adds one. Errors:
  /// those of `add`; `noPrimaryKey`.
  package func upsert(_ className: String, _ properties: [NamedContent]) throws -> ObjectHandle {
    try addOrUpdate(className, properties).object
  }

  /// The same, with what the object had in place of the values that differ; nil for an object that was added.
  package func addOrUpdate(
    _ className: String, _ properties: [NamedContent]
  ) throws -> (object: ObjectHandle, replaced: [NamedContent]?) {
    let (object, replaced) = try session.upsert(classSchema(className), properties)
    return (ObjectHandle(store: self, id: object), replaced)
  }

  /// Validates properties for objects of a class in the open transaction, without changing anything.
  ///
  /// Errors: `notInWrite`, `unknownClass`, `unknownProperty`, `wrongType`, `missingValue`.
  package func check(_ className: String, _ properties: [NamedContent]) throws {
    try session.check(properties, classSchema(className))
  }

  /// Deletes an object in the open transaction. Links to it become nil, lists and sets remove it, and map
  /// values that link to it become nil, also where nested in values of any type. O(size of the object and
  /// its backlinks).
  ///
  /// Errors: `notInWrite`, `objectDeleted`, `wrongSession`, `frozen`.
  package func delete(_ object: ObjectHandle) throws {
    try session.delete(own(object))
  }

  /// Deletes every object of results in the open transaction. If the store's `interruption` is requested,
  /// it throws `interrupted`, and the objects deleted by then stay deleted in the transaction. Errors:
  /// those of `delete(_:)`.
  package func delete(_ results: DynamicResults) throws {
    try checkOwn(results.store)
    try session.delete(Set(try results.ids()).sorted()) {
      if session.interruption?.isRequested ?? false { throw HeraldError.interrupted }
    }
  }

  /// Deletes objects one after another in the open transaction, skipping those that were deleted along
  /// with earlier ones. Observers of a collection property that linked to them are notified once.
  ///
  /// - Parameters:
  ///   - objects: The objects to delete.
  ///   - check: Called before each deletion; an error that it throws stops the deletion.
  package func delete(_ objects: [ObjectHandle], check: () throws -> Void) throws {
    try session.delete(objects.map(own), check)
  }

  /// Returns the object with a primary key or, where the class has none, with a number; nil where there
  /// is none. O(log n). Errors: `unknownClass`, `closed`.
  package func object(_ className: String, key: Value) throws -> ObjectHandle? {
    try session.checkOpen()
    return try session.find(classSchema(className), key: key).map {
      ObjectHandle(store: self, id: $0)
    }
  }

  /// Returns the object with an id; nil where it does not exist at the session's version. O(log n).
  package func object(_ id: ObjectID) -> ObjectHandle? {
    // Noted while no transaction is open.
    if let exists = session.notedPresence(of: id) {
      return exists ? ObjectHandle(store: self, committed: id) : nil
    }
    return session.exists(id) ? ObjectHandle(store: self, id: id) : nil
  }

  /// Returns a single-valued property of an object by its id: `object(id)?.value(property)` without an object in
  /// between. Errors: those of `ObjectHandle.value`.
  package func value(_ property: String, of id: ObjectID) throws -> Value {
    if let value = session.notedValue(named: property, of: id) { return value }
    return try ObjectHandle(store: self, id: id).value(property)
  }

  /// Returns the class name and the key of an object, also of one that the current delivery or the last
  /// commit deleted.
  package func label(of id: ObjectID) -> ObjectLabel {
    ObjectLabel(
      className: schema.classSchema(id.classID)?.name ?? "", key: session.key(of: id))
  }

  /// Checks that a changed object belongs to this session.
  private func checkOwn(_ store: DynamicStore) throws(HeraldError) {
    guard store === self else { throw store.isFrozen ? .frozen : .wrongSession }
  }

  func own(_ object: ObjectHandle) throws(HeraldError) -> ObjectID {
    try checkOwn(object.store)
    try object.checkAdded()
    return object.id
  }
}
