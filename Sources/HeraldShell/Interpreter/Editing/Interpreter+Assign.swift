import Herald

extension Interpreter {
  /// `$max.age = 4`, `$max.age += 1`, `$p.dogs[1] = $b`, `$p.scores["a"] = 3`.
  func assign(
    _ path: PathSyntax, _ sign: AssignmentSign, _ expression: ExpressionSyntax, _ context: Context
  ) throws {
    if sign != .set, let name = path.variable {
      return try assign(name, path, sign, expression, context)
    }
    guard !path.steps.isEmpty else {
      throw ShellError(
        .notAssignable(context.source.text(path.span)), context.source, path.span)
    }
    try changeUnlessNew(path, context) {
      let target = try target(of: path, context)
      guard case .newProperty = target.holder else {
        return try assign(path, target, sign, expression, context.giving(.added))
      }
      try givingNew(context) { try assign(path, target, sign, expression, $0) }
    }
    confirm(.changed, 1, context) { "changed" }
  }

  private func assign(
    _ path: PathSyntax, _ target: AssignmentTarget, _ sign: AssignmentSign,
    _ expression: ExpressionSyntax, _ context: Context
  ) throws {
    let content = try changed(path, target, sign, expression, context)
    guard let element = try element(of: target, context) else {
      return try at(target.holder.nameSpan ?? path.span, giving: [expression], context) {
        try target.holder.assign(content)
      }
    }
    let value = try single(content, expression, isNested: !target.nestedSteps.isEmpty, context)
    try at(element.span, giving: [expression], context) {
      switch element.step {
      case .row(let row): try element.collection.replace(at: row, with: value)
      case .key(let key): try element.collection.set(key, to: value)
      }
    }
  }

  /// Calls `body` in a transaction, unless the object is not in a store, which needs none.
  func changeUnlessNew(
    _ path: PathSyntax, _ context: Context, _ body: () throws -> Void
  ) throws {
    if newObject(path, context) != nil { return try body() }
    try change(context) { _ in try body() }
  }

  /// The object at the beginning of a path, while it is not in a store.
  func newObject(_ path: PathSyntax, _ context: Context) -> NewObject? {
    guard case .variable(let name) = path.start,
      case .newObject(let new)? = context.locals[name] ?? variables[name],
      new.added == nil
    else { return nil }
    return new
  }

  private func changed(
    _ path: PathSyntax, _ target: AssignmentTarget, _ sign: AssignmentSign,
    _ expression: ExpressionSyntax, _ context: Context
  ) throws -> PropertyContent {
    if sign == .set {
      return try content(expression, for: type(of: target, context), context)
    }
    let current = ExpressionSyntax(.path(path), path.span)
    let old = try nestedElement(target) ?? value(current, context)
    return .value(try changed(old, path, sign, expression, context))
  }

  /// `$x += 1`
  private func assign(
    _ name: String, _ path: PathSyntax, _ sign: AssignmentSign, _ expression: ExpressionSyntax,
    _ context: Context
  ) throws {
    let old = try value(ExpressionSyntax(.path(path), path.span), context)
    let new = try changed(old, path, sign, expression, context)
    try bind(Name(text: name, span: path.span), .value(new), context)
  }

  private func changed(
    _ old: Value, _ path: PathSyntax, _ sign: AssignmentSign, _ expression: ExpressionSyntax,
    _ context: Context
  ) throws -> Value {
    let by = try value(expression, context)
    if let value = sign.value(old, by) { return value }
    let name = context.source.text(path.span)
    if case .null = old { throw ShellError(.nilNumber(name), context.source, path.span) }
    if case (.int, .int) = (old, by) {
      if sign == .divide, by == .int(0) {
        throw ShellError(.divisionByZero, context.source, expression.span)
      }
      throw ShellError(.overflow, context.source, expression.span)
    }
    throw ShellError(.notNumbers(name), context.source, expression.span)
  }
}

// MARK: Targets

extension Interpreter {
  /// The target of the last step of a path.
  func target(of path: PathSyntax, _ context: Context) throws -> AssignmentTarget {
    var reached = try resolve(startOf: path, context)
    if let target = try nestedTarget(of: path, from: reached, context) { return target }
    var target: AssignmentTarget?
    var end = max(path.span.start, (path.steps.first?.span.start ?? path.span.end) - 1)
    for (number, step) in path.steps.enumerated() {
      let before = SourceSpan(start: path.span.start, end: end)
      let isLast = number == path.steps.count - 1
      let next = isLast ? .value(.null) : try take(step, from: reached, before, context)
      if reached.hasElements {
        target?.nestedSteps.append(try nestedStep(step, of: reached, context))
      } else if isLast || next.hasElements {
        target = AssignmentTarget(holder: try holder(step, of: reached, before, context))
      }
      reached = next
      end = step.span.end
    }
    if let target { return target }
    throw ShellError(.notAssignable(context.source.text(path.span)), context.source, path.span)
  }

  func holder(
    _ step: PathSyntax.Step, of owner: Resolved, _ span: SourceSpan, _ context: Context
  ) throws -> AssignmentTarget.Holder {
    switch (step.targetStep, owner) {
    case (.property(let name), .object(let object)): return .property(object, name)
    case (.property(let name), .newObject(let object)): return .newProperty(object, name)
    case (.property(let name), .projection(let projection)): return .projected(projection, name)
    case (.property(let name), .collection(let map)) where map.isMap:
      return .key(map, name.text, name.span)
    case (.subscript(let key), .collection(let map)) where map.isMap:
      return .key(map, try self.key(key, context), key.span)
    case (.subscript, .collection(let set)) where set.property.type.shape == .set:
      let text = context.source.text(span)
      throw ShellError(
        .wrongCollection(text, found: set.kind, wanted: "a list"), context.source, span)
    case (.subscript(let row), .collection(let list)):
      return .row(list, try self.row(row, context), row.span)
    case (_, .value(.null)):
      throw ShellError(.nilLink(context.source.text(span)), context.source, span)
    case (.property, _):
      throw ShellError(
        .noPath(context.source.text(span), found: owner.kind), context.source, span)
    case (.subscript, _):
      let whole = SourceSpan(start: span.start, end: step.span.end + 1)
      throw ShellError(.notAssignable(context.source.text(whole)), context.source, whole)
    }
  }

  private func nestedStep(
    _ step: PathSyntax.Step, of owner: Resolved, _ context: Context
  ) throws -> AssignmentTarget.NestedStep {
    switch (step.targetStep, owner) {
    case (.property(let name), .value(.map)):
      return AssignmentTarget.NestedStep(step: .key(name.text), span: name.span)
    case (.subscript(let index), .value(.map)):
      return AssignmentTarget.NestedStep(step: .key(try key(index, context)), span: index.span)
    case (.subscript(let index), _):
      return AssignmentTarget.NestedStep(step: .row(try row(index, context)), span: index.span)
    case (.property(let name), _):
      throw ShellError(
        .noPath(name.text, found: owner.kind), context.source, name.span)
    }
  }

  /// nil if the property does not exist, which the store then reports.
  private func type(of target: AssignmentTarget, _ context: Context) throws -> PropertyType? {
    let type: PropertyType?
    switch target.holder {
    case .property(let object, let name):
      type = try object.classSchema.property(named: name.text)?.type
    case .newProperty(let object, let name):
      let classSchema = try store(context).schema.classSchema(named: object.className)
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
    _ content: PropertyContent, _ expression: ExpressionSyntax, isNested: Bool, _ context: Context
  ) throws -> Value {
    guard isNested || content.shape == .single else {
      throw ShellError(
        .expected("a single value", found: "several"), context.source, expression.span)
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
