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
  case values(ValuesCondition)
  /// Two operands.
  case pair(PairCondition)
  /// A condition that is no text, for those who build questions by hand.
  case function(@Sendable (ObjectNumber, any ObjectReader) -> Bool)
}

struct ColumnCondition: Sendable {
  let classID: ClassID
  let property: PropertyID
  var test: ColumnTest
  var wording = Wording()
}

/// What was written that a condition came from, for those who ask how a question is answered.
struct Wording: Sendable {
  private(set) var parts: [PredicateSyntax] = []

  init(_ parts: [PredicateSyntax] = []) { self.parts = parts }

  mutating func append(_ other: Wording) { parts += other.parts }

  var text: String { parts.map(\.description).joined(separator: " AND ") }
}

extension ColumnCondition {
  fileprivate var path: OperandPath {
    OperandPath(
      start: .root, hops: [OperandPath.Hop(classID: classID, kind: .single(property))])
  }
}

struct ValuesCondition: Sendable {
  let operand: Operand
  let quantifier: Quantifier
  let test: ElementTest
  /// The values of which an `any` must equal one, where that is what the test says.
  var lookup: [Value]?
  var wording = Wording()
}

struct PairCondition: Sendable {
  let left: Operand
  let relation: Relation
  let foldsCase: Bool
  let right: Operand
  let quantifiers: Quantifiers
  var wording = Wording()

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
  /// A number that is not whole, and values of any type.
  case number(Relation, NumberForms)
  /// The name of a value's type and one of `TypeName`.
  case type(Relation, TypeName)
  /// A list as a whole, where the value is one; a test of the value itself where it is none.
  case whole(Relation, [Value], foldsCase: Bool, otherwise: ElementTest)
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
    case .values(let values):
      let operand = values.operand
      guard operand.isCollection else { return values.test.accepts(operand.value(scope)) }
      return values.quantifier.holds(operand, scope, values.test.accepts)
    case .pair(let pair): return pair.matches(scope)
    case .function(let test): return test(scope.root.number, scope.reader)
    }
  }

  func collectDependencies(_ depth: DependencyScope, into paths: inout [PropertyPath]) {
    switch self {
    case .constant, .function: break
    case .all(let parts), .any(let parts):
      for part in parts { part.collectDependencies(depth, into: &paths) }
    case .not(let inner): inner.collectDependencies(depth, into: &paths)
    case .column(let column): depth.add(column.path, to: &paths)
    case .values(let values): values.operand.collectDependencies(depth, into: &paths)
    case .pair(let pair):
      pair.left.collectDependencies(depth, into: &paths)
      pair.right.collectDependencies(depth, into: &paths)
    }
  }
}

extension Quantifier {
  /// Whether a test holds for any, all or none of an operand's values: of no values all and none do.
  ///
  /// Where each of many owners has values of its own, any owner's are enough.
  func holds(_ operand: Operand, _ scope: Scope, _ test: (Value) -> Bool) -> Bool {
    guard self == .any else {
      return operand.anyGroup(scope) { operand, scope in
        holdsInGroup(operand, scope, test)
      }
    }
    return holdsInGroup(operand, scope, test)
  }

  /// The same of the values of one owner.
  fileprivate func holdsInGroup(
    _ operand: Operand, _ scope: Scope, _ test: (Value) -> Bool
  ) -> Bool {
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

extension PairCondition {
  func matches(_ scope: Scope) -> Bool {
    switch quantifiers {
    case .inOrder:
      return left.anyGroup(scope) { left, leftScope in
        right.anyGroup(scope) { right, rightScope in
          relation.holds(
            inOrder: left.values(leftScope), right.values(rightScope), foldsCase: foldsCase)
        }
      }
    case .each(let leftQuantifier, let rightQuantifier):
      guard left.isCollection || right.isCollection else {
        return relation.holds(left.value(scope), right.value(scope), foldsCase: foldsCase)
      }
      return left.anyGroup(scope) { left, leftScope in
        right.anyGroup(scope) { right, rightScope in
          leftQuantifier.holdsInGroup(left, leftScope) { leftValue in
            rightQuantifier.holdsInGroup(right, rightScope) { rightValue in
              relation.holds(leftValue, rightValue, foldsCase: foldsCase)
            }
          }
        }
      }
    }
  }

  /// The answer where both sides are constants.
  func compareConstants() -> Bool {
    switch quantifiers {
    case .inOrder:
      return relation.holds(
        inOrder: left.constantValues, right.constantValues, foldsCase: foldsCase)
    case .each(let leftQuantifier, let rightQuantifier):
      return leftQuantifier.holds(left.constantValues) { leftValue in
        rightQuantifier.holds(right.constantValues) { rightValue in
          relation.holds(leftValue, rightValue, foldsCase: foldsCase)
        }
      }
    }
  }
}
