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

  /// The value that a name leads to: nil where a link on the way is, and a list of the values where
  /// the way leads through collections.
  public func value(_ name: String) throws -> Value {
    var way = try path(name)
    let last = way.removeLast()
    let (owners, areSeveral) = try reached(by: way)
    guard areSeveral else { return try owners.first?.value(last) ?? .null }
    return .list(
      try owners.flatMap { owner in
        try owner.isCollection(last) ? owner.collection(last).values : [owner.value(last)]
      })
  }

  /// Sets the property that a name leads to, in the open write.
  public func set(_ name: String, to value: Value) throws {
    try set(name, to: .value(value))
  }

  /// The same with the whole content of a collection.
  public func set(_ name: String, to content: PropertyContent) throws {
    var way = try path(name)
    let last = way.removeLast()
    let (owners, areSeveral) = try reached(by: way)
    guard !areSeveral, let owner = owners.first else {
      throw HeraldError.fieldReadOnly(name, projection: definition.name)
    }
    try owner.set(last, to: content)
  }

  /// Observes what the projection shows, and the object's deletion. `keyPaths` are the projection's
  /// own names (nil: all of them; empty: none but the deletion).
  public func observe(
    keyPaths: [String]? = nil, _ block: @escaping (Projection, ObjectChange) throws -> Void
  ) throws -> ObservationToken {
    try check(keyPaths)
    let (definition, id) = (self.definition, object.storedID)
    let target = ObservedTarget.projection(id, fields: fields, keyPaths: keyPaths)
    let seen = fields
    return try object.store.token(for: target) { store, report in
      let projection = Projection(definition, seen, of: Object(store: store, id: id))
      try report.objectChange.map { try block(projection, $0) }
    }
  }

  /// Errors: a name that the projection does not have.
  func check(_ keyPaths: [String]?) throws {
    for name in keyPaths ?? [] { _ = try path(name) }
  }

  private init(_ definition: ProjectionDefinition, _ fields: [ProjectionField], of object: Object) {
    known = definition
    self.fields = fields
    self.object = object
  }

  /// The steps that a name stands for.
  private func path(_ name: String) throws -> [String] {
    guard let field = definition.fields.first(where: { $0.name == name }) else {
      throw HeraldError.unknownField(
        name, projection: definition.name, nearest: nearestName(to: name, in: names))
    }
    return field.path.split(separator: ".").map(String.init)
  }

  /// The objects that steps lead to, in order: none where a link on the way is nil, and several
  /// where a step is a collection.
  private func reached(by way: [String]) throws -> (objects: [Object], areSeveral: Bool) {
    var objects = [object]
    var areSeveral = false
    for step in way {
      areSeveral = try areSeveral || (objects.first?.isCollection(step) ?? false)
      objects = try objects.flatMap { owner -> [Object] in
        let values =
          try owner.isCollection(step)
          ? owner.collection(step).values : [owner.value(step)]
        return values.compactMap { value in
          guard case .link(let target) = value else { return nil }
          return Object(store: owner.store, id: target)
        }
      }
    }
    return (objects, areSeveral)
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
