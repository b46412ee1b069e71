import Herald

extension Interpreter {
  /// The list or the map inside an `any` that a place leads to; nil where it is none, or not in a
  /// store.
  func nested(_ place: Place, _ context: Context) throws -> NestedCollection? {
    guard !place.steps.isEmpty, newObject(place, context) == nil else { return nil }
    return try nested(try target(of: place, context))
  }

  private func nested(
    _ holder: AssignmentTarget.Holder, _ inside: some Sequence<AssignmentTarget.Inside>
  ) throws -> NestedCollection? {
    var path = inside.map { inside -> ValueStep in
      switch inside.step {
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
    try nested(target.holder, target.inside)
  }

  /// Does `operation` with the list or the map whose element a target is; false where it is none.
  func changeNested(
    _ target: AssignmentTarget, _ context: Context,
    _ operation: (NestedCollection, AssignmentTarget.Inside.Step) throws -> Void
  ) throws -> Bool {
    guard let last = target.inside.last,
      let parent = try nested(target.holder, target.inside.dropLast()), last.step.fits(parent)
    else { return false }
    try at(last.span, context) { try operation(parent, last.step) }
    return true
  }

  /// What may stand in an `any`.
  func anyValues(_ expressions: [Expression], _ context: Context) throws -> [Value] {
    try expressions.map { try value($0, as: .any, context) }
  }
}

extension AssignmentTarget.Inside.Step {
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
  /// For complaints: what it is.
  var kind: String { isMap ? "a map" : "a list" }

  /// The value as a variable holds it.
  var variable: Variable { value.map { .value($0) } ?? .value(.null) }
}
