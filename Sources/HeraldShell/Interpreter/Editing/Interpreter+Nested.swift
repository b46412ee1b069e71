import Herald

extension Interpreter {
  /// The nested list or map in an `any` at a place; nil if there is none, or it is not in a store.
  func nested(_ place: PathExpression, _ context: Context) throws -> NestedCollection? {
    guard !place.steps.isEmpty, newObject(place, context) == nil else { return nil }
    return try nested(try target(of: place, context))
  }

  private func nested(
    _ holder: AssignmentTarget.Holder, _ steps: some Sequence<AssignmentTarget.NestedStep>
  ) throws -> NestedCollection? {
    var path = steps.map { step -> ValueStep in
      switch step.step {
      case .row(let row): .row(row)
      case .key(let key): .key(key)
      }
    }
    switch holder {
    case .property(let object, let name): return object.nestedIfAny(name.text, path)
    case .row(let list, let row, _):
      path.insert(.row(row), at: 0)
      return list.owner.nestedIfAny(list.property.name, path)
    case .key(let map, let key):
      path.insert(.key(key), at: 0)
      return map.owner.nestedIfAny(map.property.name, path)
    case .newProperty, .projected: return nil
    }
  }

  func nested(_ target: AssignmentTarget) throws -> NestedCollection? {
    try nested(target.holder, target.nestedSteps)
  }

  /// Calls `operation` with the nested list or map of a target; returns false if there is none.
  func changeNested(
    _ target: AssignmentTarget, _ context: Context,
    _ operation: (NestedCollection, AssignmentTarget.NestedStep.Step) throws -> Void
  ) throws -> Bool {
    guard let last = target.nestedSteps.last,
      let parent = try nested(target.holder, target.nestedSteps.dropLast()), last.step.fits(parent)
    else { return false }
    try at(last.span, context) { try operation(parent, last.step) }
    return true
  }

  /// The type of values in an `any`.
  func anyValues(_ expressions: [Expression], _ context: Context) throws -> [Value] {
    try expressions.map { try value($0, as: .any, context) }
  }
}

extension AssignmentTarget.NestedStep.Step {
  fileprivate func fits(_ parent: NestedCollection) -> Bool {
    switch self {
    case .row: !parent.isMap
    case .key: parent.isMap
    }
  }
}

extension Object {
  fileprivate func nestedIfAny(_ property: String, _ path: [ValueStep]) -> NestedCollection? {
    try? nested(property, path)
  }
}

extension NestedCollection {
  /// The kind of the collection in messages.
  var kind: String { isMap ? "a map" : "a list" }

  /// The value as a variable holds it.
  var variable: Variable { value.map { .value($0) } ?? .value(.null) }
}
