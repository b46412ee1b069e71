/// The clauses after a class or a collection: `[where PREDICATE]`, then any number of stages, such as `sort`, in any order.
public struct QueryTail: Sendable {
  /// The condition; nil for all rows.
  public let predicate: PredicateSyntax?
  /// The stages after the condition, in order.
  public let stages: [StageSyntax]
  /// The span from `where` to the last stage; empty if there are no clauses.
  public let span: SourceSpan

  /// A condition and the stages after it.
  public init(predicate: PredicateSyntax?, stages: [StageSyntax], span: SourceSpan) {
    self.predicate = predicate
    self.stages = stages
    self.span = span
  }

  /// Whether there is neither a condition nor a stage.
  public var isEmpty: Bool { predicate == nil && stages.isEmpty }
}

/// The syntax of one `sort(…)`, `limit(…)` or any other of `QueryKeyword.stages`.
public struct StageSyntax: Sendable {
  package enum Content: Sendable {
    case keys([SortKey])
    /// A number of rows.
    case count(ExpressionSyntax)
    /// An expression of the rows: of sections.
    case expression(ColumnSyntax, isAscending: Bool)
  }

  package struct SortKey: Sendable {
    /// Any expression of the row, a condition also.
    package let expression: ExpressionSyntax
    package let isAscending: Bool

    package init(expression: ExpressionSyntax, isAscending: Bool) {
      self.expression = expression
      self.isAscending = isAscending
    }

    package init(path: PathSyntax, isAscending: Bool) {
      self.init(
        expression: ExpressionSyntax(.path(path), path.span), isAscending: isAscending)
    }
  }

  package let clause: QueryKeyword
  package let content: Content
  /// Where it is in the text.
  public let span: SourceSpan

  package init(_ clause: QueryKeyword, _ content: Content, _ span: SourceSpan) {
    self.clause = clause
    self.content = content
    self.span = span
  }
}

extension StageSyntax {
  /// The order of sections, as the last stage of their query.
  package init(sectionsBy key: ColumnSyntax, isAscending: Bool, _ span: SourceSpan) {
    self.init(.sort, .expression(key, isAscending: isAscending), span)
  }
}

extension QueryTail: CustomStringConvertible {
  /// The text, which parses to the same.
  public var description: String {
    let parts = (predicate.map { ["where \($0)"] } ?? []) + stages.map(\.description)
    return parts.joined(separator: " ")
  }
}

extension StageSyntax: CustomStringConvertible {
  /// The text, which parses to the same stage.
  public var description: String {
    let parts: [String]
    switch content {
    case .keys(let keys):
      parts = keys.map {
        clause == .sort ? "\($0.expression) \($0.isAscending ? "asc" : "desc")" : "\($0.expression)"
      }
    case .count(let count): parts = [count.description]
    case .expression(let key, let isAscending):
      return "sections by \(key.expression)\(isAscending ? "" : " desc")"
    }
    return "\(clause.rawValue)(\(parts.joined(separator: ", ")))"
  }
}
