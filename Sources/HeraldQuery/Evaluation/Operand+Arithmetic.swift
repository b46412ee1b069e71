import HeraldModel

extension Operand {
  /// Returns the operand extended by one more term.
  func followed(by term: Term) -> Operand {
    let isCollection = isCollection || term.operand.isCollection
    if case .arithmetic(let first, let terms) = kind {
      return Operand(kind: .arithmetic(first, terms + [term]), isCollection: isCollection)
    }
    return Operand(kind: .arithmetic(self, [term]), isCollection: isCollection)
  }

  /// Calls `body` with the result for each value of the one operand that is a collection, until it
  /// returns false; returns whether all were visited.
  func spread(
    _ first: Operand, _ terms: [Term], _ scope: EvaluationScope, _ body: (Value) -> Bool
  ) -> Bool {
    func result(of rest: ArraySlice<(Arithmetic, Value)>, after value: Value) -> Value {
      rest.reduce(value) { $1.0.apply($0, $1.1) }
    }
    let index = terms.firstIndex { $0.operand.isCollection }
    let values = terms.map { term in
      (term.operation, term.operand.isCollection ? .null : term.operand.value(scope))
    }
    guard let index else {
      return first.forEachValue(scope) { body(result(of: values[...], after: $0)) }
    }
    let before = result(of: values[..<index], after: first.value(scope))
    return terms[index].operand.forEachValue(scope) { value in
      body(result(of: values[(index + 1)...], after: terms[index].operation.apply(before, value)))
    }
  }
}

extension Arithmetic {
  /// Returns whether both are ints, and the second, the divisor, is zero.
  func dividesByZero(_ a: Value, _ b: Value) -> Bool {
    guard isDivision, case .int = a else { return false }
    return b == .int(0)
  }

  /// Applies the operator. With a decimal operand the result is a decimal. The result of two integers
  /// is an integer; division truncates, overflow is nil. An operation with nil is nil. A positive
  /// number divided by zero is infinity, even for integers. `+` joins two strings, and the difference of two dates is in
  /// seconds.
  func apply(_ a: Value, _ b: Value) -> Value {
    if self == .minus, case .date(let left) = a, case .date(let right) = b {
      return .double(left.seconds(since: right))
    }
    if self == .plus, case .string(let left) = a, case .string(let right) = b {
      return .string(left + right)
    }
    guard let left = a.number, let right = b.number else { return .null }
    if left.isDecimal || right.isDecimal {
      return .decimal(apply(a.shortestDecimal, b.shortestDecimal))
    }
    guard case .integer(let a) = left, case .integer(let b) = right, !isDivision || b != 0
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
    case .remainder: a.truncatingRemainder(dividingBy: b)
    }
  }

  private func apply(_ a: Decimal128, _ b: Decimal128) -> Decimal128 {
    switch self {
    case .plus: a + b
    case .minus: a - b
    case .times: a * b
    case .divided: a / b
    case .remainder: a.remainder(dividingBy: b)
    }
  }

  private func apply(_ a: Int, _ b: Int) -> (partialValue: Int, overflow: Bool) {
    switch self {
    case .plus: a.addingReportingOverflow(b)
    case .minus: a.subtractingReportingOverflow(b)
    case .times: a.multipliedReportingOverflow(by: b)
    case .divided: a.dividedReportingOverflow(by: b)
    case .remainder: (b == -1 ? 0 : a % b, false)
    }
  }
}

extension Value {
  /// A number as a decimal: for a float or a double, the shortest decimal that is read back as it; NaN
  /// for other values.
  var shortestDecimal: Decimal128 {
    if case .float(let value) = self { return Decimal128(value) }
    return number?.asDecimal ?? .nan
  }
}
