import HeraldEngine
public import HeraldModel
import HeraldObservation
import HeraldQuery

/// An object seen through a projection: some of its properties, and paths from it, under names of
/// the projection's own. Read, written and observed.
public struct Projection {
  public let object: Object
  /// As the schema has it: its paths follow properties that are renamed.
  var definition: ProjectionDefinition { object.store.schema.projection(named: name) ?? known }
  private let known: ProjectionDefinition
  private let fields: [ProjectionField]

  init(_ definition: ProjectionDefinition, of object: Object) throws {
    known = definition
    self.object = object
    fields = try object.store.session.fields(of: definition)
    let classSchema = try object.classSchema
    guard classSchema.name == definition.className else {
      throw HeraldError.wrongType(
        property: definition.name, className: definition.name, expected: definition.className,
        value: classSchema.name)
    }
  }

  public var name: String { known.name }

  /// The names, in the projection's order.
  public var names: [String] { definition.fields.map(\.name) }

  /// The value that a name leads to; nil where a link on the way is.
  public func value(_ name: String) throws -> Value {
    let (owner, property) = try place(name)
    guard let owner else { return .null }
    return try owner.value(property)
  }

  /// Sets the property that a name leads to, in the open write.
  public func set(_ name: String, to value: Value) throws {
    let (owner, property) = try place(name)
    guard let owner else { throw HeraldError.fieldReadOnly(name, projection: definition.name) }
    try owner.set(property, to: .value(value))
  }

  /// Observes what the projection shows, and the object's deletion. `keyPaths` are the projection's
  /// own names (nil: all of them; empty: none but the deletion).
  public func observe(
    keyPaths: [String]? = nil, _ block: @escaping (Projection, ObjectChange) throws -> Void
  ) throws -> ObservationToken {
    try check(keyPaths)
    let (definition, id) = (self.definition, object.id)
    let target = ObservedTarget.projection(id, fields: fields, keyPaths: keyPaths)
    let seen = fields
    return try object.store.token(for: target) { store, report in
      let projection = Projection(definition, seen, of: Object(store: store, id: id))
      try report.objectChange.map { try block(projection, $0) }
    }
  }

  /// Errors: a name that the projection does not have.
  func check(_ keyPaths: [String]?) throws {
    for name in keyPaths ?? [] { _ = try place(name) }
  }

  private init(_ definition: ProjectionDefinition, _ fields: [ProjectionField], of object: Object) {
    known = definition
    self.fields = fields
    self.object = object
  }

  /// The object and the property at the end of a name's path; no object where a link on the way is nil.
  private func place(_ name: String) throws -> (owner: Object?, property: String) {
    guard let field = definition.fields.first(where: { $0.name == name }) else {
      throw HeraldError.unknownField(
        name, projection: definition.name, nearest: nearestName(to: name, in: names))
    }
    var steps = field.path.split(separator: ".").map(String.init)
    let last = steps.removeLast()
    var owner = object
    for step in steps {
      guard case .link(let target) = try owner.value(step) else { return (nil, last) }
      owner = Object(store: owner.store, id: target)
    }
    return (owner, last)
  }
}

extension Store {
  /// An object through a projection of its class.
  public func projection(_ name: String, of object: Object) throws -> Projection {
    guard let definition = schema.projection(named: name) else {
      throw HeraldError.unknownProjection(
        name, nearest: nearestName(to: name, in: projections.map(\.name)))
    }
    return try Projection(definition, of: object)
  }
}
