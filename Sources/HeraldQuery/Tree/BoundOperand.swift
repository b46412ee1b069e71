import HeraldModel

/// An operand with everything that binding a comparison needs.
struct BoundOperand {
  var operand: Operand
  /// nil if every value is nil, or there is none.
  var element: ElementType?
  var quantifier: Quantifier?
  let span: SourceSpan
  private let syntax: ExpressionSyntax
  /// Whether the path ends in a list of links, whose elements are never nil.
  var isLinkList = false
  /// Whether the values are the elements of lists, sets or maps of values.
  var isOfValues = false
  /// Whether the values are the names of types.
  var isTypes = false
  /// Whether the type of every value is known without evaluating an object.
  var isStaticType = false
  /// Whether the types of the values are known only at evaluation.
  var isDynamic = false
  /// Whether the constants were read from the store.
  var isRead = false

  init(_ operand: Operand, _ element: ElementType?, _ syntax: ExpressionSyntax) {
    self.operand = operand
    self.element = element
    quantifier = syntax.quantifier
    span = syntax.span
    self.syntax = syntax
  }

  /// The source text, for messages.
  var text: String { syntax.description }

  var constant: Value? {
    if case .constant(let value) = operand.kind { value } else { nil }
  }

  var constants: [Value]? {
    if case .constants(let values) = operand.kind { values } else { nil }
  }

  var isConstant: Bool { operand.isConstant }

  var isCollection: Bool { operand.isCollection }

  /// Returns the side with each constant transformed.
  func mapConstants(
    _ transform: (Value) throws(QueryError) -> Value
  ) throws(QueryError) -> BoundOperand {
    var changed = self
    if let constant {
      changed.operand = Operand(kind: .constant(try transform(constant)), isCollection: false)
    } else if let constants {
      var values: [Value] = []
      for value in constants { values.append(try transform(value)) }
      changed.operand = Operand(kind: .constants(values), isCollection: true)
    }
    return changed
  }
}

extension Operand {
  var isConstant: Bool {
    switch kind {
    case .constant, .constants: true
    case .path, .count, .measure, .aggregate, .each, .arithmetic, .call, .fallback, .subquery: false
    }
  }

  static func constant(_ value: Value) -> Operand {
    Operand(kind: .constant(value), isCollection: false)
  }

  static func constants(_ values: [Value]) -> Operand {
    Operand(kind: .constants(values), isCollection: true)
  }
}
