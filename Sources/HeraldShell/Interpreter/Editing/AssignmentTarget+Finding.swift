import Herald

// A path in a nested list or map of a stored object is found step by step, in O(steps · log n): what its
// value contains besides is not read.

extension AssignmentTarget {
  /// The target of the last step of a path.
  static func at(_ path: PathSyntax, _ context: Context) throws -> AssignmentTarget {
    var reached = try context.resolve(startOf: path)
    if let target = try nestedTarget(of: path, from: reached, context) { return target }
    var target: AssignmentTarget?
    var end = max(path.span.start, (path.steps.first?.span.start ?? path.span.end) - 1)
    for (number, step) in path.steps.enumerated() {
      let before = SourceSpan(start: path.span.start, end: end)
      let isLast = number == path.steps.count - 1
      let next = isLast ? .value(.null) : try context.take(step, from: reached, before)
      if reached.hasElements {
        target?.nestedSteps.append(try nestedStep(step, of: reached, context))
      } else if isLast || next.hasElements {
        target = AssignmentTarget(holder: try Holder.holder(step, of: reached, before, context))
      }
      reached = next
      end = step.span.end
    }
    if let target { return target }
    throw context.failure(.notAssignable(context.source.text(path.span)), at: path.span)
  }

  private static func nestedStep(
    _ step: PathSyntax.Step, of owner: Resolved, _ context: Context
  ) throws -> NestedStep {
    switch (step.targetStep, owner) {
    case (.property(let name), .value(.map)):
      return NestedStep(step: .key(name.text), span: name.span)
    case (.subscript(let index), .value(.map)):
      return NestedStep(step: .key(try context.key(index)), span: index.span)
    case (.subscript(let index), _):
      return NestedStep(step: .row(try context.row(index)), span: index.span)
    case (.property(let name), _):
      throw context.failure(.noPath(name.text, found: owner.kind), at: name.span)
    }
  }

  /// nil if the property does not exist, which the store then reports.
  func type(_ context: Context) throws -> PropertyType? {
    let type: PropertyType?
    switch holder {
    case .property(let object, let name):
      type = try object.classSchema.property(named: name.text)?.type
    case .newProperty(let object, let name):
      let classSchema = try context.store.schema.classSchema(named: object.className)
      type = classSchema?.property(named: name.text)?.type
    case .projected(let projection, let name): type = try projection.type(of: name.text)
    case .row(let collection, _, _), .key(let collection, _, _):
      type = PropertyType(collection.property.type.element)
    }
    guard !nestedSteps.isEmpty, let type else { return type }
    // A list of an object that is not in a store has elements of its type; values in an any are any.
    return PropertyType(type.isCollection && nestedSteps.count == 1 ? type.element : .any)
  }

  /// The element that a target names; nil if it names a property. Errors: `notAssignable` for a row of a map
  /// or a key of a list.
  func element(_ context: Context) throws -> TargetElement? {
    guard let last = nestedSteps.last else {
      switch holder {
      case .row(let list, let row, let span):
        return TargetElement(collection: list, step: .row(row), span: span)
      case .key(let map, let key, let span):
        return TargetElement(collection: map, step: .key(key), span: span)
      case .property, .newProperty, .projected: return nil
      }
    }
    let parent = try holder.collection(nestedSteps.dropLast(), context)
    guard parent.isMap == last.step.isKey else {
      throw context.failure(.notAssignable(context.source.text(last.span)), at: last.span)
    }
    return TargetElement(collection: parent, step: last.step, span: last.span)
  }

  /// The target of a path that leads into a nested list or map; nil for other paths, and where a step
  /// leads nowhere, which `at` reports.
  private static func nestedTarget(of path: PathSyntax, from start: Resolved, _ context: Context)
    throws -> AssignmentTarget?
  {
    var reached = start
    for (number, step) in path.steps.dropLast().enumerated() {
      if let holder = try? Holder.holder(step, of: reached, path.span, context),
        try holder.nested([]) != nil
      {
        return try target(in: holder, path.steps[(number + 1)...], context)
      }
      guard let next = try? context.take(step, from: reached, path.span) else { return nil }
      reached = next
    }
    return nil
  }

  private static func target(
    in holder: Holder, _ steps: ArraySlice<PathSyntax.Step>, _ context: Context
  ) throws -> AssignmentTarget? {
    var target = AssignmentTarget(holder: holder)
    for step in steps {
      guard let collection = try holder.nested(target.nestedSteps[...]) else { return nil }
      let nestedStep: NestedStep
      switch (step.targetStep, collection.isMap) {
      case (.property(let name), true):
        nestedStep = NestedStep(step: .key(name.text), span: name.span)
      case (.subscript(let index), true):
        nestedStep = NestedStep(step: .key(try context.key(index)), span: index.span)
      case (.subscript(let index), false):
        nestedStep = NestedStep(step: .row(try context.row(index)), span: index.span)
      case (.property, false): return nil
      }
      target.nestedSteps.append(nestedStep)
    }
    return target
  }

  /// The value at a target in a nested list or map of a stored object; nil if there is none.
  func nestedElement() throws -> Value? {
    guard let last = nestedSteps.last,
      let collection = try holder.nested(nestedSteps.dropLast())
    else { return nil }
    switch last.step {
    case .row(let row): return collection.isMap ? nil : try? collection[row]
    case .key(let key): return collection.value(forKey: key)
    }
  }
}

extension Resolved {
  /// Whether steps lead into the value itself, which is then changed as a whole.
  fileprivate var hasElements: Bool {
    switch self {
    case .values, .value(.list), .value(.map): true
    case .value, .object, .newObject, .collection, .results, .elements, .projection: false
    }
  }
}
