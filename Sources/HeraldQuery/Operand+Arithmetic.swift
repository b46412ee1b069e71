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

extension CollectionOperation {
  /// The result over the values of a path, nil values left out, and NaN but from a sum of doubles:
  /// of none, the sum is 0 and everything else nil.
  func apply(to path: OperandPath, of element: ElementType, _ scope: Scope) -> Value {
    switch self {
    case .count: return .int(path.count(scope))
    case .min, .max:
      var best = Value.null
      let wanted = self == .min ? -1 : 1
      _ = path.forEachValue(scope) { value in
        guard !value.isNull, value.number?.isNaN != true else { return true }
        if best.isNull || Value.order(value, best).signum() == wanted { best = value }
        return true
      }
      return best
    case .sum, .average:
      var total = ExactSum(of: element)
      _ = path.forEachValue(scope) { value in
        total.add(value)
        return true
      }
      return self == .sum ? total.sum : total.average
    }
  }
}

/// A sum of numbers: an int where all may be ints, a decimal where any may be decimals.
private struct ExactSum {
  private enum Kind {
    case integers
    case doubles
    case decimals
  }

  private let kind: Kind
  private var integers = 0
  private var doubles = 0.0
  private var decimals = Decimal128.zero
  private var hasOverflowed = false
  private var count = 0

  init(of element: ElementType) {
    switch element {
    case .int: kind = .integers
    case .decimal, .any: kind = .decimals
    case .float, .double, .bool, .string, .data, .date, .uuid, .objectID, .link: kind = .doubles
    }
  }

  mutating func add(_ value: Value) {
    guard let number = value.number, kind != .decimals || !number.isNaN else { return }
    count += 1
    if kind == .decimals {
      decimals += value.shortestDecimal
      return
    }
    if case .integer(let integer) = number {
      let (result, overflow) = integers.addingReportingOverflow(integer)
      integers = result
      hasOverflowed = hasOverflowed || overflow
    }
    doubles += number.asDouble
  }

  var sum: Value {
    switch kind {
    case .integers: hasOverflowed ? .null : .int(integers)
    case .doubles: .double(doubles)
    case .decimals: .decimal(decimals)
    }
  }

  var average: Value {
    if count == 0 { return .null }
    return kind == .decimals
      ? .decimal(decimals / Decimal128(count)) : .double(doubles / Double(count))
  }
}

extension Value {
  /// A number as a decimal: a float or a double as the shortest one that is read back as it; NaN for
  /// what is no number.
  fileprivate var shortestDecimal: Decimal128 {
    if case .float(let value) = self { return Decimal128(value) }
    return number?.asDecimal ?? .nan
  }
}
