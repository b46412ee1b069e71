import Herald

// A path in a nested list or map of a stored object is found step by step, in O(steps · log n): what its
// value contains besides is not read.

extension Context {
  /// The target of a path that leads into a nested list or map; nil for other paths, and where a step
  /// leads nowhere, which `target` reports.
  func nestedTarget(of path: PathSyntax, from start: Resolved) throws -> AssignmentTarget? {
    var reached = start
    for (number, step) in path.steps.dropLast().enumerated() {
      if let holder = try? holder(step, of: reached, path.span),
        try nested(holder, []) != nil
      {
        return try target(in: holder, path.steps[(number + 1)...])
      }
      guard let next = try? take(step, from: reached, path.span) else { return nil }
      reached = next
    }
    return nil
  }

  private func target(
    in holder: AssignmentTarget.Holder, _ steps: ArraySlice<PathSyntax.Step>
  ) throws -> AssignmentTarget? {
    var target = AssignmentTarget(holder: holder)
    for step in steps {
      guard let collection = try nested(holder, target.nestedSteps[...]) else { return nil }
      let nestedStep: AssignmentTarget.NestedStep
      switch (step.targetStep, collection.isMap) {
      case (.property(let name), true):
        nestedStep = AssignmentTarget.NestedStep(step: .key(name.text), span: name.span)
      case (.subscript(let index), true):
        nestedStep = AssignmentTarget.NestedStep(step: .key(try key(index)), span: index.span)
      case (.subscript(let index), false):
        nestedStep = AssignmentTarget.NestedStep(step: .row(try row(index)), span: index.span)
      case (.property, false): return nil
      }
      target.nestedSteps.append(nestedStep)
    }
    return target
  }

  /// The value at a target in a nested list or map of a stored object; nil if there is none.
  func nestedElement(_ target: AssignmentTarget) throws -> Value? {
    guard let last = target.nestedSteps.last,
      let collection = try nested(target.holder, target.nestedSteps.dropLast())
    else { return nil }
    switch last.step {
    case .row(let row): return collection.isMap ? nil : try? collection[row]
    case .key(let key): return collection.value(forKey: key)
    }
  }
}
