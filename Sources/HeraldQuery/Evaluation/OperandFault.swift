import HeraldModel

/// Why an operand has no value.
enum OperandFault {
  /// An int divided by zero.
  case divisionByZero
  /// The result is beyond the range of an int.
  case overflow
  /// A text that is no such value.
  case notConvertible(Value, to: String)
  /// No object has the key.
  case noObject(className: String, key: Value)

  /// - Parameter text: that of the expression.
  func error(in text: String, _ span: SourceSpan) -> QueryError {
    switch self {
    case .divisionByZero: QueryError(.divisionByZero(text), span)
    case .overflow: QueryError(.overflow, span)
    case .notConvertible(let value, let type):
      QueryError(.notConvertible(value.convertibleText, type: type), span)
    case .noObject(let className, let key):
      QueryError(.model(.noSuchObject("\(className)#\(key.literalText)")), span)
    }
  }
}

extension Value {
  fileprivate var convertibleText: String {
    if case .string(let text) = self { text } else { literalText }
  }
}

extension Operand {
  /// Why there is no value, or of any number of values one; nil if all are there. That a value is nil is no fault.
  func fault(_ scope: EvaluationScope) -> OperandFault? {
    switch kind {
    case .constant, .constants: return nil
    case .path(let path), .count(let path), .measure(_, let path), .each(let path, _),
      .subquery(let path, _):
      return path.fault(scope)
    case .aggregate(let operation, let path, _):
      // A sum is nil for no other reason.
      return path.fault(scope)
        ?? (operation == .sum && value(scope).isNull ? .overflow : nil)
    case .fallback(let first, let other):
      if let fault = first.fault(scope) {
        guard case .noObject = fault else { return fault }
      }
      return first.value(scope).isNull ? other.fault(scope) : nil
    case .call(let function, let inner, let rest):
      for part in [inner] + rest { if let fault = part.fault(scope) { return fault } }
      let values = rest.map { $0.value(scope) }
      guard !values.contains(where: \.isNull) else { return nil }
      var fault: OperandFault?
      _ = inner.forEachValue(scope) { value in
        if !value.isNull, function.apply(to: value, values).isNull {
          fault = function.fault(of: value)
        }
        return fault == nil
      }
      return fault
    case .arithmetic(let first, let terms):
      if let fault = first.fault(scope) { return fault }
      for term in terms { if let fault = term.operand.fault(scope) { return fault } }
      return isCollection ? faultOfEach(first, terms, scope) : fault(first, terms, scope)
    }
  }

  private func fault(_ first: Operand, _ terms: [Term], _ scope: EvaluationScope) -> OperandFault? {
    var result = first.value(scope)
    for term in terms {
      let value = term.operand.value(scope)
      if term.operation.dividesByZero(result, value) { return .divisionByZero }
      let next = term.operation.apply(result, value)
      if next.isNull, result.number != nil, value.number != nil { return .overflow }
      result = next
    }
    return nil
  }

  private func faultOfEach(
    _ first: Operand, _ terms: [Term], _ scope: EvaluationScope
  ) -> OperandFault? {
    var fault: OperandFault?
    for (index, term) in terms.enumerated() {
      let left = terms[..<index].reduce(first) { $0.followed(by: $1) }
      _ = term.operand.forEachValue(scope) { operand in
        left.forEachValue(scope) { value in
          if term.operation.dividesByZero(value, operand) {
            fault = .divisionByZero
          } else if value.number != nil, operand.number != nil,
            term.operation.apply(value, operand).isNull
          {
            fault = .overflow
          }
          return fault == nil
        }
      }
      if fault != nil { return fault }
    }
    return nil
  }
}

extension OperandPath {
  /// Why the object that the path begins at is not there; nil if it is, or if its key is nil.
  fileprivate func fault(_ scope: EvaluationScope) -> OperandFault? {
    guard case .keyed(let keyed) = start else { return nil }
    if let fault = keyed.key.fault(scope) { return fault }
    let key = keyed.key.value(scope)
    return key.isNull || keyed.object(key, scope.reader) != nil
      ? nil : .noObject(className: keyed.className, key: key)
  }
}
