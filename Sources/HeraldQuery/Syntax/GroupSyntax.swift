/// `group Dog where age > 1 by breed, age / 5 as size { n: @count, old: @max.age } where n > 1 sort(n desc) limit(3)`; without
/// `by` all rows are one group.
public struct GroupSyntax: Sendable {
  package struct Aggregate: Sendable {
    package let name: Name
    package let operation: CollectionOperation
    /// The aggregated property; nil for the number of members.
    package let path: PathSyntax?
    package let span: SourceSpan
  }

  package private(set) var query: QuerySyntax
  /// Expressions over the rows of the query, whose values are the key of a group.
  package let keys: [ColumnSyntax]
  package let aggregates: [Aggregate]
  /// What follows the braces, in the names of keys and aggregates: each begins with `where`, the first one perhaps.
  package let clauses: [QueryTail]
  /// Where it is in the text.
  public let span: SourceSpan

  /// The names of the columns, in order.
  package var names: [Name] { keys.map(\.name) + aggregates.map(\.name) }
}

extension GroupSyntax {
  /// The same of the rows of another query.
  package func of(_ query: QuerySyntax) -> GroupSyntax {
    var other = self
    other.query = query
    return other
  }

  /// One aggregate over all objects of a query that is known otherwise.
  package init(allRowsBy operation: CollectionOperation, of path: PathSyntax?) {
    let none = SourceSpan(start: 0, end: 0)
    let aggregate = Aggregate(
      name: Name(text: "value", span: none), operation: operation, path: path, span: none)
    let query = QuerySyntax(origin: .className(aggregate.name), tail: nil, span: none)
    self.init(query: query, keys: [], aggregates: [aggregate], clauses: [], span: none)
  }

  /// The rows of a query by the values of an expression, with the number of each.
  package init(countingRowsOf query: QuerySyntax, by key: ColumnSyntax) {
    let count = Aggregate(
      name: Name(text: "@count", span: key.name.span), operation: .count, path: nil,
      span: key.name.span)
    self.init(query: query, keys: [key], aggregates: [count], clauses: [], span: query.span)
  }
}
