import HeraldEngine
package import HeraldModel
import HeraldObservation
import HeraldQuery

/// An object seen through a projection: some of its properties, and paths from it, under the projection's
/// own names. It can be read, written and observed.
package struct DynamicProjection {
  /// The projected object.
  package let object: ObjectHandle
  /// The current definition in the schema, whose paths follow renamed properties.
  package var definition: ProjectionDefinition {
    object.store.schema.projection(named: name) ?? known
  }
  private let known: ProjectionDefinition
  private let fields: [ProjectionField]

  init(_ definition: ProjectionDefinition, of object: ObjectHandle) throws {
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

  /// The name of the projection.
  package var name: String { known.name }

  /// The names of the fields, in the projection's order.
  package var names: [String] { definition.fields.map(\.name) }

  /// Returns the value of a field: null where a link on its path is nil, and a list of the values where
  /// the path leads through collections. Errors: `unknownField`, `objectDeleted`.
  package func value(_ name: String) throws -> Value {
    var steps = try path(name)
    let last = steps.removeLast()
    let (owners, areSeveral) = try reached(by: steps)
    guard areSeveral else { return try owners.first?.value(last) ?? .null }
    return .list(
      try owners.flatMap { owner in
        try owner.isCollection(last) ? owner.collection(last).values : [owner.value(last)]
      })
  }

  /// Sets the property at the end of a field's path, in the open transaction. Errors: `unknownField`;
  /// `fieldReadOnly` if the path leads through a collection or a nil link; those of `ObjectHandle.set`.
  package func set(_ name: String, to value: Value) throws {
    try set(name, to: .value(value))
  }

  /// Sets the property at the end of a field's path to a value or to the whole content of a collection.
  package func set(_ name: String, to content: PropertyContent) throws {
    var steps = try path(name)
    let last = steps.removeLast()
    let (owners, areSeveral) = try reached(by: steps)
    guard !areSeveral, let owner = owners.first else {
      throw HeraldError.fieldReadOnly(name, projection: definition.name)
    }
    try owner.set(last, to: content)
  }

  /// Observes the fields and the object's deletion. There is no initial call. `keyPaths` are names of
  /// fields: nil for all, empty for the deletion alone. Errors: `unknownField`, `objectDeleted`,
  /// `cannotObserve`.
  package func observe(
    keyPaths: [String]? = nil,
    _ block: @escaping (DynamicProjection, DynamicObjectChange) throws -> Void
  ) throws -> ObservationToken {
    try check(keyPaths)
    let (definition, id) = (self.definition, object.storedID)
    let target = ObservedTarget.projection(id, fields: fields, keyPaths: keyPaths)
    let observedFields = fields
    return try object.store.token(for: target) { store, report in
      let projection = DynamicProjection(
        definition, observedFields, of: ObjectHandle(store: store, id: id))
      try report.objectChange.map { try block(projection, $0) }
    }
  }

  /// Throws `unknownField` for a name that the projection does not have.
  func check(_ keyPaths: [String]?) throws {
    for name in keyPaths ?? [] { _ = try path(name) }
  }

  private init(
    _ definition: ProjectionDefinition, _ fields: [ProjectionField], of object: ObjectHandle
  ) {
    known = definition
    self.fields = fields
    self.object = object
  }

  /// Returns the steps of a field's path.
  private func path(_ name: String) throws -> [String] {
    guard let field = definition.fields.first(where: { $0.name == name }) else {
      throw HeraldError.unknownField(
        name, projection: definition.name, nearest: nearestName(to: name, in: names))
    }
    return field.path.split(separator: ".").map(String.init)
  }

  /// Returns the objects that steps lead to, in order: none where a link on the path is nil. `areSeveral`
  /// says whether a step is a collection.
  private func reached(by steps: [String]) throws -> (objects: [ObjectHandle], areSeveral: Bool) {
    var objects = [object]
    var areSeveral = false
    for step in steps {
      areSeveral = try areSeveral || (objects.first?.isCollection(step) ?? false)
      objects = try objects.flatMap { owner -> [ObjectHandle] in
        let values =
          try owner.isCollection(step)
          ? owner.collection(step).values : [owner.value(step)]
        return values.compactMap { value in
          guard case .link(let target) = value else { return nil }
          return ObjectHandle(store: owner.store, id: target)
        }
      }
    }
    return (objects, areSeveral)
  }
}

extension DynamicStore {
  /// Returns an object through a projection of its class. Errors: `unknownProjection`, `wrongType` for an
  /// object of another class, `objectDeleted`.
  package func projection(_ name: String, of object: ObjectHandle) throws -> DynamicProjection {
    guard let definition = schema.projection(named: name) else {
      throw HeraldError.unknownProjection(
        name, nearest: nearestName(to: name, in: projections.map(\.name)))
    }
    return try DynamicProjection(definition, of: object)
  }
}
