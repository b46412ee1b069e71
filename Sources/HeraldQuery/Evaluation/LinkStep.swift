import HeraldModel

/// The first link that a condition follows, forward or backward: its target class, and the condition
/// on the targets.
struct LinkStep {
  enum Goal {
    case objects([ObjectNumber])
    case condition(Condition)
  }
  let way: LinkAccess.Way
  let targetClass: ClassID
  let goal: Goal
  /// Whether the whole condition holds for every object that links to a matching target.
  let isExact: Bool
}

extension Condition {
  /// Returns the first link of the condition's path; nil if it has none, or if the condition may hold
  /// for an object whose link is nil.
  func linkStep(in schema: Schema) -> LinkStep? {
    switch self {
    case .column(let column): return column.linkStep(in: schema)
    case .values(let values): return values.linkStep(in: schema)
    case .constant, .all, .any, .not, .pair, .function: return nil
    }
  }
}

extension ColumnCondition {
  /// `owner == $ann`.
  fileprivate func linkStep(in schema: Schema) -> LinkStep? {
    guard let target = schema.classSchema(classID)?.property(property)?.type.target,
      let numbers = test.linkedNumbers
    else { return nil }
    return LinkStep(
      way: .back(property: property), targetClass: target, goal: .objects(numbers), isExact: true)
  }
}

extension ColumnTest {
  /// The numbers of the objects that a link must lead to; nil for any other test.
  fileprivate var linkedNumbers: [ObjectNumber]? {
    switch self {
    case .integers(let lower, let upper, inverted: false, null: false) where lower == upper: [lower]
    case .integerSet(let set, inverted: false, null: false): set.sorted()
    case .isNull, .integers, .integerSet, .doubles, .dates, .numbers, .bytesEqual, .bytesPrefix,
      .bytesRange, .bytesSet, .bytes:
      nil
    }
  }
}

extension ValuesCondition {
  fileprivate func linkStep(in schema: Schema) -> LinkStep? {
    guard case .path(let path) = operand.kind, path.startsAtRoot, quantifier == .any,
      let hop = path.hops.first, !test.accepts(.null)
    else { return nil }
    let rest = path.dropFirst
    switch hop.kind {
    case .single(let property), .elements(let property):
      guard let goal = goal(rest, schema.target(of: property, hop.classID)) else { return nil }
      return LinkStep(
        way: .back(property: property), targetClass: goal.target, goal: goal.goal, isExact: true)
    case .element(let property, _):
      guard let goal = goal(rest, schema.target(of: property, hop.classID)) else { return nil }
      return LinkStep(
        way: .back(property: property), targetClass: goal.target, goal: goal.goal, isExact: false)
    case .origins(let origin, let property):
      guard let goal = goal(rest, origin) else { return nil }
      return LinkStep(
        way: .forward(origin: origin, property: property), targetClass: origin, goal: goal.goal,
        isExact: true)
    case .entry, .keys, .part: return nil
    }
  }

  /// Returns the target class of the first link and the condition on the targets.
  private func goal(
    _ rest: OperandPath, _ target: ClassID?
  ) -> (target: ClassID, goal: LinkStep.Goal)? {
    guard let target else { return nil }
    guard let next = rest.hops.first else {
      return linkedNumbers(of: target).map { (target, .objects($0)) }
    }
    guard next.classID == target, !next.isPart else { return nil }
    return (target, .condition(retargeted(to: rest, of: target)))
  }

  /// Returns the objects that an element must be one of, if the path ends with its first link.
  private func linkedNumbers(of target: ClassID) -> [ObjectNumber]? {
    switch test {
    case .column(let test): return test.linkedNumbers
    case .relation(.equal, .link(let object), _):
      return object.classID == target ? [object.number] : []
    case .constant, .relation, .number, .type, .whole, .any, .all, .not: return nil
    }
  }

  /// Returns the same test of another path, for the objects of another class.
  func retargeted(to path: OperandPath, of classID: ClassID) -> Condition {
    if let property = path.ownColumn, case .column(let test) = test {
      return .column(
        ColumnCondition(classID: classID, property: property, test: test, wording: wording))
    }
    let isCollection = path.hops.contains(where: \.isCollection)
    return .values(
      ValuesCondition(
        operand: Operand(kind: .path(path), isCollection: isCollection), quantifier: quantifier,
        test: test, wording: wording))
  }
}

extension OperandPath {
  /// The path without its first hop.
  var dropFirst: OperandPath { OperandPath(start: .root, hops: Array(hops.dropFirst())) }
}

extension Schema {
  /// Returns the class that a property links to; nil for an `any`, which may link to several.
  func target(of property: PropertyID, _ classID: ClassID) -> ClassID? {
    classSchema(classID)?.property(property)?.type.target
  }
}
