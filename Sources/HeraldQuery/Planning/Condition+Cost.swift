import HeraldModel

extension Condition {
  /// The cost of evaluating the condition for one object, in units of one comparison of numbers.
  var cost: Int {
    switch self {
    case .constant: 0
    case .column(let column): column.test.cost
    case .not(let inner): inner.cost
    case .all(let parts), .any(let parts): parts.reduce(0) { $0 + $1.cost }
    case .values(let values): values.operand.cost + values.test.cost
    case .pair(let pair): pair.left.cost + pair.right.cost + 10
    case .function: 100
    }
  }
}

extension ColumnTest {
  var cost: Int {
    switch self {
    case .isNull, .integers, .doubles: 1
    case .dates, .integerSet: 2
    case .numbers: 3
    case .bytesEqual, .bytesPrefix: 3
    case .bytesRange, .bytesSet: 6
    case .bytes: 10
    }
  }
}

extension Operand {
  /// The values of a constant operand; empty for others.
  var constantValues: [Value] {
    switch kind {
    case .constant(let value): [value]
    case .constants(let values): values
    case .path, .count, .measure, .aggregate, .each, .arithmetic, .call, .fallback, .subquery: []
    }
  }

  fileprivate var cost: Int {
    switch kind {
    case .constant, .constants: 0
    case .path(let path), .measure(_, let path): path.cost
    case .count(let path): isCollection ? path.cost : 30
    case .aggregate(_, let path, _): path.cost + 20
    case .each(let path, let operand): path.cost * operand.cost
    case .arithmetic(let first, let terms):
      terms.reduce(first.cost) { $0 + $1.operand.cost + 10 }
    case .call(_, let inner, let rest): rest.reduce(inner.cost) { $0 + $1.cost + 10 } + 10
    case .fallback(let first, let other): first.cost + other.cost
    case .subquery(let path, let condition): path.cost * (1 + condition.cost)
    }
  }
}

extension OperandPath {
  fileprivate var cost: Int {
    hops.reduce(20) { $1.isCollection ? $0 * 5 : $0 + 20 }
  }
}
