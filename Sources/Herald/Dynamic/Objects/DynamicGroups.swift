import HeraldEngine
public import HeraldModel
import HeraldObservation
public import HeraldQuery

/// Live groups of the rows of a query: one row for each combination of the values of some paths, with aggregates over
/// its members, at the session's version. Each read runs the query.
///
///     let breeds = try store.groups("Dog by breed { n: @count, oldest: @max.age } sort(n desc)")
///     for row in try breeds.rows { print(row) }  // [.string("Pug"), .int(2), .int(8)]
public struct DynamicGroups {
  private let members: DynamicResults
  private let grouping: BoundGrouping

  init(_ members: DynamicResults, _ grouping: BoundGrouping) {
    self.members = members
    self.grouping = grouping
  }

  /// The session that the groups belong to.
  public var store: DynamicStore { members.store }

  /// The names of the columns: those of the paths, then those of the aggregates.
  public var names: [String] { grouping.names }

  /// Whether each column holds numbers.
  package var areNumbers: [Bool] { grouping.areNumbers }

  /// The rows in order, each with the values of its columns. Costs about as much as reading the columns of all
  /// members. Errors: `droppedFromSchema` if the schema has changed what the query reads; `interrupted`, `closed`,
  /// `damaged`.
  public var rows: [[Value]] {
    get throws {
      let numbers = try members.numbers()
      return try store.run { grouping.rows(of: numbers, $0) }.map(\.values)
    }
  }

  /// The number of rows. Errors: those of `rows`.
  public var count: Int { get throws { try rows.count } }

  /// Observes the rows: `initial` at the next delivery, then the changes between deliveries. A row is inserted with
  /// its first member, deleted with its last, modified when an aggregate differs at a commit, and moved as sorted
  /// results are. Cost: the query runs once; then O(changed members + changed rows · log rows). Errors:
  /// `objectDeleted`, `closed`, `cannotObserve`, `observeAfterChange` in a transaction that has changed something.
  public func observe(
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
      try block(DynamicGroups(unheld.results(in: store), grouping), change)
    }
  }
}

extension DynamicStore {
  /// Groups the objects of a class that a query finds: `Dog where age > 1 by breed { n: @count } sort(n desc)`. Errors:
  /// `QueryError` with its position in the text; `unknownClass`, `undeclaredClass`.
  public func groups(_ text: String) throws -> DynamicGroups {
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
  public func groups(
    of results: DynamicResults, _ syntax: GroupSyntax, names: any QueryNames
  ) throws -> DynamicGroups {
    guard results.store === self else { throw HeraldError.wrongSession }
    return DynamicGroups(
      results,
      try BoundGrouping.bind(
        syntax, of: results.query, schema: schema, names: names, reader: session.reader,
        projection: results.projection))
  }
}
