import HeraldModel
import HeraldQuery

@testable import TestModel

/// A second evaluator, obvious and slow: it walks the written tree for each object and knows neither
/// columns nor plans nor bound operands.
struct QueryTwin {
  let store: ModelReader
  let variables: [String: QueryOperand]

  struct Frame {
    var object: ObjectID
    var bound: [String: ObjectID] = [:]
  }

  func rows(_ predicate: PredicateSyntax?, of classID: ClassID) -> [ObjectNumber] {
    store.numbers(of: classID).filter { number in
      predicate.map { holds($0, Frame(object: ObjectID(classID, number))) } ?? true
    }
  }

  func holds(_ predicate: PredicateSyntax, _ frame: Frame) -> Bool {
    switch predicate.kind {
    case .constant(let value): return value
    case .not(let inner): return !holds(inner, frame)
    case .and(let parts): return parts.allSatisfy { holds($0, frame) }
    case .or(let parts): return parts.contains { holds($0, frame) }
    case .between(let value, let range):
      let bounds = values(range, frame).all.map { adapted($0, for: value, frame.object) }
      return values(value, frame).groups.contains { group in
        quantified(value.quantifier ?? .any, group) {
          compare($0, .greaterOrEqual, bounds[0], false)
            && compare($0, .lessOrEqual, bounds[1], false)
        }
      }
    case .comparison(let comparison): return holds(comparison, frame)
    }
  }

  func holds(_ comparison: PredicateSyntax.Comparison, _ frame: Frame) -> Bool {
    let (left, right) = (values(comparison.left, frame), values(comparison.right, frame))
    let isPlain = comparison.left.quantifier == nil && comparison.right.quantifier == nil
    if comparison.relation.rawValue.first!.isLetter, comparison.relation != .like,
      comparison.left.isNil
    {
      return false
    }
    return left.groups.contains { leftGroup in
      let a = leftGroup.map { adapted($0, comparison.left, for: comparison.right, frame.object) }
      return right.groups.contains { rightGroup in
        let b = rightGroup.map {
          adapted($0, comparison.right, for: comparison.left, frame.object)
        }
        if left.isMany, right.isMany, isPlain {
          return inOrder(a, comparison.relation, b, comparison.foldsCase)
        }
        return quantified(comparison.left.quantifier ?? .any, a) { x in
          quantified(comparison.right.quantifier ?? .any, b) { y in
            compare(x, comparison.relation, y, comparison.foldsCase)
          }
        }
      }
    }
  }

  func inOrder(_ a: [Value], _ relation: Relation, _ b: [Value], _ folds: Bool) -> Bool {
    if relation == .notEqual { return !inOrder(a, .equal, b, folds) }
    return a.count == b.count && zip(a, b).allSatisfy { compare($0, relation, $1, folds) }
  }

  func quantified(
    _ quantifier: Quantifier, _ values: [Value], _ test: (Value) -> Bool
  ) -> Bool {
    switch quantifier {
    case .any: values.contains(where: test)
    case .all: values.allSatisfy(test)
    case .none: !values.contains(where: test)
    }
  }

  // MARK: Values

  /// The values of one list for each of many owners, or all of them together.
  struct Values {
    var groups: [[Value]]
    var isMany: Bool
    var all: [Value] { groups.flatMap { $0 } }

    init(_ all: [Value], _ isMany: Bool) {
      groups = [all]
      self.isMany = isMany
    }
  }

  func values(_ expression: ExpressionSyntax, _ frame: Frame) -> Values {
    switch expression.kind {
    case .literal(let value): return Values([value], false)
    case .list(let elements): return Values(elements.flatMap { values($0, frame).all }, true)
    case .path(let path): return walk(path, frame)
    case .arithmetic(let first, let terms):
      return terms.reduce(values(first, frame)) { a, term in
        let b = values(term.operand, frame)
        let results = a.all.flatMap { x in b.all.map { y in arithmetic(x, term.operation, y) } }
        return Values(results, a.isMany || b.isMany)
      }
    case .subquery(let path, let variable, let predicate):
      var inner = frame
      let count = walk(path, frame).all.count { value in
        guard case .link(let object) = value else { return false }
        inner.object = object
        inner.bound[variable] = object
        return holds(predicate, inner)
      }
      return Values([.int(count)], false)
    case .record, .generated, .query, .test, .projection: return Values([], false)
    }
  }

  func arithmetic(_ a: Value, _ operation: Arithmetic, _ b: Value) -> Value {
    if case .int(let x) = a, case .int(let y) = b {
      switch operation {
      case .plus: return .int(x + y)
      case .minus: return .int(x - y)
      case .times: return .int(x * y)
      case .divided: if y != 0 { return .int(x / y) }
      }
    }
    guard let x = double(a), let y = double(b) else { return .null }
    switch operation {
    case .plus: return .double(x + y)
    case .minus: return .double(x - y)
    case .times: return .double(x * y)
    case .divided: return .double(x / y)
    }
  }

  func double(_ value: Value) -> Double? {
    switch value {
    case .int(let value): Double(value)
    case .float(let value): Double(value)
    case .double(let value): value
    case .decimal(let value): Double(value)
    default: nil
    }
  }
}

extension ExpressionSyntax {
  fileprivate var isNil: Bool { if case .literal(.null) = kind { true } else { false } }
}
