/// `group Dog where age > 1 by breed, owner.city as city { n: @count, old: @max.age } sort(n desc) limit(3)`; without `by`
/// all rows are one group.
public struct GroupSyntax: Sendable {
  /// A path whose values are the key of a group.
  package struct Path: Sendable {
    /// The name after `as`, or else the text of the path.
    package let name: Name
    package let path: PathSyntax
  }

  package struct Aggregate: Sendable {
    package let name: Name
    package let operation: CollectionOperation
    /// The aggregated property; nil for the number of members.
    package let path: PathSyntax?
    package let span: SourceSpan
  }

  package let query: QuerySyntax
  package let paths: [Path]
  package let aggregates: [Aggregate]
  /// `sort`, by the names of paths and aggregates, `offset` and `limit`.
  package let stages: [StageSyntax]
  /// Where it is in the text.
  public let span: SourceSpan

  /// The names of the columns, in order.
  package var names: [Name] { paths.map(\.name) + aggregates.map(\.name) }
}
