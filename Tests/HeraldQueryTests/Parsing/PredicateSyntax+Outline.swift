import HeraldQuery

// The shape of a tree without its spans: what must survive printing and parsing.

extension QueryTail {
  var outline: String {
    (predicate?.outline ?? "-") + stages.map { " | \($0)" }.joined()
  }
}

extension PredicateSyntax {
  var outline: String {
    switch kind {
    case .constant(let value): "\(value)"
    case .comparison(let comparison):
      "(\(comparison.operatorOutline) \(comparison.left.outline) \(comparison.right.outline))"
    case .condition(let value): "(condition \(value.outline))"
    case .between(let value, let range): "(between \(value.outline) \(range.outline))"
    case .not(let inner): "(not \(inner.outline))"
    case .and(let parts): "(and \(parts.map(\.outline).joined(separator: " ")))"
    case .or(let parts): "(or \(parts.map(\.outline).joined(separator: " ")))"
    }
  }
}

extension PredicateSyntax.Comparison {
  fileprivate var operatorOutline: String {
    "\(relation)" + (foldsCase ? "/c" : "") + (isMembership ? "/in" : "")
  }
}

extension ExpressionSyntax {
  var outline: String {
    let quantifier = quantifier.map { "\($0) " } ?? ""
    switch kind {
    case .literal(let value): return quantifier + "<\(value)>"
    case .list(let elements):
      return quantifier + "[" + elements.map(\.outline).joined(separator: " ") + "]"
    case .path(let path): return quantifier + path.outline
    case .arithmetic(let first, let terms):
      let parts = terms.map { " \($0.operation) \($0.operand.outline)" }
      return "\(quantifier)(\(first.outline)\(parts.joined()))"
    case .subquery(let path, let variable, let predicate):
      return "\(quantifier)(subquery \(path.outline) \(variable) \(predicate.outline))"
    case .call(let call):
      let arguments = call.arguments.map(\.outline).joined(separator: " ")
      return "\(quantifier)(\(call.function.text) \(arguments))"
    case .fallback(let first, let other): return "(?? \(first.outline) \(other.outline))"
    case .duration(let seconds, text: _): return "(duration \(seconds))"
    case .record, .generated, .query, .test, .projection: return "(statement \(self))"
    }
  }
}

extension PathSyntax {
  var outline: String { "\(start)" + steps.map { "/\($0.kind)" }.joined() }
}
