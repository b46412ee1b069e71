import HeraldModel

extension Operand {
  /// Arithmetic that goes on with one more term.
  func followed(by term: Term) -> Operand {
    let isCollection = isCollection || term.operand.isCollection
    if case .arithmetic(let first, let terms) = kind {
      return Operand(kind: .arithmetic(first, terms + [term]), isCollection: isCollection)
    }
    return Operand(kind: .arithmetic(self, [term]), isCollection: isCollection)
  }

  /// Calls `body` with the result for each value of the one operand that is a collection, until it
  /// answers false; answers whether all were seen.
  func spread(
    _ first: Operand, _ terms: [Term], _ scope: Scope, _ body: (Value) -> Bool
  ) -> Bool {
    func result(of rest: ArraySlice<(Arithmetic, Value)>, after value: Value) -> Value {
      rest.reduce(value) { $1.0.apply($0, $1.1) }
    }
    let place = terms.firstIndex { $0.operand.isCollection }
    let values = terms.map { term in
      (term.operation, term.operand.isCollection ? .null : term.operand.value(scope))
    }
    guard let place else {
      return first.forEachValue(scope) { body(result(of: values[...], after: $0)) }
    }
    let before = result(of: values[..<place], after: first.value(scope))
    return terms[place].operand.forEachValue(scope) { value in
      body(result(of: values[(place + 1)...], after: terms[place].operation.apply(before, value)))
    }
  }
}

extension Arithmetic {
  /// What has a decimal in it is decimal. Integers stay integers, and division truncates; a result that no int can hold is nil, as is
  /// everything with nil. A positive number by zero is infinity, also among ints.
  func apply(_ a: Value, _ b: Value) -> Value {
    guard let left = a.number, let right = b.number else { return .null }
    if left.isDecimal || right.isDecimal {
      return .decimal(apply(a.shortestDecimal, b.shortestDecimal))
    }
    guard case .integer(let a) = left, case .integer(let b) = right, self != .divided || b != 0
    else { return .double(apply(left.asDouble, right.asDouble)) }
    let (result, overflow) = apply(a, b)
    return overflow ? .null : .int(result)
  }

  private func apply(_ a: Double, _ b: Double) -> Double {
    switch self {
    case .plus: a + b
    case .minus: a - b
    case .times: a * b
    case .divided: a / b
    }
  }

  private func apply(_ a: Decimal128, _ b: Decimal128) -> Decimal128 {
    switch self {
    case .plus: a + b
    case .minus: a - b
    case .times: a * b
    case .divided: a / b
    }
  }

  private func apply(_ a: Int, _ b: Int) -> (partialValue: Int, overflow: Bool) {
    switch self {
    case .plus: a.addingReportingOverflow(b)
    case .minus: a.subtractingReportingOverflow(b)
    case .times: a.multipliedReportingOverflow(by: b)
    case .divided: a.dividedReportingOverflow(by: b)
    }
  }
}

extension Value {
  /// A number as a decimal: a float or a double as the shortest one that is read back as it; NaN for
  /// what is no number.
  var shortestDecimal: Decimal128 {
    if case .float(let value) = self { return Decimal128(value) }
    return number?.asDecimal ?? .nan
  }
}
