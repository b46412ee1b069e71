import HeraldEngine
public import HeraldModel
public import HeraldQuery

/// A live collection: the objects that answer a query, at the session's version whenever it is
/// read. Reading evaluates the query.
public struct Results {
  /// What a query asks.
  enum Base {
    case allObjects
    case collection(LiveCollection)
  }

  /// What is asked, behind one reference: results are handed to observers at each delivery.
  final class Question: Sendable {
    let query: BoundQuery
    /// The schema that the query was bound to.
    let schema: Schema

    init(_ query: BoundQuery, _ schema: Schema) {
      self.query = query
      self.schema = schema
    }
  }

  public let store: Store
  let base: Base
  let question: Question

  var query: BoundQuery { question.query }
  public var classID: ClassID { query.classID }

  public var count: Int {
    get throws {
      try checkGround()
      guard case .allObjects = base else { return try numbers().count }
      return try store.ask { query.count($0) }
    }
  }

  /// The objects in order.
  public var objects: [Object] {
    get throws { try ids().map { Object(store: store, id: $0) } }
  }

  public subscript(index: Int) -> Object {
    get throws {
      let numbers = try numbers()
      guard index >= 0, index < numbers.count else {
        throw HeraldError.rowOutOfRange(index, count: numbers.count)
      }
      return Object(store: store, id: ObjectID(query.classID, numbers[index]))
    }
  }

  func ids() throws -> [ObjectID] { try numbers().map { ObjectID(query.classID, $0) } }

  func numbers() throws -> [ObjectNumber] {
    try checkGround()
    switch base {
    case .allObjects: return try store.ask { query.rows($0) }
    case .collection(let collection):
      return try store.ask { query.rows(among: collection.numbers, $0) }
    }
  }

  /// How the objects are found, with the counts that were expected and those that came out. Answers
  /// the question to tell.
  public var explanation: QueryExplanation {
    get throws {
      try checkGround()
      switch base {
      case .allObjects: return try store.ask { query.explanation($0) }
      case .collection(let collection):
        return try store.ask { query.explanation(among: collection.numbers, $0) }
      }
    }
  }
}

extension LiveCollection {
  /// The numbers of the objects that it holds, in its order.
  fileprivate var numbers: [ObjectNumber] {
    var numbers: [ObjectNumber] = []
    for case .link(let object) in values { numbers.append(object.number) }
    return numbers
  }
}

extension Results {
  init(store: Store, base: Base, query: BoundQuery) {
    self.init(store: store, base: base, question: Question(query, store.schema))
  }

  /// What the query reads must be what it was when the query was bound. O(1) unless the schema
  /// changed.
  private func checkGround() throws {
    try store.session.checkOpen()
    let present = store.schema
    if present.isIdentical(to: question.schema) { return }
    if present.classSchema(classID) == nil {
      throw HeraldError.schemaMovedOn("class '\(question.schema.classSchema(classID)?.name ?? "")'")
    }
    for step in query.dependencies.flatMap(\.steps) {
      let place: (classID: ClassID, property: PropertyID) =
        switch step.kind {
        case .property(let property): (step.classID, property)
        case .backlinks(let origin, let property): (origin, property)
        }
      let bound = question.schema.classSchema(place.classID)?.property(place.property)
      let now = present.classSchema(place.classID)?.property(place.property)
      if let bound, let now, bound.type.hasSameValues(as: now.type) { continue }
      let className = question.schema.classSchema(place.classID)?.name ?? ""
      throw HeraldError.schemaMovedOn(
        "property '\((now ?? bound)?.name ?? "")' of class '\(className)'")
    }
  }
}

extension Store {
  /// Every object of a class, in order of creation.
  public func objects(_ className: String) throws -> Results {
    let classSchema = try classSchema(className)
    try session.checkDeclared(classSchema)
    return Results(store: self, base: .allObjects, query: BoundQuery(classID: classSchema.id))
  }

  /// The objects of a class that answer a parsed query. Errors: `QueryError` with its span,
  /// `HeraldError`.
  public func results(
    _ className: String, _ tail: QueryTail?, names: any QueryNames
  ) throws -> Results {
    let classSchema = try classSchema(className)
    try session.checkDeclared(classSchema)
    let query = try BoundQuery.bind(
      tail, root: classSchema.id, schema: schema, names: names, reader: session.reader)
    return Results(store: self, base: .allObjects, query: query)
  }

  /// The objects of a collection of links that answer a parsed query, in the collection's order.
  public func results(
    of list: LiveCollection, _ tail: QueryTail?, names: any QueryNames
  ) throws -> Results {
    guard let target = list.property.type.linkedClass else {
      throw HeraldError.notALink(
        property: list.property.name, className: try list.owner.classSchema.name)
    }
    let query = try BoundQuery.bind(
      tail, root: target, schema: schema, names: names, reader: session.reader)
    return Results(store: self, base: .collection(list), query: query)
  }

  /// The rows of results that answer a further parsed query, in the order of the results.
  public func results(
    of results: Results, _ tail: QueryTail?, names: any QueryNames
  ) throws -> Results {
    guard results.store === self else { throw HeraldError.wrongSession }
    let query = try BoundQuery.bind(
      tail, root: results.classID, schema: schema, names: names, reader: session.reader)
    return Results(store: self, base: results.base, query: results.query.followed(by: query))
  }

  /// The value of an expression over variables, objects and classes.
  public func evaluate(
    _ expression: ExpressionSyntax, names: any QueryNames
  ) throws -> QueryOperand {
    let bound = try BoundExpression.bind(expression, schema: schema, names: names)
    return try ask { try bound.value($0) }
  }

  /// Whether a predicate over variables, objects and classes is true.
  public func test(_ predicate: PredicateSyntax, names: any QueryNames) throws -> Bool {
    let bound = try BoundPredicate.bind(predicate, root: nil, schema: schema, names: names)
    return try ask { bound.matches(0, $0) }
  }

  /// Asks a question that the store's interruption may stop.
  func ask<Answer>(_ question: (any ObjectReader) throws -> Answer) throws -> Answer {
    try session.ask(question)
  }
}
