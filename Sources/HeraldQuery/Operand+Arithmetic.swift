import HeraldModel

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
