import HeraldModel

/// An operand with all that the binding of a comparison needs to know of it.
struct BoundSide {
  var operand: Operand
  /// nil where every value is nil, or there is none.
  var element: ElementType?
  var quantifier: Quantifier?
  let span: SourceSpan
  /// As it was written, for messages.
  let text: String
  /// A list of links that is the end of its path: its elements are never nil.
  var isLinkList = false
  /// Whether the values are the elements of lists, sets or maps of values.
  var isOfValues = false
  /// Whether the values are the names of types.
  var isTypes = false
  /// Whether the one type is known before any object is asked.
  var isStaticType = false
  /// Whether the values' types are known only when they are there.
  var isDynamic = false

  init(_ operand: Operand, _ element: ElementType?, _ syntax: ExpressionSyntax) {
    self.operand = operand
    self.element = element
    quantifier = syntax.quantifier
    span = syntax.span
    text = syntax.description
  }

  var constant: Value? {
    if case .constant(let value) = operand.kind { value } else { nil }
  }

  var constants: [Value]? {
    if case .constants(let values) = operand.kind { values } else { nil }
  }

  var isConstant: Bool { constant != nil || constants != nil }

  var isCollection: Bool { operand.isCollection }

  /// The constants changed one by one.
  func mapConstants(
    _ change: (Value) throws(QueryError) -> Value
  ) throws(QueryError) -> BoundSide {
    var changed = self
    if let constant {
      changed.operand = Operand(kind: .constant(try change(constant)), isCollection: false)
    } else if let constants {
      var values: [Value] = []
      for value in constants { values.append(try change(value)) }
      changed.operand = Operand(kind: .constants(values), isCollection: true)
    }
    return changed
  }
}

extension Operand {
  static func constant(_ value: Value) -> Operand {
    Operand(kind: .constant(value), isCollection: false)
  }

  static func constants(_ values: [Value]) -> Operand {
    Operand(kind: .constants(values), isCollection: true)
  }
}
