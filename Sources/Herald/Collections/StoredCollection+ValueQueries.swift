import HeraldEngine
import HeraldModel
import HeraldQuery

// Conditions on the values of a collection, in which `self` is the value.

/// What a condition is made of, for a store.
private typealias ValueCondition = (StoreCore) throws -> (PredicateSyntax, any QueryNames)

private func condition<Value: PersistableValue>(
  _ isIncluded: (Query<Value>) -> Query<Bool>, _ core: StoreCore
) throws -> (PredicateSyntax, any QueryNames) {
  let context = QueryContext(core)
  let value = Query<Value>(.path(PathSyntax.steps("self"), collection: nil), context)
  let predicate = isIncluded(value).predicate
  if let error = context.error { throw error }
  return (predicate, ProgramNames(core))
}

private func condition(
  _ predicate: String, _ arguments: [Any?], _ core: StoreCore
) throws -> (PredicateSyntax, any QueryNames) {
  let names = try QueryArguments(predicate, arguments, core)
  return (try names.predicate(), names)
}

extension QueryTail {
  fileprivate init(_ predicate: PredicateSyntax) {
    self.init(predicate: predicate, stages: [], span: .none)
  }
}

extension CollectionBase {
  /// Returns the values that match a condition, live; of no store it stops the program. Errors: those of the condition.
  fileprivate func matching<Value: PersistableValue>(
    _ condition: ValueCondition
  ) throws -> Results<Value> {
    guard case .property(let property) = kind else {
      stopProgram("a collection of an unmanaged object cannot be queried")
    }
    let (predicate, names) = try condition(property.core)
    let elements = try property.live.elements(QueryTail(predicate), names: names)
    return Results(property, valueStages + [.matching(elements.query)])
  }
}

extension StoredCollection where Element: PersistableValue {
  /// Returns the values that match a condition, live. Errors: an object of another store.
  package func matchingValues(
    _ isIncluded: (Query<Element>) -> Query<Bool>
  ) throws -> Results<Element> { try _base.matching { try condition(isIncluded, $0) } }

  /// Returns the values that match a predicate in the query language, live. Errors: those of `query`.
  package func matchingValues(
    _ predicate: String, _ arguments: [Any?]
  ) throws -> Results<Element> {
    try _base.matching { try condition(predicate, arguments, $0) }
  }

  /// Returns the index of the first value that matches a condition, of a store or not; nil without one. O(n). Errors:
  /// those of `matchingValues`.
  package func indexOfValue(matching isIncluded: (Query<Element>) -> Query<Bool>) throws -> Int? {
    try index { try condition(isIncluded, $0) }
  }

  /// Returns the index of the first value that matches a predicate in the query language, of a store or not; nil without
  /// one. O(n). Errors: those of `query`.
  package func indexOfValue(matching predicate: String, _ arguments: [Any?]) throws -> Int? {
    try index { try condition(predicate, arguments, $0) }
  }

  private func index(_ condition: ValueCondition) throws -> Int? {
    let store = try store ?? Store()
    let context = QueryContext(store.core)
    let values = map { context.encode($0) }
    let (predicate, names) = try condition(store.core)
    let query = try store.core.dynamic.elementQuery(
      of: values, named: "\(Self.self)", QueryTail(predicate), names)
    return query.rows(values, store.core.session.reader).first
  }
}

extension Map where Value: PersistableValue {
  /// Returns the values that match a condition, in the order of their keys, live. Errors: an object of another store.
  package func matchingValues(
    _ isIncluded: (Query<Value>) -> Query<Bool>
  ) throws -> Results<Value> { try base.matching { try condition(isIncluded, $0) } }

  /// Returns the values that match a predicate in the query language, in the order of their keys, live. Errors: those of
  /// `query`.
  package func matchingValues(
    _ predicate: String, _ arguments: [Any?]
  ) throws -> Results<Value> { try base.matching { try condition(predicate, arguments, $0) } }

  private var base: CollectionBase { CollectionBase(property.map { .property($0) } ?? .local) }
}
