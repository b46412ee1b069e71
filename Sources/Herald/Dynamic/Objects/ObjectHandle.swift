import HeraldEngine
package import HeraldModel
import HeraldObservation

/// A live object: a view of one object, always at the session's version.
package struct ObjectHandle {
  /// The session that the object belongs to.
  package let store: DynamicStore
  /// The object's class and number.
  package let id: ObjectID
  /// The outcome of the transaction that adds the object; nil if it had been committed before.
  let fate: WriteOutcome?

  init(store: DynamicStore, id: ObjectID) {
    self.store = store
    self.id = id
    fate = store.session.outcomeOfAdding(of: id)
  }

  /// An object that an open write has added.
  init(store: DynamicStore, id: ObjectID, addedBy write: WriteOutcome) {
    self.store = store
    self.id = id
    fate = write
  }

  /// An object that no open write has added.
  init(store: DynamicStore, committed id: ObjectID) {
    self.store = store
    self.id = id
    fate = nil
  }

  /// The object in a store that `readConcurrently` passes.
  package func read(by store: DynamicStore) -> ObjectHandle {
    store === self.store ? self : ObjectHandle(store: store, committed: id)
  }

  /// Whether the object exists at the session's version. False after its deletion, after the rollback of
  /// the transaction that added it, and after `close`.
  package var isValid: Bool { !store.isClosed && !isRolledBack && store.session.exists(id) }

  /// Whether the transaction that added the object was rolled back; it then never becomes valid again.
  package var isRolledBack: Bool { fate?.isRolledBack ?? false }

  /// The id for reading the store: one that no object has if the transaction that added it was rolled
  /// back.
  var storedID: ObjectID { isRolledBack ? ObjectID(id.classID, 0) : id }

  /// Throws `objectDeleted` if the transaction that added the object was rolled back.
  func checkAdded() throws(HeraldError) {
    if isRolledBack { throw .objectDeleted(store.session.name(of: id)) }
  }

  /// The object's class name and key, also after its deletion by the current delivery or the last commit.
  package var label: ObjectLabel { store.label(of: id) }

  /// The schema of the object's class. Errors: `objectDeleted`, `closed`.
  package var classSchema: ClassSchema {
    get throws {
      try checkAdded()
      return try store.session.checkedClass(of: id)
    }
  }

  /// Returns the value of a single-valued property. O(log n). Errors: `unknownProperty`, `objectDeleted`,
  /// `wrongType` for a collection, `closed`, `damaged`.
  package func value(_ property: String) throws -> Value {
    if !isRolledBack, let value = store.session.notedValue(named: property, of: id) { return value }
    return try readValue(property)
  }

  /// Reads single-valued properties of the object's class into `values`, in place of what was there. Errors:
  /// `objectDeleted`, `closed`, `damaged`.
  package func read(_ properties: [PropertyID], into values: inout [Value]) throws {
    try checkAdded()
    guard try store.session.read(properties, of: id, into: &values) else {
      throw HeraldError.objectDeleted(store.session.name(of: id))
    }
  }

  /// Apart from `value`, which mostly returns before it, and so saves no registers.
  @inline(never)
  private func readValue(_ property: String) throws -> Value {
    try checkAdded()
    if let value = try store.session.value(named: property, of: id) { return value }
    let classSchema = try self.classSchema
    let property = try store.session.checkedProperty(property, of: classSchema)
    guard property.type.shape == .single else {
      throw HeraldError.wrongType(
        property: property.name, className: classSchema.name, expected: "a single value",
        value: store.schema.name(of: property.type))
    }
    let value = store.session.reader.value(property.id, of: id)
    try store.checkIntact()
    return value
  }

  /// Whether a property is a list, a set, a map or backlinks; false if it does not exist.
  package func isCollection(_ property: String) throws -> Bool {
    try classSchema.property(named: property)?.type.isCollection ?? false
  }

  /// Returns a collection property: a list, a set, a map or backlinks. Errors: `unknownProperty`,
  /// `notACollection`, `objectDeleted`, `closed`.
  package func collection(_ property: String) throws -> LiveCollection {
    try store.session.checkOpen()
    let classSchema = try self.classSchema
    let property = try store.session.checkedProperty(property, of: classSchema)
    guard property.type.isCollection else {
      throw HeraldError.notACollection(property: property.name, className: classSchema.name)
    }
    return LiveCollection(owner: self, property: property)
  }

  /// Returns a list or a map nested in a property of any type, or in an element of a collection of such
  /// values. Errors: `unknownProperty`, `objectDeleted`, `closed`, `notACollection` if the path does not
  /// lead to a list or a map.
  package func nested(_ property: String, _ path: [ValueStep] = []) throws -> LiveCollection {
    try store.session.checkOpen()
    let classSchema = try self.classSchema
    let property = try store.session.checkedProperty(property, of: classSchema)
    let nested = LiveCollection(owner: self, property: property, path: path)
    guard nested.place != nil else {
      throw HeraldError.notACollection(property: property.name, className: classSchema.name)
    }
    return nested
  }

  /// Sets a property in the open transaction. Errors: `notInWrite`, `unknownProperty`, `wrongType`,
  /// `missingValue`, `duplicateKey`, `keyCannotChange`, `cannotChangeBacklinks`, `objectDeleted`.
  package func set(_ property: String, to content: PropertyContent) throws {
    try set([(property, content)])
  }

  /// Sets properties in the open transaction where they differ; returns what it had in place of those that do.
  package func replace(_ properties: [NamedContent]) throws -> [NamedContent] {
    try checkAdded()
    return try store.session.replace(id, properties)
  }

  /// Sets several properties in the open transaction, all or none. Errors: those of `set(_:to:)`.
  package func set(_ properties: [NamedContent]) throws {
    try checkAdded()
    try store.session.set(id, properties)
  }
}

extension ObjectHandle: Equatable {
  /// Whether two values are the same object in the same session.
  package static func == (a: ObjectHandle, b: ObjectHandle) -> Bool {
    a.store === b.store && a.id == b.id
  }
}
