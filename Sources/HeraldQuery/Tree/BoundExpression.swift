package import HeraldModel

/// An operand that depends on no current object: variables, objects and whole classes.
package struct BoundExpression: Sendable {
  let operand: Operand
  /// The class of the resulting objects; nil for values.
  let linkedClass: ClassID?
  let span: SourceSpan
  /// The expression, for messages.
  let text: String

  /// Evaluates the expression; returns `objects` for a collection of objects. Errors: an overflow, an int divided by zero,
  /// a text that cannot be converted, a key that no object has.
  ///
  /// - Parameter object: the object that paths start from.
  package func value(
    _ reader: any ObjectReader, of object: ObjectID = ObjectID(ClassID(0), 0)
  ) throws(QueryError) -> QueryOperand {
    let scope = EvaluationScope(reader: reader, root: object)
    if let fault = operand.fault(scope) { throw fault.error(in: text, span) }
    guard operand.isCollection else { return .value(operand.value(scope)) }
    let values = operand.values(scope)
    guard let linkedClass else { return .values(values) }
    let numbers = values.compactMap { value -> ObjectNumber? in
      if case .link(let object) = value { object.number } else { nil }
    }
    return .objects(classID: linkedClass, numbers)
  }
}
