package import HeraldModel

/// The syntax of an expression: of an operand of a query, or of a value, an object or a collection in a
/// statement.
///
/// Its description parses to the same tree.
public struct ExpressionSyntax: Sendable {
  package indirect enum Kind: Sendable {
    case literal(Value)
    case list([ExpressionSyntax])
    case path(PathSyntax)
    /// Operators of one precedence, left-associative.
    case arithmetic(ExpressionSyntax, [Term])
    /// `SUBQUERY(path, $variable, predicate).@count`
    case subquery(PathSyntax, variable: String, PredicateSyntax)
    case call(CallSyntax)
    /// `A ?? B`
    case fallback(ExpressionSyntax, ExpressionSyntax)
    /// `7d`, `1d12h`: after `+` or `-` of a date.
    case duration(seconds: Int, text: String)

    // What follows is only in statements.

    /// An object or a map, depending on the expected type.
    case record(RecordSyntax)
    case generated(GeneratedValue)
    case query(QuerySyntax)
    /// `$max.age < 2`: true or false.
    case test(PredicateSyntax)
    /// `Card of $max`
    case projection(Name, of: QuerySyntax)
  }

  /// An operator and its right operand; the left operand is everything before it.
  package struct Term: Sendable {
    package let operation: Arithmetic
    package let operand: ExpressionSyntax

    package init(operation: Arithmetic, operand: ExpressionSyntax) {
      self.operation = operation
      self.operand = operand
    }
  }

  package let kind: Kind
  package let quantifier: Quantifier?
  /// Where it is in the text.
  public let span: SourceSpan

  package init(_ kind: Kind, quantifier: Quantifier? = nil, _ span: SourceSpan) {
    self.kind = kind
    self.quantifier = quantifier
    self.span = span
  }
}

package enum Quantifier: String, Sendable {
  case any = "ANY"
  case all = "ALL"
  case none = "NONE"
}

package enum Arithmetic: String, Sendable {
  case plus = "+"
  case minus = "-"
  case times = "*"
  case divided = "/"
  /// With the sign of the dividend.
  case remainder = "%"

  /// Whether the right operand must not be zero.
  var isDivision: Bool { self == .divided || self == .remainder }

  var bindsTightly: Bool {
    switch self {
    case .plus, .minus: false
    case .times, .divided, .remainder: true
    }
  }
}

extension ExpressionSyntax: CustomStringConvertible {
  /// The text, which parses to the same expression.
  public var description: String {
    (quantifier.map { $0.rawValue + " " } ?? "") + kind.text
  }
}

extension ExpressionSyntax.Kind {
  var text: String {
    switch self {
    case .literal(let value): value.literalText
    case .list(let elements): "{" + elements.map(\.description).joined(separator: ", ") + "}"
    case .path(let path): path.description
    case .arithmetic(let first, let terms):
      terms.reduce(into: first.text(under: terms[0].operation, isRight: false)) { text, term in
        text += " \(term.operation.rawValue) "
        text += term.operand.text(under: term.operation, isRight: true)
      }
    case .subquery(let path, let variable, let predicate):
      "SUBQUERY(\(path), $\(variable), \(predicate)).@count"
    case .call(let call): call.description
    case .fallback(let first, let other):
      "\(first) ?? " + (other.isFallback ? "(\(other))" : other.description)
    case .duration(_, let text): text
    case .record(let record): record.description
    case .generated(let generated): generated.text
    case .query(let query): query.description
    case .test(let predicate): predicate.description
    case .projection(let name, let query): "\(name.text) of \(query)"
    }
  }
}

extension ExpressionSyntax {
  fileprivate var isFallback: Bool { if case .fallback = kind { true } else { false } }

  fileprivate func text(under outer: Arithmetic, isRight: Bool) -> String {
    guard case .arithmetic(_, let terms) = kind else {
      return isFallback ? "(\(self))" : description
    }
    let needsParentheses = isRight || (outer.bindsTightly && !terms[0].operation.bindsTightly)
    return needsParentheses ? "(\(self))" : description
  }
}

extension Value {
  /// The value as a literal of a query. A link has no literal: it is formatted by its numbers.
  package var literalText: String {
    literal { "object \($0.classID.rawValue)#\($0.number)" }
  }
}
