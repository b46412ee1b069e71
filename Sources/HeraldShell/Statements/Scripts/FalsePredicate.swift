import Herald

/// The message for an expected predicate that is false.
struct FalsePredicate {
  let context: Context

  /// Reports the first false condition of a conjunction.
  func failure(of predicate: PredicateSyntax) -> ShellError {
    if case .and(let parts) = predicate.kind,
      let part = parts.first(where: { (try? context.test($0)) == false })
    {
      return failure(of: part, named: part.description, part.span)
    }
    let text = context.source.text(context.span).drop { $0 != " " }.drop { $0 == " " }
    return failure(of: predicate, named: String(text), context.span)
  }

  private func failure(
    of predicate: PredicateSyntax, named text: String, _ span: SourceSpan
  ) -> ShellError {
    let (actual, difference) = outcome(of: predicate)
    return context.failure(
      .expectation(expected: text, actual: actual, difference: difference), at: span)
  }

  /// The actual value of a false predicate, and how it differs from the expected one.
  private func outcome(of predicate: PredicateSyntax) -> (actual: String, difference: [String]) {
    switch predicate.kind {
    case .comparison(let comparison):
      guard let left = operand(comparison.left) else { break }
      let text = LiteralText.text(left)
      // A literal need not be repeated with its value.
      if comparison.right.isLiteral { return (text, difference(left, comparison)) }
      guard let right = operand(comparison.right) else { return (text, []) }
      let relation = comparison.isMembership ? "IN" : comparison.relation.rawValue
      return ("\(text) \(relation) \(LiteralText.text(right))", difference(left, comparison))
    case .between(let value, _):
      if let value = operand(value) { return (LiteralText.text(value), []) }
    case .condition(let value):
      if let value = operand(value) { return (LiteralText.text(value), []) }
    case .constant, .not, .and, .or: break
    }
    return ("false", [])
  }

  /// The value of one side of a comparison; nil if it cannot be evaluated.
  private func operand(_ expression: ExpressionSyntax) -> OutputValue? {
    guard
      let operand = try? context.asking({ try context.store.evaluate(expression, names: $0) })
    else { return nil }
    switch operand {
    case .value(let value): return context.session.output(value)
    case .values(let values): return .list(values.map { context.session.output($0) })
    case .objects(let classID, let numbers):
      return .list(numbers.map { context.session.output(.link(ObjectID(classID, $0))) })
    }
  }

  /// The first difference of two lists that should be equal.
  private func difference(
    _ left: OutputValue, _ comparison: PredicateSyntax.Comparison
  ) -> [String] {
    guard comparison.relation == .equal, !comparison.isMembership,
      case .list(let actual) = left, actual.count > 1,
      case .list(let expected)? = operand(comparison.right),
      let row = (0..<max(actual.count, expected.count)).first(where: {
        $0 >= actual.count || $0 >= expected.count || actual[$0] != expected[$0]
      })
    else { return [] }
    if row >= actual.count { return ["row \(row) is missing: \(LiteralText.text(expected[row]))"] }
    let value = LiteralText.text(actual[row])
    if row >= expected.count { return ["row \(row) is not expected: \(value)"] }
    return ["row \(row) is \(value), not \(LiteralText.text(expected[row]))"]
  }
}
