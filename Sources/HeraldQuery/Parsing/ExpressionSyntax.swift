package import HeraldModel

/// The syntax of an operand: a literal, a path, an aggregate, arithmetic.
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
  }

  /// An operator and its right operand; the left operand is everything before it.
  package struct Term: Sendable {
    package let operation: Arithmetic
    package let operand: ExpressionSyntax
  }

  package let kind: Kind
  package let quantifier: Quantifier?
  public let span: SourceSpan

  init(_ kind: Kind, quantifier: Quantifier? = nil, _ span: SourceSpan) {
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

  var bindsTightly: Bool {
    switch self {
    case .plus, .minus: false
    case .times, .divided: true
    }
  }
}

/// `owner.dogs[0].name`, `$max.age`, `Dog#3.name`, `items.@sum.price`, `@links.Dog.owner.@count`.
package struct PathSyntax: Sendable {
  package enum Start: Sendable, Equatable {
    /// The object under evaluation.
    case root
    case variable(String)
    case object(className: String, key: Value)
  }

  package struct Step: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
      case name(String)
      /// `@links.Class.property`
      case links(className: String, property: String)
      /// `@links`, before `@count`: every link to the object.
      case allLinks
      /// `[0]`
      case index(Int)
      /// `["key"]`
      case key(String)
      /// `[$name]`: the index or the key that a variable holds.
      case variable(String)
      case keys
      case values
      case type
      case first
      case last
      /// `[*]`
      case every
      case operation(CollectionOperation)
    }
    package let kind: Kind
    package let span: SourceSpan
  }

  package var start: Start
  package var startSpan: SourceSpan
  package var steps: [Step]
  package var span: SourceSpan
}

/// An aggregate over a collection. `[SIZE]` and `@size` are aliases of `@count`.
package enum CollectionOperation: String, Sendable {
  case count = "@count"
  case min = "@min"
  case max = "@max"
  case sum = "@sum"
  case average = "@avg"
}

extension ExpressionSyntax: CustomStringConvertible {
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
    }
  }
}

extension ExpressionSyntax {
  fileprivate func text(under outer: Arithmetic, isRight: Bool) -> String {
    guard case .arithmetic(_, let terms) = kind else { return description }
    let needsParentheses = isRight || (outer.bindsTightly && !terms[0].operation.bindsTightly)
    return needsParentheses ? "(\(self))" : description
  }
}

extension PathSyntax: CustomStringConvertible {
  package var description: String {
    var text =
      switch start {
      case .root: ""
      case .variable(let name): "$" + name
      case .object(let className, let key): className + "#" + key.literalText
      }
    for step in steps {
      let part = step.kind.text
      text += part.hasPrefix("[") || text.isEmpty ? part : "." + part
    }
    return text
  }
}

extension PathSyntax.Step.Kind {
  var text: String {
    switch self {
    case .name(let name): name
    case .links(let className, let property): "@links.\(className).\(property)"
    case .allLinks: "@links"
    case .index(let index): "[\(index)]"
    case .key(let key): "[\(key.quoted)]"
    case .variable(let name): "[$\(name)]"
    case .keys: "@keys"
    case .values: "@values"
    case .type: "@type"
    case .first: "[FIRST]"
    case .last: "[LAST]"
    case .every: "[*]"
    case .operation(let operation): operation.rawValue
    }
  }
}

extension Value {
  /// The value as a literal of a query. A link has no literal: it is formatted by its numbers.
  package var literalText: String {
    literal { "object \($0.classID.rawValue)#\($0.number)" }
  }
}
