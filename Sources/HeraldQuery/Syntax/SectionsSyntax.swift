/// `Dog where age > 3 sections by breed desc`: the rows of a query in sections of equal values of an expression.
public struct SectionsSyntax: Sendable {
  package private(set) var query: QuerySyntax
  /// An expression of the rows.
  package let key: ColumnSyntax
  package let isAscending: Bool
  /// Where it is in the text.
  public let span: SourceSpan

  /// The same at an earlier version.
  package func at(_ version: VersionSyntax) -> SectionsSyntax {
    var earlier = query
    earlier.version = version
    return of(earlier)
  }

  /// The same of another query.
  package func of(_ query: QuerySyntax) -> SectionsSyntax {
    var other = self
    other.query = query
    return other
  }

  /// The order of the sections, as the last stage of the query: its rows keep their order where the key is equal.
  package var tail: QueryTail {
    let stage = StageSyntax(sectionsBy: key, isAscending: isAscending, span)
    return QueryTail(predicate: nil, stages: [stage], span: span)
  }
}

extension SectionsSyntax: CustomStringConvertible {
  /// The text, which parses to the same.
  public var description: String { "\(query) \(tail)" }
}
