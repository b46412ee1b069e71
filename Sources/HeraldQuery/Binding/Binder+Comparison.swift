import HeraldModel

extension Binder {
  func comparison(_ syntax: PredicateSyntax.Comparison) throws(QueryError) -> Condition {
    if let result = constantForMissing(syntax) { return .constant(result) }
    var left = try side(syntax.left)
    var right = try side(syntax.right, beside: left)
    if syntax.isMembership {
      guard right.isCollection else {
        throw QueryError(.needsList(after: "IN"), right.span)
      }
      if !left.isCollection || left.quantifier != nil {
        right.quantifier = right.quantifier ?? .any
      } else if right.quantifier == nil {
        let text = "\(syntax.left) IN \(syntax.right)"
        names.note("'\(text)' compares whole lists; 'ANY \(text)' looks for an element")
      }
    }
    if let result = constantForNil(left, syntax.relation, right) { return .constant(result) }
    if left.isTypes || right.isTypes {
      (left, right) = (try typeNames(left, syntax), try typeNames(right, syntax))
      for side in [left, right] where side.isStaticType && left.isConstant && right.isConstant {
        throw QueryError(.staticType(side.text), side.span)
      }
    } else {
      (left, right) = (try coerced(left, to: right), try coerced(right, to: left))
      try check(left, syntax, right)
    }
    if syntax.relation == .matches { try checkPatterns(right, foldsCase: syntax.foldsCase) }
    if left.isConstant, !right.isConstant, let flipped = syntax.relation.flipped {
      if !(left.isCollection && right.isCollection) {
        return condition(right, flipped, left, foldsCase: syntax.foldsCase)
      }
    }
    return condition(left, syntax.relation, right, foldsCase: syntax.foldsCase)
  }

  /// Binds the right side of a comparison. A word that means nothing there is perhaps a text without quotes.
  private func side(
    _ syntax: ExpressionSyntax, beside left: BoundOperand
  ) throws(QueryError) -> BoundOperand {
    do throws(QueryError) {
      return try side(syntax)
    } catch {
      guard left.element == .string || left.element == .any,
        let word = syntax.words.first(where: { $0.span == error.span })?.text
      else { throw error }
      throw QueryError(.unquotedText(word, error: error.message), error.span)
    }
  }

  /// Makes the condition from sides of comparable types; a constant side is on the right if possible.
  private func condition(
    _ left: BoundOperand, _ relation: Relation, _ right: BoundOperand, foldsCase: Bool
  ) -> Condition {
    let isInOrder =
      left.isCollection && right.isCollection && left.quantifier == nil
      && right.quantifier == nil
    guard right.isConstant, !isInOrder else {
      let quantifiers: PairCondition.Quantifiers =
        isInOrder
        ? .inOrder : .each(left: left.quantifier ?? .any, right: right.quantifier ?? .any)
      return .pair(
        PairCondition(
          left: left.operand, relation: relation, foldsCase: foldsCase, right: right.operand,
          quantifiers: quantifiers)
      ).folded
    }
    let test = wholeTest(left, relation, right, foldsCase: foldsCase)
    let isLookup = relation == .equal && !foldsCase && right.quantifier ?? .any == .any
    return condition(
      left, test, lookups: isLookup ? right.constants ?? [right.constant] : nil)
  }

  private func condition(
    _ side: BoundOperand, _ test: ElementTest, lookups values: [Value?]?
  ) -> Condition {
    if side.isConstant {
      let quantifier = side.quantifier ?? .any
      return .constant(quantifier.holds(side.operand.constantValues, test.accepts))
    }
    guard case .path(let path) = side.operand.kind, let column = path.ownColumn,
      let classID = path.hops.first?.classID
    else {
      return .values(
        ValuesCondition(
          operand: side.operand, quantifier: side.quantifier ?? .any, test: test))
    }
    guard side.element?.hasColumnTests ?? true else {
      let lookup = side.element == .any ? lookups(values) : nil
      return .values(
        ValuesCondition(operand: side.operand, quantifier: .any, test: test, lookup: lookup))
    }
    return columnCondition(
      ColumnCondition(classID: classID, property: column, test: .isNull(true)), test,
      otherwise: side.operand)
  }

  private func columnCondition(
    _ pattern: ColumnCondition, _ test: ElementTest, otherwise operand: Operand
  ) -> Condition {
    func each(_ tests: [ElementTest]) -> [Condition] {
      tests.map { columnCondition(pattern, $0, otherwise: operand) }
    }
    switch test {
    case .constant(let value): return .constant(value)
    case .column(let test): return .column(pattern.with(test))
    case .relation, .number, .type, .whole:
      return .values(ValuesCondition(operand: operand, quantifier: .any, test: test))
    case .all(let tests): return .conjunction(of: each(tests))
    case .any(let tests): return .disjunction(of: each(tests))
    case .not(let test): return .negation(of: each([test])[0])
    }
  }

  /// The constant result of a text search in a literal nil; nil if the result depends on values.
  private func constantForNil(_ left: BoundOperand, _ relation: Relation, _ right: BoundOperand)
    -> Bool?
  {
    guard left.constant == .null, relation.searchesText, relation != .like,
      relation != .matches, !right.isCollection
    else { return nil }
    return false
  }

  /// Throws for a constant that is not a valid regular expression.
  private func checkPatterns(_ side: BoundOperand, foldsCase: Bool) throws(QueryError) {
    for case .string(let pattern) in side.constants ?? side.constant.map({ [$0] }) ?? [] {
      do {
        _ = try RegexPattern.compiled(pattern, foldsCase: foldsCase)
      } catch {
        throw QueryError(.invalidRegex(pattern, reason: "\(error)"), side.span)
      }
    }
  }

  /// The result of `$d == nil` and `$d != nil` for a variable whose object does not exist any more.
  private func constantForMissing(_ syntax: PredicateSyntax.Comparison) -> Bool? {
    guard syntax.relation.isEquality, !syntax.isMembership else { return nil }
    let isMissing =
      syntax.left.isNil && isInvalidated(syntax.right)
      || syntax.right.isNil && isInvalidated(syntax.left)
    return isMissing ? syntax.relation == .equal : nil
  }

  private func isInvalidated(_ expression: ExpressionSyntax) -> Bool {
    guard case .path(let path) = expression.kind, let name = path.variable,
      !levels.contains(where: { $0.variable == name })
    else { return false }
    return names.isInvalidated(name) ?? false
  }

  // MARK: Conditions of one value

  /// Binds a Boolean, or an object, which is true if it exists.
  func condition(_ syntax: ExpressionSyntax) throws(QueryError) -> Condition {
    if isInvalidated(syntax) { return .constant(false) }
    let side = try side(syntax)
    if side.constant == .null { return .constant(false) }
    let isLink = side.element?.isLink ?? false
    guard !side.isCollection, isLink || side.element == .bool || side.element == .any else {
      throw QueryError(.notABoolean(side.described(in: schema)), syntax.span)
    }
    return try comparison(
      PredicateSyntax.Comparison(
        left: syntax, relation: isLink ? .notEqual : .equal, foldsCase: false,
        isMembership: false,
        right: ExpressionSyntax(.literal(isLink ? .null : .bool(true)), syntax.span),
        operatorSpan: syntax.span))
  }

  // MARK: BETWEEN

  func between(
    _ value: ExpressionSyntax, _ range: ExpressionSyntax
  ) throws(QueryError) -> Condition {
    let left = try side(value)
    var bounds = try side(range)
    guard bounds.isCollection else { throw QueryError(.needsList(after: "BETWEEN"), range.span) }
    bounds = try coerced(bounds, to: left)
    guard let constants = bounds.constants, constants.count == 2, bounds.quantifier == nil else {
      throw QueryError(.betweenNeedsTwo, range.span)
    }
    // In text only ALL may precede values, as in Realm's language; the typed face says ANY.
    let isTyped = left.quantifier != nil && left.span.start == left.span.end
    guard !left.isOfValues || left.quantifier == .all || isTyped else {
      throw QueryError(.betweenNeedsAll(left.text), left.span)
    }
    for side in [left, bounds] where side.isOfLinks {
      throw QueryError(.operatorOnLinks("BETWEEN", found: side.described(in: schema)), side.span)
    }
    for bound in constants {
      try checkTypes(left, BoundOperand(.constant(bound), ElementType(of: bound), range))
    }
    let lower = test(left, .greaterOrEqual, constants[0], foldsCase: false)
    let upper = test(left, .lessOrEqual, constants[1], foldsCase: false)
    if case .column(let a) = lower, case .column(let b) = upper, let both = a.intersection(b) {
      return condition(left, .column(both), lookups: nil)
    }
    return condition(left, .all([lower, upper]), lookups: nil)
  }
}

extension ColumnCondition {
  func with(_ test: ColumnTest) -> ColumnCondition {
    ColumnCondition(classID: classID, property: property, test: test, wording: wording)
  }
}

extension Condition {
  /// The constant result, if two constants are compared.
  fileprivate var folded: Condition {
    guard case .pair(let pair) = self, pair.left.isConstant, pair.right.isConstant else {
      return self
    }
    return .constant(pair.compareConstants())
  }
}

extension ExpressionSyntax {
  /// The names of properties that the expression is, or that a list has as elements.
  fileprivate var words: [Name] {
    if case .list(let elements) = kind { return elements.flatMap(\.words) }
    guard case .path(let path) = kind, quantifier == nil, path.startsAtRoot,
      path.steps.count == 1, case .name(let name) = path.steps[0].kind
    else { return [] }
    return [Name(text: name, span: span)]
  }

  fileprivate var isNil: Bool {
    guard case .literal(let value) = kind, quantifier == nil else { return false }
    return value.isNull
  }
}

extension BoundOperand {
  /// Whether the side is a link, or a list that contains one.
  fileprivate var isOfLinks: Bool {
    element?.isLink ?? false
      || constants?.contains { ElementType(of: $0)?.isLink ?? false } ?? false
  }
}
