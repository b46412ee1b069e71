import HeraldModel

extension Binder {
  /// The side with its constants turned into the type that they meet: a number meets a float at
  /// float precision, text in quotes a date as ISO 8601.
  func adapted(_ side: BoundSide, to other: BoundSide) throws(QueryError) -> BoundSide {
    guard side.isConstant, let element = other.element,
      !other.isDynamic || element == .decimal
    else { return side }
    var result = try side.mapConstants { (value) throws(QueryError) in
      try adapted(value, to: element, side.span)
    }
    if side.element != element, let values = result.constants ?? result.constant.map({ [$0] }) {
      let types = values.compactMap { ElementType(of: $0) }
      if let first = types.first, types.allSatisfy({ $0.isComparable(with: first) }) {
        result.element = first
      }
    }
    return result
  }

  private func adapted(
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

  /// One side of a comparison of types: names become those that `@type` gives.
  func typeNames(
    _ side: BoundSide, _ syntax: PredicateSyntax.Comparison
  ) throws(QueryError) -> BoundSide {
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
        let nearest = nearestName(to: name, in: TypeName.namings.keys.sorted())
        throw QueryError(.unknownType(name, nearest: nearest), side.span)
      }
      return .string(type.rawValue)
    }
  }

  /// Refuses what cannot be compared, or not in this way.
  func check(
    _ left: BoundSide, _ syntax: PredicateSyntax.Comparison, _ right: BoundSide
  ) throws(QueryError) {
    for (side, other) in [(left, right), (right, left)] {
      if side.isLinkList, other.constant == .null {
        throw QueryError(.nilAndList(side.text), other.span)
      }
      if side.element == .int, case .path = side.operand.kind, other.constant?.isEndless ?? false {
        throw mismatch(left, right)
      }
    }
    if syntax.relation.searchesText || syntax.foldsCase {
      for side in [left, right] {
        guard let element = side.element, !element.isText, element != .any else { continue }
        throw QueryError(
          .operatorNeedsStrings(syntax.operatorText, found: side.described(in: schema)),
          side.span)
      }
    }
    try checkTypes(left, right)
    let isOfLinks = [left, right].contains { $0.element?.isLink ?? false }
    if isOfLinks, !syntax.relation.isEquality {
      let side = left.element?.isLink ?? false ? left : right
      throw QueryError(
        .operatorOnLinks(syntax.relation.rawValue, found: side.described(in: schema)),
        syntax.operatorSpan)
    }
  }

  /// Refuses types that cannot be compared; of a list, one value that can be compared is enough.
  func checkTypes(_ left: BoundSide, _ right: BoundSide) throws(QueryError) {
    for (side, other) in [(left, right), (right, left)] {
      guard let element = other.element, let values = side.constants else { continue }
      let types = values.compactMap { ElementType(of: $0) }
      if types.contains(where: { $0.isComparable(with: element) }) { return }
    }
    guard let a = left.element, let b = right.element, !a.isComparable(with: b) else { return }
    throw mismatch(left, right)
  }

  private func mismatch(_ left: BoundSide, _ right: BoundSide) -> QueryError {
    QueryError(
      .notComparable(left.described(in: schema), right.described(in: schema)),
      left.isConstant && !right.isConstant ? left.span : right.span)
  }
}

extension ElementType {
  /// Whether values of the two types can be compared: numbers with numbers, any with everything,
  /// everything else with its like.
  func isComparable(with other: ElementType) -> Bool {
    self == other || (isNumber && other.isNumber) || self == .any || other == .any
  }
}

extension BoundSide {
  /// The operand with its type: `'age' (int)`, `"x" (string)`.
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

extension Value {
  /// Whether the value is a number without an end, or none at all: no int equals it, ever.
  fileprivate var isEndless: Bool {
    if case .double(let number) = self { !number.isFinite } else { false }
  }
}
