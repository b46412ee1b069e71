import HeraldEngine
package import HeraldModel
import HeraldObservation
package import HeraldQuery

/// Live groups of the rows of a query: one row for each combination of the values of some paths, with aggregates over
/// its members, at the session's version. Each read runs the query.
///
///     let breeds = try store.groups("Dog by breed { n: @count, oldest: @max.age } sort(n desc)")
///     for row in try breeds.rows { print(row) }  // [.string("Pug"), .int(2), .int(8)]
package struct DynamicGroups {
  private enum Members {
    case objects(DynamicResults)
    /// The values of a collection; with the groups that an observer keeps, in its block.
    case elements(DynamicElements, observed: ElementRows?)
    /// Values that are in no collection of the store.
    case values([Value], ElementQuery, DynamicStore)
  }

  private let members: Members
  private let grouping: BoundGrouping

  /// The session that the groups belong to.
  package var store: DynamicStore {
    switch members {
    case .objects(let results): results.store
    case .elements(let elements, observed: _): elements.collection.store
    case .values(_, _, let store): store
    }
  }

  /// The names of the columns: those of the paths, then those of the aggregates.
  package var names: [String] { grouping.names }

  /// Whether each column holds numbers.
  package var areNumbers: [Bool] { grouping.areNumbers }

  /// The rows in order, each with the values of its columns. Costs about as much as reading the columns of all
  /// members. Errors: `droppedFromSchema` if the schema has changed what the query reads; `interrupted`, `closed`,
  /// `damaged`.
  package var rows: [[Value]] {
    get throws {
      switch members {
      case .objects(let results):
        return try results.groups(grouping).map(\.values)
      case .elements(_, observed: let rows?): return rows.groups(in: 0..<Int.max).map(\.values)
      case .elements(let elements, observed: nil):
        let values = elements.collection.isValid ? elements.collection.values : []
        return try rows(of: values, elements.query)
      case .values(let values, let query, _): return try rows(of: values, query)
      }
    }
  }

  private func rows(of values: [Value], _ query: ElementQuery) throws -> [[Value]] {
    try store.run { query.groups(grouping, of: values, $0) }.map(\.values)
  }

  /// The parts of the numbers by which objects are grouped, and how many finite ones are in each: those from its edge on, and
  /// before the next one, the last part with its end. Without edges if there are no numbers; nil if the groups are by something
  /// else than one property of ints or doubles. O(objects). Errors: those of `rows`.
  ///
  /// - Parameter edges: returns the edges of the parts between the smallest and the largest number.
  package func parts(
    _ edges: (Value, Value) -> [Value]
  ) throws -> (edges: [Value], counts: [Int])? {
    if case .objects(let results) = members { try results.parts(grouping, edges) } else { nil }
  }

  /// The number of rows. Errors: those of `rows`.
  package var count: Int { get throws { try rows.count } }

  /// Observes the rows: `initial` at the next delivery, then the changes between deliveries. A row is inserted with
  /// its first member, deleted with its last, modified when an aggregate differs at a commit, and moved as sorted
  /// results are. Groups of the values of a collection are modified where an aggregate differs between two deliveries.
  /// Cost: the query runs once; then O(changed members + changed rows · log rows). Errors: `objectDeleted`, `closed`,
  /// `cannotObserve`, `observeAfterChange` in a transaction that has changed something.
  package func observe(
    _ block: @escaping (DynamicGroups, DynamicCollectionChange) throws -> Void
  ) throws -> ObservationToken {
    try observe(silenced: { _, _ in }, block)
  }

  /// Whether the members are the values of a collection.
  package var isOfElements: Bool { if case .elements = members { true } else { false } }

  /// Observes the rows, and calls `silenced` with the change of groups of a collection's values that a silent
  /// transaction withholds; for other groups `ObservationToken.onSilenced` does.
  package func observe(
    silenced: @escaping (DynamicGroups, DynamicCollectionChange) -> Void,
    _ block: @escaping (DynamicGroups, DynamicCollectionChange) throws -> Void
  ) throws -> ObservationToken {
    switch members {
    case .objects(let results): return try observe(results, block)
    case .elements(let elements, observed: _):
      func groups(_ collection: LiveCollection, _ rows: ElementRows?) -> DynamicGroups {
        let elements = DynamicElements(collection: collection, query: elements.query)
        return DynamicGroups(members: .elements(elements, observed: rows), grouping: grouping)
      }
      return try elements.observe(
        groupedBy: grouping, silenced: { silenced(groups($0, $1), $2) },
        { try block(groups($0, $1), $2) })
    case .values: throw HeraldError.cannotObserve("a list of values that is in no store")
    }
  }

  private func observe(
    _ members: DynamicResults,
    _ block: @escaping (DynamicGroups, DynamicCollectionChange) throws -> Void
  ) throws -> ObservationToken {
    let target: ObservedTarget
    switch members.base {
    case .allObjects: target = .groups(grouping, owner: nil, property: nil)
    case .collection(let collection):
      _ = try collection.owner.classSchema
      target = .groups(
        grouping, owner: collection.owner.id, property: collection.property.id)
    }
    return try store.token(for: target) { [grouping, unheld = members.unheld] store, report in
      guard let change = report.collectionChange else { return }
      let members = Members.objects(unheld.results(in: store))
      try block(DynamicGroups(members: members, grouping: grouping), change)
    }
  }
}

extension DynamicGroups {
  fileprivate init(_ members: DynamicResults, _ grouping: BoundGrouping) {
    self.init(members: .objects(members), grouping: grouping)
  }

  fileprivate init(_ members: DynamicElements, _ grouping: BoundGrouping) {
    self.init(members: .elements(members, observed: nil), grouping: grouping)
  }

  fileprivate init(
    _ values: [Value], _ query: ElementQuery, _ grouping: BoundGrouping, _ store: DynamicStore
  ) {
    self.init(members: .values(values, query, store), grouping: grouping)
  }
}

extension DynamicStore {
  /// Groups the objects of a class that a query finds: `Dog where age > 1 by breed { n: @count } sort(n desc)`. Errors:
  /// `QueryError` with its position in the text; `unknownClass`, `undeclaredClass`.
  package func groups(_ text: String) throws -> DynamicGroups {
    let bytes = Array(text.utf8)
    let (syntax, end) = try QueryParser.parseGroup(bytes, from: 0)
    guard case .className(let name) = syntax.query.origin, end == bytes.count else {
      throw QueryError(
        message: "expected a class with its clauses, and no more, found '\(text)'",
        span: SourceSpan(start: 0, end: bytes.count))
    }
    return try groups(
      of: results(name.text, syntax.query.tail, names: NoNames()), syntax, names: NoNames())
  }

  /// Groups the rows of results, in the names of their projection if they have one. Errors: `QueryError`.
  package func groups(
    of results: DynamicResults, _ syntax: GroupSyntax, names: any QueryNames
  ) throws -> DynamicGroups {
    guard results.store === self else { throw HeraldError.wrongSession }
    return DynamicGroups(
      results,
      try BoundGrouping.bind(
        syntax, of: results.query, schema: schema, names: names, reader: session.reader,
        projection: results.projection))
  }

  /// Groups the values of a collection that match a query, by `self` or what is derived from it. Errors: `QueryError`.
  package func groups(
    of elements: DynamicElements, _ syntax: GroupSyntax, names: any QueryNames
  ) throws -> DynamicGroups {
    guard elements.collection.store === self else { throw HeraldError.wrongSession }
    return DynamicGroups(
      elements, try elements.query.grouping(syntax, names: names, reader: session.reader))
  }

  /// Groups values that are in no collection of the store. Errors: `QueryError`.
  ///
  /// - Parameter name: the values in messages.
  package func groups(
    of values: [Value], named name: String, _ syntax: GroupSyntax, names: any QueryNames
  ) throws -> DynamicGroups {
    let query = try elementQuery(of: values, named: name, nil, names)
    return DynamicGroups(
      values, query, try query.grouping(syntax, names: names, reader: session.reader), self)
  }
}
