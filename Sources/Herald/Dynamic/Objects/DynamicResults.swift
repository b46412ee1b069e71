import HeraldEngine
package import HeraldModel
package import HeraldQuery

/// Live results: the objects that match a query, at the session's version. Each read runs the query, but
/// for the number of rows and single ones while an observer keeps them.
package struct DynamicResults {
  /// The objects that a query reads: all of its class, or those of a collection.
  enum Base {
    case allObjects
    indirect case collection(LiveCollection)
  }

  /// A query with its schema, as one reference, since each delivery passes results to the observer's
  /// block.
  final class Binding: Sendable {
    let query: BoundQuery
    /// The schema that the query was bound to.
    let schema: Schema
    /// The projection that the query names in the place of a class.
    let projection: ProjectionDefinition?

    init(_ query: BoundQuery, _ schema: Schema, _ projection: ProjectionDefinition? = nil) {
      self.query = query
      self.schema = schema
      self.projection = projection
    }

    /// The same with another query.
    func with(_ query: BoundQuery) -> Binding { Binding(query, schema, projection) }
  }

  /// The session that the results belong to.
  package let store: DynamicStore
  let base: Base
  let binding: Binding
  /// An observer of the same rows.
  var observer: TokenID?

  /// The query with what it reads besides its rows at the session's version.
  var query: BoundQuery {
    let query = binding.query
    return query.reads.isEmpty ? query : query.atPresent(store.session.reader)
  }
  /// The class of the objects.
  package var classID: ClassID { binding.query.classID }

  /// The number of objects. Runs the query, without a sort. Errors: `droppedFromSchema` if the schema has
  /// changed what the query reads; `interrupted`, `closed`, `damaged`.
  package var count: Int {
    get throws {
      try checkSchema()
      if let count = keptCount { return count }
      guard case .allObjects = base else { return try numbers().count }
      return try store.run { query.count($0) }
    }
  }

  /// The objects in order. Runs the query. Errors: those of `count`.
  package var objects: [ObjectHandle] {
    get throws { try ids().map { ObjectHandle(store: store, id: $0) } }
  }

  /// The object at an index from 0. Runs the query each time: to read many rows, read `objects` once.
  /// Errors: `rowOutOfRange`, and those of `count`.
  package subscript(index: Int) -> ObjectHandle {
    get throws {
      if let (number, count) = try keptRow({ _ in index }) {
        guard let number else { throw HeraldError.rowOutOfRange(index, count: count) }
        return ObjectHandle(store: store, id: ObjectID(classID, number))
      }
      let numbers = try numbers()
      guard index >= 0, index < numbers.count else {
        throw HeraldError.rowOutOfRange(index, count: numbers.count)
      }
      return ObjectHandle(store: store, id: ObjectID(classID, numbers[index]))
    }
  }

  func ids() throws -> [ObjectID] {
    let classID = classID
    return try numbers().map { ObjectID(classID, $0) }
  }

  /// The numbers of the objects in order. Runs the query. Errors: those of `count`.
  package func numbers() throws -> [ObjectNumber] {
    try checkSchema()
    switch base {
    case .allObjects: return try store.run { query.rows($0) }
    case .collection(let collection):
      return try store.run { query.rows(among: collection.objectNumbers, $0) }
    }
  }

  /// Returns the rows of their groups. Errors: those of `count`.
  func groups(_ grouping: BoundGrouping) throws -> [GroupRow] {
    try checkSchema()
    switch base {
    case .allObjects: return try store.run { grouping.rows(of: query, $0) }
    case .collection:
      let members = try numbers()
      return try store.run { grouping.rows(of: members, $0) }
    }
  }

  /// Returns what `DynamicGroups.parts` describes. Errors: those of `count`.
  func parts(
    _ grouping: BoundGrouping, _ edges: (Value, Value) -> [Value]
  ) throws -> (edges: [Value], counts: [Int])? {
    try checkSchema()
    guard case .allObjects = base else { return nil }
    return try store.run { grouping.parts(of: query, $0, edges) }
  }

  /// The query plan, with estimated and actual counts. Runs the query. Errors: those of `count`.
  package var explanation: QueryExplanation {
    get throws {
      try checkSchema()
      switch base {
      case .allObjects: return try store.run { query.explanation($0) }
      case .collection(let collection):
        return try store.run { query.explanation(among: collection.objectNumbers, $0) }
      }
    }
  }
}

extension DynamicResults {
  /// The results as the rows of a variable in an observed value; nil if they are of a list in a value of any type.
  package var variableRows: VariableRows? {
    switch base {
    case .allObjects: return VariableRows(binding.query, of: nil)
    case .collection(let collection):
      return collection.variableRows.map { VariableRows(binding.query, of: $0.collection) }
    }
  }
}

extension LiveCollection {
  /// The objects of a collection of links as the rows of a variable in an observed value; nil for another collection.
  package var variableRows: VariableRows? {
    guard let stored, let target = property.type.linkedClass else { return nil }
    return VariableRows(BoundQuery(classID: target), of: stored)
  }

  /// The owner and the property; nil for a list or a map in a value of any type.
  var stored: (owner: ObjectID, property: String)? {
    path == nil ? (owner.id, property.name) : nil
  }

  /// The numbers of the linked objects, in the collection's order.
  var objectNumbers: [ObjectNumber] {
    var numbers: [ObjectNumber] = []
    for case .link(let object) in values { numbers.append(object.number) }
    return numbers
  }
}

extension DynamicResults {
  init(
    store: DynamicStore, base: Base, query: BoundQuery, projection: ProjectionDefinition? = nil
  ) {
    self.init(store: store, base: base, binding: Binding(query, store.schema, projection))
  }

  /// The projection through which the objects are seen: the query named it in the place of a class.
  package var projection: ProjectionDefinition? {
    binding.projection.flatMap { store.schema.projection(named: $0.name) ?? $0 }
  }

  /// Returns an object of the results through their projection; nil without one. Errors: `objectDeleted`.
  package func projected(_ object: ObjectHandle) throws -> DynamicProjection? {
    try projection.map { try DynamicProjection($0, of: object) }
  }

  /// Throws `droppedFromSchema` if what the query reads was dropped or changed its type since the query was
  /// bound. O(1) unless the schema changed.
  func checkSchema() throws {
    try store.session.checkOpen()
    let present = store.schema
    if present.isIdentical(to: binding.schema) { return }
    if present.classSchema(classID) == nil {
      throw HeraldError.droppedFromSchema(
        "class '\(binding.schema.classSchema(classID)?.name ?? "")'")
    }
    for step in query.dependencies.flatMap(\.steps) {
      let source: (classID: ClassID, property: PropertyID) =
        switch step.kind {
        case .property(let property): (step.classID, property)
        case .backlinks(let origin, let property): (origin, property)
        }
      let bound = binding.schema.classSchema(source.classID)?.property(source.property)
      let now = present.classSchema(source.classID)?.property(source.property)
      if let bound, let now, bound.type.hasSameValues(as: now.type) { continue }
      let className = binding.schema.classSchema(source.classID)?.name ?? ""
      throw HeraldError.droppedFromSchema(
        "property '\((now ?? bound)?.name ?? "")' of class '\(className)'")
    }
  }
}

extension DynamicStore {
  /// Returns every object of a class, in order of creation. The name may be that of a projection or of a
  /// defined query. Errors: `unknownClass`, `undeclaredClass`.
  package func objects(_ className: String) throws -> DynamicResults {
    let (query, projection) = try queried(className, StoredNames(store: self))
    return DynamicResults(
      store: self, base: .allObjects, query: query, projection: projection)
  }

  /// Returns the query that a name means in the place of a class, with the projection through which it sees its
  /// objects.
  func queried(
    _ name: String, _ names: any QueryNames
  ) throws -> (BoundQuery, ProjectionDefinition?) {
    if session.classSchema(named: name) == nil, let definition = schema.query(named: name) {
      return try BoundQuery.bind(
        definition, schema: schema, names: names, reader: session.reader)
    }
    let projection =
      session.classSchema(named: name) == nil ? schema.projection(named: name) : nil
    let classSchema = try classSchema(projection?.className ?? name)
    // At an earlier version a class that named another before that was declared has no objects.
    if !isFrozen || !classSchema.isDeclared { try session.checkDeclared(classSchema) }
    return (BoundQuery(classID: classSchema.id), projection)
  }

  /// Returns the objects of a class, of a projection's in its names, or of a defined query, that match a parsed
  /// query; `tail` is nil for all objects. Errors:
  /// `QueryError` with its position in the query's text, `unknownClass`, `undeclaredClass`.
  package func results(
    _ className: String, _ tail: QueryTail?, names: any QueryNames
  ) throws -> DynamicResults {
    let (base, projection) = try queried(className, names)
    let query = try BoundQuery.bind(
      tail, root: base.classID, schema: schema, names: names, reader: session.reader,
      projection: projection)
    return DynamicResults(
      store: self, base: .allObjects, query: base.followed(by: query), projection: projection)
  }

  /// Returns the objects of a collection of links that match a parsed query, in the collection's order
  /// unless the query sorts. Errors: `notALink` for a collection of values; `QueryError`.
  package func results(
    of list: LiveCollection, _ tail: QueryTail?, names: any QueryNames
  ) throws -> DynamicResults {
    guard let target = list.property.type.linkedClass else {
      throw HeraldError.notALink(
        property: list.property.name, className: try list.owner.classSchema.name)
    }
    let query = try BoundQuery.bind(
      tail, root: target, schema: schema, names: names, reader: session.reader)
    return DynamicResults(store: self, base: .collection(list), query: query)
  }

  /// Returns the rows of results that match a further parsed query, in the order of the results unless
  /// the query sorts. Errors: `wrongSession`, `QueryError`.
  package func results(
    of results: DynamicResults, _ tail: QueryTail?, names: any QueryNames
  ) throws -> DynamicResults {
    try self.results(of: results, tail, names: names, projection: results.projection)
  }

  /// The same, in the names of a projection, if there is one.
  func results(
    of results: DynamicResults, _ tail: QueryTail?, names: any QueryNames,
    projection: ProjectionDefinition?
  ) throws -> DynamicResults {
    guard results.store === self else { throw HeraldError.wrongSession }
    let query = try BoundQuery.bind(
      tail, root: results.classID, schema: schema, names: names, reader: session.reader,
      projection: projection)
    return DynamicResults(
      store: self, base: results.base, query: results.query.followed(by: query),
      projection: results.projection)
  }

  /// Returns the value of an expression over variables, objects and classes. Errors: `QueryError`,
  /// `interrupted`.
  package func evaluate(
    _ expression: ExpressionSyntax, names: any QueryNames
  ) throws -> QueryOperand {
    let bound = try BoundExpression.bind(
      expression, schema: schema, names: names, presentReader: session.reader)
    return try run { try bound.value($0) }
  }

  /// Returns whether a predicate over variables, objects and classes is true. Errors: `QueryError`,
  /// `interrupted`.
  package func test(_ predicate: PredicateSyntax, names: any QueryNames) throws -> Bool {
    let bound = try BoundPredicate.bind(
      predicate, root: nil, schema: schema, names: names, presentReader: session.reader)
    return try run { bound.matches(0, $0) }
  }

  /// Runs a query that the store's `interruption` may interrupt.
  func run<Output>(_ query: (any ObjectReader) throws -> Output) throws -> Output {
    try session.ask(query)
  }
}

/// The names in a defined query, which has no variables.
private struct StoredNames: QueryNames {
  let store: DynamicStore

  func variable(_ name: String) -> QueryOperand? { nil }
  var variableNames: [String] { [] }

  func object(_ className: String, key: Value) throws -> ObjectID? {
    try store.object(className, key: key)?.id
  }
}
