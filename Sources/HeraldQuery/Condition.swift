import HeraldModel

/// A condition that is bound to a schema, its conjuncts and alternatives in the order of their cost.
indirect enum Condition: Sendable {
  case constant(Bool)
  case all([Condition])
  case any([Condition])
  case not(Condition)
  /// A single-valued property of the object itself and a constant.
  case column(ColumnCondition)
  /// Any operand and a constant.
  case values(Operand, Quantifier, ElementTest)
  /// Two operands.
  case pair(PairCondition)
  /// A condition that is no text, for those who build questions by hand.
  case function(@Sendable (ObjectNumber, any ObjectReader) -> Bool)
}

struct ColumnCondition: Sendable {
  let classID: ClassID
  let property: PropertyID
  let test: ColumnTest
  /// The values of which the property must equal one, where that is what the test says and the
  /// property has an index.
  let indexedValues: [Value]?
}

extension ColumnCondition {
  fileprivate var path: OperandPath {
    OperandPath(
      start: .root, hops: [OperandPath.Hop(classID: classID, kind: .single(property))])
  }
}

struct PairCondition: Sendable {
  let left: Operand
  let relation: Relation
  let foldsCase: Bool
  let right: Operand
  let quantifiers: Quantifiers

  enum Quantifiers: Sendable {
    case each(left: Quantifier, right: Quantifier)
    /// Two collections as wholes, in their orders.
    case inOrder
  }
}

/// A test of one value against constants.
indirect enum ElementTest: Sendable {
  case constant(Bool)
  case column(ColumnTest)
  /// Where the value's type is known only when it is there.
  case relation(Relation, Value, foldsCase: Bool)
  case any([ElementTest])
  case all([ElementTest])
  case not(ElementTest)
}

extension Condition {
  func matches(_ scope: Scope) -> Bool {
    switch self {
    case .column(let column):
      return column.test.accepts(scope.reader.value(column.property, of: scope.root))
    case .constant(let value): return value
    case .all(let parts):
      for part in parts where !part.matches(scope) { return false }
      return true
    case .any(let parts):
      for part in parts where part.matches(scope) { return true }
      return false
    case .not(let inner): return !inner.matches(scope)
    case .values(let operand, let quantifier, let test):
      guard operand.isCollection else { return test.accepts(operand.value(scope)) }
      return quantifier.holds(operand, scope, test.accepts)
    case .pair(let pair): return pair.matches(scope)
    case .function(let test): return test(scope.root.number, scope.reader)
    }
  }

  /// What evaluating the condition for one object costs, in units of one number's comparison.
  var cost: Int {
    switch self {
    case .constant: 0
    case .column(let column): column.test.cost
    case .not(let inner): inner.cost
    case .all(let parts), .any(let parts): parts.reduce(0) { $0 + $1.cost }
    case .values(let operand, _, let test): operand.cost + test.cost
    case .pair(let pair): pair.left.cost + pair.right.cost + 10
    case .function: 100
    }
  }

  func collectDependencies(_ depth: DependencyScope, into paths: inout [PropertyPath]) {
    switch self {
    case .constant, .function: break
    case .all(let parts), .any(let parts):
      for part in parts { part.collectDependencies(depth, into: &paths) }
    case .not(let inner): inner.collectDependencies(depth, into: &paths)
    case .column(let column): depth.add(column.path, to: &paths)
    case .values(let operand, _, _): operand.collectDependencies(depth, into: &paths)
    case .pair(let pair):
      pair.left.collectDependencies(depth, into: &paths)
      pair.right.collectDependencies(depth, into: &paths)
    }
  }
}

extension Quantifier {
  /// Whether a test holds for any, all or none of an operand's values: of no values all and none do.
  func holds(_ operand: Operand, _ scope: Scope, _ test: (Value) -> Bool) -> Bool {
    switch self {
    case .any: !operand.forEachValue(scope) { !test($0) }
    case .all: operand.forEachValue(scope) { test($0) }
    case .none: operand.forEachValue(scope) { !test($0) }
    }
  }
}

extension Quantifier {
  func holds(_ values: [Value], _ test: (Value) -> Bool) -> Bool {
    switch self {
    case .any: values.contains(where: test)
    case .all: values.allSatisfy(test)
    case .none: !values.contains(where: test)
    }
  }
}

extension ElementTest {
  func accepts(_ value: Value) -> Bool {
    switch self {
    case .constant(let answer): answer
    case .column(let test): test.accepts(value)
    case .relation(let relation, let constant, let foldsCase):
      relation.holds(value, constant, foldsCase: foldsCase)
    case .any(let tests): tests.contains { $0.accepts(value) }
    case .all(let tests): tests.allSatisfy { $0.accepts(value) }
    case .not(let test): !test.accepts(value)
    }
  }

  var cost: Int {
    switch self {
    case .constant: 0
    case .column(let test): test.cost
    case .relation: 10
    case .any(let tests), .all(let tests): tests.reduce(0) { $0 + $1.cost }
    case .not(let test): test.cost
    }
  }
}

extension PairCondition {
  func matches(_ scope: Scope) -> Bool {
    switch quantifiers {
    case .inOrder: return compareInOrder(left.values(scope), right.values(scope))
    case .each(let leftQuantifier, let rightQuantifier):
      guard left.isCollection || right.isCollection else {
        return relation.holds(left.value(scope), right.value(scope), foldsCase: foldsCase)
      }
      return leftQuantifier.holds(left, scope) { leftValue in
        rightQuantifier.holds(right, scope) { rightValue in
          relation.holds(leftValue, rightValue, foldsCase: foldsCase)
        }
      }
    }
  }

  /// The answer where both sides are constants.
  func compareConstants() -> Bool {
    switch quantifiers {
    case .inOrder: return compareInOrder(left.constantValues, right.constantValues)
    case .each(let leftQuantifier, let rightQuantifier):
      return leftQuantifier.holds(left.constantValues) { leftValue in
        rightQuantifier.holds(right.constantValues) { rightValue in
          relation.holds(leftValue, rightValue, foldsCase: foldsCase)
        }
      }
    }
  }

  /// The order of the first elements that differ, then the shorter first.
  private func compareInOrder(_ a: [Value], _ b: [Value]) -> Bool {
    let difference = zip(a, b).first { !Relation.equal.holds($0, $1, foldsCase: foldsCase) }
    switch relation {
    case .equal: return difference == nil && a.count == b.count
    case .notEqual: return difference != nil || a.count != b.count
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .beginsWith, .endsWith, .contains, .like:
      if let (left, right) = difference {
        return relation.holds(left, right, foldsCase: foldsCase)
      }
      return relation.holds(.int(a.count), .int(b.count), foldsCase: false)
    }
  }
}

extension ColumnTest {
  fileprivate var cost: Int {
    switch self {
    case .isNull, .integers, .doubles: 1
    case .dates, .integerSet: 2
    case .bytesEqual: 3
    case .bytes: 8
    }
  }
}

extension Operand {
  /// The values that need no object to be known.
  var constantValues: [Value] {
    switch kind {
    case .constant(let value): [value]
    case .constants(let values): values
    case .path, .count, .length, .aggregate, .each, .arithmetic, .subquery: []
    }
  }

  fileprivate var cost: Int {
    switch kind {
    case .constant, .constants: 0
    case .path(let path), .length(let path): path.cost
    case .count(let path): isCollection ? path.cost : 30
    case .aggregate(_, let path, _): path.cost + 20
    case .each(let path, let operand): path.cost * operand.cost
    case .arithmetic(let left, _, let right): left.cost + right.cost + 10
    case .subquery(let path, let condition): path.cost * (1 + condition.cost)
    }
  }
}

extension OperandPath {
  fileprivate var cost: Int {
    hops.reduce(20) { $1.isCollection ? $0 * 5 : $0 + 20 }
  }
}
