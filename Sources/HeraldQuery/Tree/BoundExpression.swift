package import HeraldModel

/// An operand that depends on no current object: variables, objects and whole classes.
package struct BoundExpression: Sendable {
  let operand: Operand
  /// The class of the resulting objects; nil for values.
  let linkedClass: ClassID?
  let span: SourceSpan
  /// The expression, for messages.
  let text: String

  /// Evaluates the expression; returns `objects` for a collection of objects. Errors: an overflow, or an int
  /// divided by zero.
  ///
  /// - Parameter object: the object that paths start from.
  package func value(
    _ reader: any ObjectReader, of object: ObjectID = ObjectID(ClassID(0), 0)
  ) throws(QueryError) -> QueryOperand {
    let scope = EvaluationScope(reader: reader, root: object)
    if operand.dividesByZero(scope) { throw QueryError(.divisionByZero(text), span) }
    guard operand.isCollection else {
      let value = operand.value(scope)
      if value.isNull, hasOverflowed(scope) { throw QueryError(.overflow, span) }
      return .value(value)
    }
    let values = operand.values(scope)
    guard let linkedClass else { return .values(values) }
    let numbers = values.compactMap { value -> ObjectNumber? in
      if case .link(let object) = value { object.number } else { nil }
    }
    return .objects(classID: linkedClass, numbers)
  }

  /// Returns whether a nil result is an overflow: both operands are numbers, or it is that of a sum,
  /// which is never nil otherwise.
  private func hasOverflowed(_ scope: EvaluationScope) -> Bool {
    func overflows(_ operand: Operand) -> Bool {
      if case .aggregate(.sum, _, _) = operand.kind { return operand.value(scope).isNull }
      if case .derived(_, let inner) = operand.kind { return overflows(inner) }
      guard case .arithmetic(let first, let terms) = operand.kind else { return false }
      if overflows(first) { return true }
      var result = first.value(scope)
      for term in terms {
        let value = term.operand.value(scope)
        let next = term.operation.apply(result, value)
        let isOverflow = next.isNull && result.number != nil && value.number != nil
        if isOverflow || overflows(term.operand) { return true }
        result = next
      }
      return false
    }
    return overflows(operand)
  }
}
