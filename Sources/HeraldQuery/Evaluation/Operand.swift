import HeraldModel

/// One side of a comparison, bound to a schema.
struct Operand: Sendable {
  indirect enum Kind: Sendable {
    case constant(Value)
    case constants([Value])
    case path(OperandPath)
    /// The number of values of a path.
    case count(OperandPath)
    /// A measure of each value of a path.
    case measure(ValueMeasure, OperandPath)
    /// `@min @max @sum @avg` over the values of a path, all of one type.
    case aggregate(CollectionOperation, OperandPath, of: ElementType)
    /// An operand evaluated for each object of a path.
    case each(OperandPath, Operand)
    /// Operators from left to right; at most one operand is a collection.
    case arithmetic(Operand, [Term])
    /// A function of each value of an operand, and of other arguments.
    case call(ValueFunction, Operand, [Operand])
    /// The first, or where that is nil the second.
    case fallback(Operand, Operand)
    /// The number of objects of a path that match a condition.
    case subquery(OperandPath, Condition)
  }

  /// An operator and its right operand; the left operand is everything before it.
  struct Term: Sendable {
    let operation: Arithmetic
    let operand: Operand
  }

  let kind: Kind
  /// Whether there can be any number of values, so that `ANY`, `ALL` and `NONE` apply.
  let isCollection: Bool
}

extension Operand {
  /// Returns the value of an operand that is not a collection.
  func value(_ scope: EvaluationScope) -> Value {
    switch kind {
    case .constant(let value): return value
    case .path(let path): return path.value(scope)
    case .count(let path): return .int(path.count(scope))
    case .measure(let measure, let path): return measure.apply(to: path.value(scope))
    case .aggregate(let operation, let path, let element):
      return operation.apply(to: path, of: element, scope)
    case .arithmetic(let first, let terms):
      return terms.reduce(first.value(scope)) { $1.operation.apply($0, $1.operand.value(scope)) }
    case .call(let function, let inner, let rest):
      return function.apply(to: inner.value(scope), rest.map { $0.value(scope) })
    case .fallback(let first, let other):
      let value = first.value(scope)
      return value.isNull ? other.value(scope) : value
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

  /// Calls `body` with every value until it returns false; returns whether all were visited.
  // It is dynamic because it calls itself with closures around `body`: the optimizer would otherwise make a copy of it
  // for each nesting of each caller's closure, which took half of the time to build this target.
  dynamic func forEachValue(_ scope: EvaluationScope, _ body: (Value) -> Bool) -> Bool {
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
    case .call(let function, let inner, let rest) where isCollection:
      let values = rest.map { $0.value(scope) }
      return inner.forEachValue(scope) { body(function.apply(to: $0, values)) }
    case .constant, .count, .measure, .aggregate, .arithmetic, .call, .fallback, .subquery:
      return body(value(scope))
    }
  }

  /// Returns whether `body` holds for the values of any owner, if each owner has values of its own, else
  /// for all values. Without an owner it is called with no values.
  func anyGroup(_ scope: EvaluationScope, _ body: (Operand, EvaluationScope) -> Bool) -> Bool {
    guard case .each(let owners, let operand) = kind, operand.isOfGroup else {
      return body(self, scope)
    }
    var hasOwner = false
    let isComplete = owners.forEachValue(scope) { owner in
      guard case .link(let object) = owner else { return true }
      hasOwner = true
      return !body(operand, scope.at(object))
    }
    return hasOwner ? !isComplete : body(.constants([]), scope)
  }

  /// Whether the values of one owner form a group, as those of one list do; a count is a single value.
  private var isOfGroup: Bool {
    switch kind {
    case .path, .measure: true
    case .constant, .constants, .count, .aggregate, .each, .arithmetic, .call, .fallback, .subquery:
      false
    }
  }

  func values(_ scope: EvaluationScope) -> [Value] {
    var values: [Value] = []
    _ = forEachValue(scope) { value in
      values.append(value)
      return !scope.reader.isInterrupted
    }
    return values
  }

  /// Adds every path whose changes can change the values, starting at the object under evaluation.
  ///
  /// The paths of a SUBQUERY's condition start at its elements, so the path to these is prepended.
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
    case .call(_, let inner, let rest):
      for part in [inner] + rest { part.collectDependencies(depth, into: &paths) }
    case .fallback(let first, let other):
      first.collectDependencies(depth, into: &paths)
      other.collectDependencies(depth, into: &paths)
    case .subquery(let path, let condition):
      depth.add(path, to: &paths)
      condition.collectDependencies(depth.entering(path), into: &paths)
    }
  }

  /// Whether the values do not depend on the object under evaluation.
  var isFixed: Bool {
    switch kind {
    case .constant, .constants: true
    case .path(let path), .count(let path), .measure(_, let path), .aggregate(_, let path, _),
      .each(let path, _):
      path.isFixed
    case .arithmetic(let first, let terms):
      first.isFixed && terms.allSatisfy { $0.operand.isFixed }
    case .call(_, let inner, let rest): inner.isFixed && rest.allSatisfy(\.isFixed)
    case .fallback(let first, let other): first.isFixed && other.isFixed
    // Its condition may read the object under evaluation.
    case .subquery: false
    }
  }
}
