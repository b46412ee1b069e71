import HeraldEngine
public import HeraldModel
import HeraldObservation

/// A live object: a view of one object in its session, always at the session's version.
public struct Object {
  public let store: Store
  public let id: ObjectID

  /// False once the object was deleted at the session's version.
  public var isValid: Bool { !store.isClosed && store.session.exists(id) }

  public var label: ObjectLabel { store.label(of: id) }

  public var classSchema: ClassSchema {
    get throws { try store.session.checkedClass(of: id) }
  }

  /// A single-valued property. Errors: unknown property, deleted object.
  public func value(_ property: String) throws -> Value {
    if let value = try store.session.value(named: property, of: id) { return value }
    let classSchema = try self.classSchema
    let property = try store.session.checkedProperty(property, of: classSchema)
    guard property.type.shape == .single else {
      throw HeraldError.wrongType(
        property: property.name, className: classSchema.name, expected: "a single value",
        value: store.schema.name(of: property.type))
    }
    return store.session.reader.value(property.id, of: id)
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
    try store.session.set(id, [(property, content)])
  }

  /// Sets several properties, all or none.
  public func set(_ properties: [NamedContent]) throws {
    try store.session.set(id, properties)
  }
}

extension Object: Equatable {
  public static func == (a: Object, b: Object) -> Bool { a.store === b.store && a.id == b.id }
}
