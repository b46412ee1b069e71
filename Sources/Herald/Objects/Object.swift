import HeraldEngine
public import HeraldModel
import HeraldObservation

/// A live object: a view of one object in its session, always at the session's version.
public struct Object {
  public let store: Store
  public let id: ObjectID
  /// The fate of the write that adds the object; nil where that had been committed already.
  let fate: WriteFate?

  init(store: Store, id: ObjectID) {
    self.store = store
    self.id = id
    fate = store.session.addingFate(of: id)
  }

  /// False once the object was deleted at the session's version, or its adding was rolled back.
  public var isValid: Bool { !store.isClosed && !isRolledBack && store.session.exists(id) }

  /// Whether the write that added the object was rolled back: it is in no store, and never will be.
  public var isRolledBack: Bool { fate?.isRolledBack ?? false }

  /// The id to read the store by: one that no object has where the adding was rolled back.
  var storedID: ObjectID { isRolledBack ? ObjectID(id.classID, 0) : id }

  /// Errors: the adding of the object was rolled back.
  func checkAdded() throws(HeraldError) {
    if isRolledBack { throw .objectDeleted(store.session.name(of: id)) }
  }

  public var label: ObjectLabel { store.label(of: id) }

  public var classSchema: ClassSchema {
    get throws {
      try checkAdded()
      return try store.session.checkedClass(of: id)
    }
  }

  /// A single-valued property. Errors: unknown property, deleted object.
  public func value(_ property: String) throws -> Value {
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

  /// Whether a property is a list, a set, a map or backlinks; false where there is none.
  package func isCollection(_ property: String) throws -> Bool {
    try classSchema.property(named: property)?.type.isCollection ?? false
  }

  /// A collection property: a list, a set, a map or backlinks.
  public func collection(_ property: String) throws -> LiveCollection {
    try store.session.checkOpen()
    let classSchema = try self.classSchema
    let property = try store.session.checkedProperty(property, of: classSchema)
    guard property.type.isCollection else {
      throw HeraldError.notACollection(property: property.name, className: classSchema.name)
    }
    return LiveCollection(owner: self, property: property)
  }

  /// Sets a property in the open write.
  public func set(_ property: String, to content: PropertyContent) throws {
    try set([(property, content)])
  }

  /// Sets several properties, all or none.
  public func set(_ properties: [NamedContent]) throws {
    try checkAdded()
    try store.session.set(id, properties)
  }
}

extension Object: Equatable {
  public static func == (a: Object, b: Object) -> Bool { a.store === b.store && a.id == b.id }
}
