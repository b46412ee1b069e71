/// The syntax of a condition: a tree with spans, not bound to a schema.
///
/// Its description parses to the same tree.
public struct PredicateSyntax: Sendable {
  package indirect enum Kind: Sendable {
    case constant(Bool)
    case comparison(Comparison)
    /// `left BETWEEN {lower, upper}`, with inclusive bounds.
    case between(ExpressionSyntax, ExpressionSyntax)
    /// A Boolean, or an object that is to exist: `if $max`, only in statements.
    case condition(ExpressionSyntax)
    case not(PredicateSyntax)
    /// Two or more.
    case and([PredicateSyntax])
    /// Two or more.
    case or([PredicateSyntax])
  }

  package struct Comparison: Sendable {
    package var left: ExpressionSyntax
    package var relation: Relation
    /// `[c]`: ignores case.
    package var foldsCase: Bool
    /// `IN`: equality with any element of the right side.
    package var isMembership: Bool
    package var right: ExpressionSyntax
    package var operatorSpan: SourceSpan

    package init(
      left: ExpressionSyntax, relation: Relation, foldsCase: Bool, isMembership: Bool,
      right: ExpressionSyntax, operatorSpan: SourceSpan
    ) {
      self.left = left
      self.relation = relation
      self.foldsCase = foldsCase
      self.isMembership = isMembership
      self.right = right
      self.operatorSpan = operatorSpan
    }
  }

  package let kind: Kind
  /// Where it is in the text.
  public let span: SourceSpan

  package init(_ kind: Kind, _ span: SourceSpan) {
    self.kind = kind
    self.span = span
  }
}

extension PredicateSyntax: CustomStringConvertible {
  /// The text, which parses to the same predicate.
  public var description: String {
    switch kind {
    case .constant(let value): value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .comparison(let comparison):
      "\(comparison.left) \(comparison.operatorText) \(comparison.right)"
    case .between(let value, let range): "\(value) BETWEEN \(range)"
    case .condition(let value): value.description
    case .not(let inner): "NOT (\(inner))"
    case .and(let parts): parts.map { $0.text(inAnd: true) }.joined(separator: " AND ")
    case .or(let parts): parts.map { $0.text(inAnd: false) }.joined(separator: " OR ")
    }
  }

  private func text(inAnd: Bool) -> String {
    switch kind {
    case .or: "(\(self))"
    case .and: inAnd ? "(\(self))" : description
    case .constant, .comparison, .between, .condition, .not: description
    }
  }
}

extension PredicateSyntax.Comparison {
  var operatorText: String {
    (isMembership ? "IN" : relation.rawValue) + (foldsCase ? "[c]" : "")
  }
}
