import Herald

extension Context {
  /// `$max.age = 4`, `$max.age += 1`, `$p.dogs[1] = $b`, `$p.scores["a"] = 3`.
  func assign(_ path: PathSyntax, _ sign: AssignmentSign, _ expression: ExpressionSyntax) throws {
    if sign != .set, let name = path.variable {
      return try assign(name, path, sign, expression)
    }
    guard !path.steps.isEmpty else {
      throw ShellError(.notAssignable(source.text(path.span)), source, path.span)
    }
    try changeUnlessNew(path) {
      let target = try target(of: path)
      guard case .newProperty = target.holder else {
        return try giving(.added).assign(path, target, sign, expression)
      }
      try givingNew { inner in
        try inner.assign(path, target, sign, expression)
      }
    }
    confirm(.changed, 1) { "changed" }
  }

  private func assign(
    _ path: PathSyntax, _ target: AssignmentTarget, _ sign: AssignmentSign,
    _ expression: ExpressionSyntax
  ) throws {
    let content = try changed(path, target, sign, expression)
    guard let element = try element(of: target) else {
      return try at(target.holder.nameSpan ?? path.span, giving: [expression]) {
        try target.holder.assign(content)
      }
    }
    let value = try single(content, expression, isNested: !target.nestedSteps.isEmpty)
    try at(element.span, giving: [expression]) {
      switch element.step {
      case .row(let row): try element.collection.replace(at: row, with: value)
      case .key(let key): try element.collection.set(key, to: value)
      }
    }
  }

  /// Calls `body` in a transaction, unless the object is not in a store, which needs none.
  func changeUnlessNew(_ path: PathSyntax, _ body: () throws -> Void) throws {
    if newObject(path) != nil { return try body() }
    try change { _ in try body() }
  }

  /// The object at the beginning of a path, while it is not in a store.
  func newObject(_ path: PathSyntax) -> NewObject? {
    guard case .variable(let name) = path.start,
      case .newObject(let new)? = locals[name] ?? shell.variables[name],
      new.added == nil
    else { return nil }
    return new
  }

  private func changed(
    _ path: PathSyntax, _ target: AssignmentTarget, _ sign: AssignmentSign,
    _ expression: ExpressionSyntax
  ) throws -> PropertyContent {
    if sign == .set {
      return try content(expression, for: type(of: target))
    }
    let current = ExpressionSyntax(.path(path), path.span)
    let old = try nestedElement(target) ?? value(current)
    return .value(try changed(old, path, sign, expression))
  }

  /// `$x += 1`
  private func assign(
    _ name: String, _ path: PathSyntax, _ sign: AssignmentSign, _ expression: ExpressionSyntax
  ) throws {
    let old = try value(ExpressionSyntax(.path(path), path.span))
    let new = try changed(old, path, sign, expression)
    try bind(Name(text: name, span: path.span), .value(new))
  }

  private func changed(
    _ old: Value, _ path: PathSyntax, _ sign: AssignmentSign, _ expression: ExpressionSyntax
  ) throws -> Value {
    let by = try value(expression)
    if let value = sign.value(old, by) { return value }
    let name = source.text(path.span)
    if case .null = old { throw ShellError(.nilNumber(name), source, path.span) }
    if case (.int, .int) = (old, by) {
      if sign == .divide, by == .int(0) {
        throw ShellError(.divisionByZero, source, expression.span)
      }
      throw ShellError(.overflow, source, expression.span)
    }
    throw ShellError(.notNumbers(name), source, expression.span)
  }
}

// MARK: Targets

extension Context {
  /// The target of the last step of a path.
  func target(of path: PathSyntax) throws -> AssignmentTarget {
    var reached = try resolve(startOf: path)
    if let target = try nestedTarget(of: path, from: reached) { return target }
    var target: AssignmentTarget?
    var end = max(path.span.start, (path.steps.first?.span.start ?? path.span.end) - 1)
    for (number, step) in path.steps.enumerated() {
      let before = SourceSpan(start: path.span.start, end: end)
      let isLast = number == path.steps.count - 1
      let next = isLast ? .value(.null) : try take(step, from: reached, before)
      if reached.hasElements {
        target?.nestedSteps.append(try nestedStep(step, of: reached))
      } else if isLast || next.hasElements {
        target = AssignmentTarget(holder: try holder(step, of: reached, before))
      }
      reached = next
      end = step.span.end
    }
    if let target { return target }
    throw ShellError(.notAssignable(source.text(path.span)), source, path.span)
  }

  func holder(
    _ step: PathSyntax.Step, of owner: Resolved, _ span: SourceSpan
  ) throws -> AssignmentTarget.Holder {
    switch (step.targetStep, owner) {
    case (.property(let name), .object(let object)): return .property(object, name)
    case (.property(let name), .newObject(let object)): return .newProperty(object, name)
    case (.property(let name), .projection(let projection)): return .projected(projection, name)
    case (.property(let name), .collection(let map)) where map.isMap:
      return .key(map, name.text, name.span)
    case (.subscript(let key), .collection(let map)) where map.isMap:
      return .key(map, try self.key(key), key.span)
    case (.subscript, .collection(let set)) where set.property.type.shape == .set:
      let text = source.text(span)
      throw ShellError(.wrongCollection(text, found: set.kind, wanted: "a list"), source, span)
    case (.subscript(let row), .collection(let list)):
      return .row(list, try self.row(row), row.span)
    case (_, .value(.null)):
      throw ShellError(.nilLink(source.text(span)), source, span)
    case (.property, _):
      throw ShellError(.noPath(source.text(span), found: owner.kind), source, span)
    case (.subscript, _):
      let whole = SourceSpan(start: span.start, end: step.span.end + 1)
      throw ShellError(.notAssignable(source.text(whole)), source, whole)
    }
  }

  private func nestedStep(
    _ step: PathSyntax.Step, of owner: Resolved
  ) throws -> AssignmentTarget.NestedStep {
    switch (step.targetStep, owner) {
    case (.property(let name), .value(.map)):
      return AssignmentTarget.NestedStep(step: .key(name.text), span: name.span)
    case (.subscript(let index), .value(.map)):
      return AssignmentTarget.NestedStep(step: .key(try key(index)), span: index.span)
    case (.subscript(let index), _):
      return AssignmentTarget.NestedStep(step: .row(try row(index)), span: index.span)
    case (.property(let name), _):
      throw ShellError(.noPath(name.text, found: owner.kind), source, name.span)
    }
  }

  /// nil if the property does not exist, which the store then reports.
  private func type(of target: AssignmentTarget) throws -> PropertyType? {
    let type: PropertyType?
    switch target.holder {
    case .property(let object, let name):
      type = try object.classSchema.property(named: name.text)?.type
    case .newProperty(let object, let name):
      let classSchema = try store.schema.classSchema(named: object.className)
      type = classSchema?.property(named: name.text)?.type
    case .projected(let projection, let name): type = try projection.type(of: name.text)
    case .row(let collection, _, _), .key(let collection, _, _):
      type = PropertyType(collection.property.type.element)
    }
    guard !target.nestedSteps.isEmpty, let type else { return type }
    // A list of an object that is not in a store has elements of its type; values in an any are any.
    return PropertyType(type.isCollection && target.nestedSteps.count == 1 ? type.element : .any)
  }

  /// The value of an element: one value in a property's collection, also a list or a map in an `any`.
  private func single(
    _ content: PropertyContent, _ expression: ExpressionSyntax, isNested: Bool
  ) throws -> Value {
    guard isNested || content.shape == .single else {
      throw ShellError(.expected("a single value", found: "several"), source, expression.span)
    }
    return content.asValue
  }
}

extension AssignmentTarget.Holder {
  /// The name of the property; nil for an element.
  private var propertyName: Name? {
    switch self {
    case .property(_, let name), .newProperty(_, let name), .projected(_, let name): name
    case .row, .key: nil
    }
  }

  var nameSpan: SourceSpan? { propertyName?.span }
  var name: String { propertyName?.text ?? "" }

  var content: PropertyContent {
    get throws {
      switch self {
      case .property(let object, let name): .value(try object.value(name.text))
      case .newProperty(let object, let name): try object.content(name.text)
      case .projected(let projection, let name): .value(try projection.value(name.text))
      case .row(let list, let row, _): .value(try list[row])
      case .key(let map, let key, _): .value(map.value(forKey: key) ?? .null)
      }
    }
  }

  func assign(_ content: PropertyContent) throws {
    switch self {
    case .property(let object, let name): try object.set(name.text, to: content)
    case .newProperty(let object, let name): try object.set(name.text, to: content)
    case .projected(let projection, let name): try projection.set(name.text, to: content)
    case .row(let list, let row, _): try list.replace(at: row, with: content.asValue)
    case .key(let map, let key, _): try map.set(key, to: content.asValue)
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
