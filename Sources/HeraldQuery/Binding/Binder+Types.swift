import HeraldModel

extension Binder {
  /// Returns the side with its constants coerced to the type of the other side: a number to float
  /// precision, a string in ISO 8601 to a date.
  func coerced(_ side: BoundOperand, to other: BoundOperand) throws(QueryError) -> BoundOperand {
    guard side.isConstant, let element = other.element,
      !other.isDynamic || element == .decimal
    else { return side }
    if case .constant = side.operand.kind, side.element == element { return side }
    var result = try side.mapConstants { (value) throws(QueryError) in
      try coerced(value, to: element, side.span)
    }
    if side.element != element, let values = result.constants ?? result.constant.map({ [$0] }) {
      let types = values.compactMap { ElementType(of: $0) }
      if let first = types.first, types.allSatisfy({ $0.isComparable(with: first) }) {
        result.element = first
      }
    }
    return result
  }

  private func coerced(
    _ value: Value, to element: ElementType, _ span: SourceSpan
  ) throws(QueryError) -> Value {
    switch (element, value) {
    case (.date, .string(let text)):
      guard let date = Timestamp(iso8601: text) else { throw QueryError(.invalidDate(text), span) }
      return .date(date)
    case (.float, .int(let number)): return .float(Float(number))
    case (.float, .double(let number)): return .float(Float(number))
    case (.float, .decimal(let number)): return .float(Float(Double(number)))
    case (.double, .decimal(let number)):
      let nearest = Double(number)
      return nearest.isFinite || number.isInfinite ? .double(nearest) : value
    case (.decimal, .double(let number)): return .decimal(Decimal128(number))
    case (.decimal, .float(let number)): return .decimal(Decimal128(number))
    default: return value
    }
  }

  /// Returns one side of a comparison of types, with aliases replaced by the names that `@type` returns.
  func typeNames(
    _ side: BoundOperand, _ syntax: PredicateSyntax.Comparison
  ) throws(QueryError) -> BoundOperand {
    guard syntax.relation.isEquality else {
      throw QueryError(.operatorOnTypes(syntax.relation.rawValue), syntax.operatorSpan)
    }
    guard !syntax.foldsCase else {
      throw QueryError(.operatorOnTypes(syntax.operatorText), syntax.operatorSpan)
    }
    if side.isTypes { return side }
    guard side.isConstant else {
      throw QueryError(.typeNeedsName(side.described(in: schema)), side.span)
    }
    return try side.mapConstants { (value) throws(QueryError) in
      guard case .string(let name) = value else {
        throw QueryError(.typeNeedsName(value.literalText), side.span)
      }
      guard let type = TypeName(name: name) else {
        let nearest = nearestName(to: name, in: TypeName.typesByName.keys.sorted())
        throw QueryError(.unknownType(name, nearest: nearest), side.span)
      }
      return .string(type.rawValue)
    }
  }

  /// Throws if the sides are not comparable, or not by this operator.
  func check(
    _ left: BoundOperand, _ syntax: PredicateSyntax.Comparison, _ right: BoundOperand
  ) throws(QueryError) {
    try checkNil(left, right)
    try checkNil(right, left)
    if left.isInt(comparedWithNonFinite: right) || right.isInt(comparedWithNonFinite: left) {
      throw mismatch(left, right)
    }
    if syntax.relation.searchesText || syntax.foldsCase {
      try checkText(left, syntax)
      try checkText(right, syntax)
    }
    try checkTypes(left, right)
    if left.isLink || right.isLink, !syntax.relation.isEquality {
      let side = left.isLink ? left : right
      throw QueryError(
        .operatorOnLinks(syntax.relation.rawValue, found: side.described(in: schema)),
        syntax.operatorSpan)
    }
  }

  private func checkNil(_ side: BoundOperand, _ other: BoundOperand) throws(QueryError) {
    guard side.isLinkList, case .constant(.null) = other.operand.kind else { return }
    throw QueryError(.nilAndList(side.text), other.span)
  }

  private func checkText(
    _ side: BoundOperand, _ syntax: PredicateSyntax.Comparison
  ) throws(QueryError) {
    guard let element = side.element, element != .any,
      !element.isText || syntax.relation == .matches && element == .data
    else { return }
    throw QueryError(
      .operatorNeedsStrings(syntax.operatorText, found: side.described(in: schema)), side.span)
  }

  /// Throws if the types are not comparable; for a list, one comparable value is enough.
  func checkTypes(_ left: BoundOperand, _ right: BoundOperand) throws(QueryError) {
    if left.hasConstant(comparableWith: right) || right.hasConstant(comparableWith: left) {
      return
    }
    guard let a = left.element, let b = right.element, !a.isComparable(with: b) else { return }
    throw mismatch(left, right)
  }

  private func mismatch(_ left: BoundOperand, _ right: BoundOperand) -> QueryError {
    QueryError(
      .notComparable(left.described(in: schema), right.described(in: schema)),
      left.isConstant && !right.isConstant ? left.span : right.span)
  }
}

extension ElementType {
  /// Returns whether values of the two types are comparable: numbers with numbers, `any` with
  /// everything, other types with themselves.
  func isComparable(with other: ElementType) -> Bool {
    self == other || (isNumber && other.isNumber) || self == .any || other == .any
  }
}

extension BoundOperand {
  fileprivate var isLink: Bool { element?.isLink ?? false }

  /// Whether the side is an int that is compared with an infinity or NaN, which no int equals; what a store has may be one.
  fileprivate func isInt(comparedWithNonFinite other: BoundOperand) -> Bool {
    guard case .constant(.double(let number)) = other.operand.kind, case .path = operand.kind,
      !other.isRead
    else { return false }
    return element == .int && !number.isFinite
  }

  /// Whether the side is a list of constants, one of which is comparable with the other side.
  fileprivate func hasConstant(comparableWith other: BoundOperand) -> Bool {
    guard case .constants(let values) = operand.kind, let element = other.element else {
      return false
    }
    return values.contains { ElementType(of: $0)?.isComparable(with: element) ?? false }
  }

  /// Returns the operand with its type: `'age' (int)`, `"x" (string)`.
  func described(in schema: Schema) -> String {
    let type =
      if let constants {
        constants.lazy.compactMap { ElementType(of: $0) }.first.map { schema.name(of: $0) }
      } else {
        element.map { schema.name(of: $0) }
      }
    let shown = isConstant ? text : "'\(text)'"
    guard let type else { return shown }
    return shown + (isCollection ? " (of \(type))" : " (\(type))")
  }
}
