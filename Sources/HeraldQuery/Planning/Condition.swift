import HeraldModel

/// A condition bound to a schema, with its conjuncts and alternatives in order of cost.
indirect enum Condition: Sendable {
  case constant(Bool)
  case all([Condition])
  case any([Condition])
  case not(Condition)
  /// A comparison of a single-valued property of the object itself with a constant.
  case column(ColumnCondition)
  /// A comparison of any operand with a constant.
  case values(ValuesCondition)
  /// A comparison of two operands.
  case pair(PairCondition)
  /// A Swift function, for queries that are not parsed from text.
  case function(@Sendable (ObjectNumber, any ObjectReader) -> Bool)
}

struct ColumnCondition: Sendable {
  let classID: ClassID
  let property: PropertyID
  var test: ColumnTest
  var wording = ConditionSource()
}

/// The source of a condition, for `explain`: its syntax or, of a query that is kept for long, its text.
struct ConditionSource: Sendable {
  private enum Form {
    case syntax([PredicateSyntax])
    case text(String, saysNone: Bool)
    /// The text of a shape, with bounds of a query of its.
    case bounds(ShapeText, lower: Int, upper: Int)
  }

  private var form: Form

  init(_ parts: [PredicateSyntax] = []) { form = .syntax(parts) }

  init(text: String) { form = .text(text, saysNone: false) }

  init(of text: ShapeText, _ lower: Int, _ upper: Int) {
    form = .bounds(text, lower: lower, upper: upper)
  }

  /// The same as text, which takes a tenth of the memory.
  var compacted: ConditionSource {
    guard case .syntax = form else { return self }
    var source = self
    source.form = .text(text, saysNone: saysNone)
    return source
  }

  mutating func append(_ other: ConditionSource) {
    if case .syntax(let parts) = form, case .syntax(let more) = other.form {
      form = .syntax(parts + more)
    } else {
      form = .text([text, other.text].joined(separator: " AND "), saysNone: false)
    }
  }

  var text: String {
    switch form {
    case .syntax(let parts): parts.map(\.description).joined(separator: " AND ")
    case .text(let text, _): text
    case .bounds(let text, let lower, let upper): text.text(lower, upper)
    }
  }

  /// Whether it is one comparison with the quantifier `NONE`.
  var saysNone: Bool {
    switch form {
    case .syntax(let parts):
      guard parts.count == 1, case .comparison(let comparison) = parts[0].kind else { return false }
      return [comparison.left.quantifier, comparison.right.quantifier].contains(Quantifier.none)
    case .text(_, let saysNone): return saysNone
    case .bounds: return false
    }
  }
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
  /// The values one of which an `any` must equal, if the test is equality.
  var lookup: [Value]?
  var wording = ConditionSource()
}

struct PairCondition: Sendable {
  let left: Operand
  let relation: Relation
  let foldsCase: Bool
  let right: Operand
  let quantifiers: Quantifiers
  var wording = ConditionSource()

  enum Quantifiers: Sendable {
    case each(left: Quantifier, right: Quantifier)
    /// Two whole collections, element by element.
    case inOrder
  }
}

extension Condition {
  func matches(_ scope: EvaluationScope) -> Bool {
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

  /// The same for an object of which other conditions have read values at the reader's version.
  func matches(_ root: ObjectID, _ reader: any ObjectReader, _ known: KnownValues) -> Bool {
    switch self {
    case .column(let column):
      return column.test.accepts(known.value(column.property, of: root, reader))
    case .constant(let value): return value
    case .all(let parts):
      for part in parts where !part.matches(root, reader, known) { return false }
      return true
    case .any(let parts):
      for part in parts where part.matches(root, reader, known) { return true }
      return false
    case .not(let inner): return !inner.matches(root, reader, known)
    case .values, .pair, .function:
      return matches(EvaluationScope(reader: reader, root: root))
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
  /// Returns whether a test holds for any, all or none of an operand's values. For no values, `all` and
  /// `none` hold.
  ///
  /// If each of several owners has values of its own, those of any owner are enough.
  func holds(_ operand: Operand, _ scope: EvaluationScope, _ test: (Value) -> Bool) -> Bool {
    guard self == .any else {
      return operand.anyGroup(scope) { operand, scope in
        holdsInGroup(operand, scope, test)
      }
    }
    return holdsInGroup(operand, scope, test)
  }

  /// Like `holds`, for the values of one owner.
  fileprivate func holdsInGroup(
    _ operand: Operand, _ scope: EvaluationScope, _ test: (Value) -> Bool
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
  func matches(_ scope: EvaluationScope) -> Bool {
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

  /// Returns the result for two constant sides.
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
