import HeraldModel

/// One side of a comparison, bound to a schema.
struct Operand: Sendable {
  indirect enum Kind: Sendable {
    case constant(Value)
    case constants([Value])
    case path(OperandPath)
    /// How many values a path leads to.
    case count(OperandPath)
    /// What there is to say of each value of a path.
    case measure(ValueMeasure, OperandPath)
    /// `@min @max @sum @avg` over the values of a path, which are of one type.
    case aggregate(CollectionOperation, OperandPath, of: ElementType)
    /// An operand of each object that a path leads to.
    case each(OperandPath, Operand)
    /// Operators from left to right; of the operands at most one is a collection.
    case arithmetic(Operand, [Term])
    /// How many objects of a path match a condition about them.
    case subquery(OperandPath, Condition)
  }

  /// What an operator puts to all that stands before it.
  struct Term: Sendable {
    let operation: Arithmetic
    let operand: Operand
  }

  let kind: Kind
  /// Whether there can be any number of values, so that `ANY`, `ALL` and `NONE` make sense.
  let isCollection: Bool
}

extension Operand {
  /// The value of an operand that is no collection.
  func value(_ scope: Scope) -> Value {
    switch kind {
    case .constant(let value): return value
    case .path(let path): return path.value(scope)
    case .count(let path): return .int(path.count(scope))
    case .measure(let measure, let path): return measure.apply(to: path.value(scope))
    case .aggregate(let operation, let path, let element):
      return operation.apply(to: path, of: element, scope)
    case .arithmetic(let first, let terms):
      return terms.reduce(first.value(scope)) { $1.operation.apply($0, $1.operand.value(scope)) }
    case .subquery(let path, let condition):
      var count = 0
      _ = path.forEachValue(scope) { value in
        if case .link(let object) = value, condition.matches(scope.entering(object)) { count += 1 }
        return !scope.reader.isInterrupted
      }
      return .int(count)
    case .constants, .each:
      var result = Value.null
      _ = forEachValue(scope) { value in
        result = value
        return false
      }
      return result
    }
  }

  /// Calls `body` with every value until it answers false; answers whether all were seen.
  func forEachValue(_ scope: Scope, _ body: (Value) -> Bool) -> Bool {
    switch kind {
    case .constants(let values): return values.allSatisfy(body)
    case .path(let path): return path.forEachValue(scope, body)
    case .measure(let measure, let path) where isCollection:
      return path.forEachValue(scope) { body(measure.apply(to: $0)) }
    case .each(let owners, let operand):
      return owners.forEachValue(scope) { owner in
        guard case .link(let object) = owner else { return true }
        return operand.forEachValue(scope.at(object), body)
      }
    case .arithmetic(let first, let terms) where isCollection:
      return spread(first, terms, scope, body)
    case .constant, .count, .measure, .aggregate, .arithmetic, .subquery: return body(value(scope))
    }
  }

  /// Whether something holds of the values of any owner, where each of many has its own, else of all
  /// the values; where there is no owner, of no values.
  func anyGroup(_ scope: Scope, _ body: (Operand, Scope) -> Bool) -> Bool {
    guard case .each(let owners, let operand) = kind, operand.isOfGroup else {
      return body(self, scope)
    }
    var hasOwner = false
    let isSeen = owners.forEachValue(scope) { owner in
      guard case .link(let object) = owner else { return true }
      hasOwner = true
      return !body(operand, scope.at(object))
    }
    return hasOwner ? !isSeen : body(.constants([]), scope)
  }

  /// Whether the values belong together, as those of one list do; a count of each list does not.
  private var isOfGroup: Bool {
    switch kind {
    case .path, .measure: true
    case .constant, .constants, .count, .aggregate, .each, .arithmetic, .subquery: false
    }
  }

  func values(_ scope: Scope) -> [Value] {
    var values: [Value] = []
    _ = forEachValue(scope) { value in
      values.append(value)
      return !scope.reader.isInterrupted
    }
    return values
  }

  /// Every path whose changes can change the values, from the object that is asked about.
  ///
  /// Paths of a SUBQUERY's condition start at its elements, hence the paths that lead there.
  func collectDependencies(_ depth: DependencyScope, into paths: inout [PropertyPath]) {
    switch kind {
    case .constant, .constants: break
    case .path(let path), .count(let path), .measure(_, let path), .aggregate(_, let path, _):
      depth.add(path, to: &paths)
    case .each(let owners, let operand):
      depth.add(owners, to: &paths)
      operand.collectDependencies(depth.at(owners), into: &paths)
    case .arithmetic(let first, let terms):
      first.collectDependencies(depth, into: &paths)
      for term in terms { term.operand.collectDependencies(depth, into: &paths) }
    case .subquery(let path, let condition):
      depth.add(path, to: &paths)
      condition.collectDependencies(depth.entering(path), into: &paths)
    }
  }

  /// Whether the values are the same whatever object is asked about.
  var isFixed: Bool {
    switch kind {
    case .constant, .constants: true
    case .path(let path), .count(let path), .measure(_, let path), .aggregate(_, let path, _),
      .each(let path, _):
      path.isFixed
    case .arithmetic(let first, let terms):
      first.isFixed && terms.allSatisfy { $0.operand.isFixed }
    // Its condition may read the object that the question is about.
    case .subquery: false
    }
  }
}
