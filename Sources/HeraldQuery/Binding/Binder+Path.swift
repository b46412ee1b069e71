import HeraldModel

extension Binder {
  /// Binds a path. With `isCollection` it must lead to a collection, so a class name stands for all its
  /// objects.
  func path(
    _ syntax: PathSyntax, _ expression: ExpressionSyntax, isCollection: Bool = false
  ) throws(QueryError) -> BoundOperand {
    var syntax = syntax
    for (index, step) in syntax.steps.enumerated() {
      if case .variable(let name) = step.kind {
        syntax.steps[index] = try resolved(name, step.span)
      }
    }
    if let isInvalidated = isInvalidated(syntax) {
      return BoundOperand(.constant(.bool(isInvalidated)), .bool, expression)
    }
    try unfoldProjection(&syntax)
    var walk = try start(syntax, isCollection: isCollection || expression.quantifier != nil)
    while let step = walk.takeStep() { try take(step, &walk) }
    return walk.side(expression)
  }

  /// Returns the value of `$d.isInvalidated`; nil for any other path.
  private func isInvalidated(_ path: PathSyntax) -> Bool? {
    guard case .variable(let name) = path.start, path.asksForInvalidation,
      !levels.contains(where: { $0.variable == name })
    else { return nil }
    return names.isInvalidated(name)
  }

  /// Returns the step of the value of a variable.
  private func resolved(
    _ name: String, _ span: SourceSpan
  ) throws(QueryError) -> PathSyntax.Step {
    guard let variable = names.variable(name) else {
      throw QueryError(
        .unknownVariable(name, nearest: nearestName(to: name, in: names.variableNames)), span)
    }
    switch variable {
    case .value(.int(let index)) where index >= 0:
      return PathSyntax.Step(kind: .index(index), span: span)
    case .value(.string(let key)): return PathSyntax.Step(kind: .key(key), span: span)
    case .value, .values, .objects: throw QueryError(.notAnIndexOrKey(name), span)
    }
  }

  /// Replaces a field name of a projection by its path.
  private func unfoldProjection(_ syntax: inout PathSyntax) throws(QueryError) {
    guard let projection = projection(of: syntax.start), let first = syntax.steps.first,
      case .name(let name) = first.kind
    else { return }
    guard let field = projection.fields.first(where: { $0.name == name }) else {
      let nearest = nearestName(to: name, in: projection.fields.map(\.name))
      throw QueryError(
        .model(.unknownField(name, projection: projection.name, nearest: nearest)), first.span)
    }
    syntax.steps.replaceSubrange(
      ..<1,
      with: field.path.split(separator: ".").map {
        PathSyntax.Step(kind: .name(String($0)), span: first.span)
      })
  }

  // MARK: The start of a path

  private func start(
    _ syntax: PathSyntax, isCollection: Bool
  ) throws(QueryError) -> PathBinding {
    switch syntax.start {
    case .root: return try rootStart(syntax, isCollection: isCollection)
    case .object(let className, let key):
      let object = try self.object(className, key: key, syntax.startSpan)
      return PathBinding(.objects([object]), .link(object.classID), syntax, isCollection: false)
    case .variable(let name):
      if let depth = levels.lastIndex(where: { $0.variable == name }) {
        let start: OperandPath.Start = depth == levels.count - 1 ? .root : .outer(depth)
        return PathBinding(start, .link(levels[depth].classID), syntax, isCollection: false)
      }
      return try variableStart(name, syntax)
    case .query(let query):
      throw QueryError(.expected("a property", found: "'(\(query))'"), syntax.startSpan)
    }
  }

  private func rootStart(
    _ syntax: PathSyntax, isCollection: Bool
  ) throws(QueryError) -> PathBinding {
    if let level = levels.last {
      return PathBinding(.root, .link(level.classID), syntax, isCollection: false)
    }
    let isComputed = syntax.steps.dropFirst().contains { step in
      if case .operation = step.kind { true } else { false }
    }
    guard case .name(let name) = syntax.steps[0].kind,
      isComputed || isCollection && schema.classSchema(named: name) != nil
    else {
      throw QueryError(.noRoot(syntax.steps[0].kind.text), syntax.startSpan)
    }
    let found = try classSchema(named: name, syntax.startSpan)
    var walk = PathBinding(.extent(found.id), .link(found.id), syntax, isCollection: true)
    _ = walk.takeStep()
    return walk
  }

  private func variableStart(
    _ name: String, _ syntax: PathSyntax
  ) throws(QueryError) -> PathBinding {
    if let collection = names.collection(name) {
      var walk = PathBinding(
        .objects([collection.owner]), .link(collection.owner.classID), syntax, isCollection: false)
      let text = walk.text
      let step = PathSyntax.Step(kind: .name(collection.property), span: syntax.startSpan)
      try takeName(collection.property, step, &walk)
      walk.text = text
      return walk
    }
    guard let variable = names.variable(name) else {
      let known = names.variableNames + levels.compactMap(\.variable)
      throw QueryError(
        .unknownVariable(name, nearest: nearestName(to: name, in: known)), syntax.startSpan)
    }
    switch variable {
    case .value(.link(let object)):
      return PathBinding(.objects([object]), .link(object.classID), syntax, isCollection: false)
    case .objects(let classID, let numbers):
      return PathBinding(
        .objects(numbers.map { ObjectID(classID, $0) }), .link(classID), syntax,
        isCollection: true)
    case .value(let value):
      var walk = PathBinding(.root, ElementType(of: value), syntax, isCollection: false)
      walk.constant = .constant(value)
      return walk
    case .values(let values):
      let element = values.lazy.compactMap { ElementType(of: $0) }.first
      var walk = PathBinding(.root, element, syntax, isCollection: true)
      walk.constant = .constants(values)
      return walk
    }
  }

  // MARK: Steps

  func take(_ step: PathSyntax.Step, _ walk: inout PathBinding) throws(QueryError) {
    if let constant = walk.constant {
      return try take(step, from: constant, &walk)
    }
    switch step.kind {
    case .name(let name): try takeName(name, step, &walk)
    case .links(let className, let property):
      try takeLinks(className, property, step, &walk)
    case .operation(let operation): try takeOperation(operation, step, &walk)
    case .allLinks: try takeAllLinks(step, &walk)
    case .index(let index): try takeIndex(.index(index), step, &walk)
    case .first: try takeIndex(.index(0), step, &walk)
    case .last: try takeIndex(.last, step, &walk)
    case .every: try takeEvery(step, &walk)
    case .key, .keys, .values, .variable, .computed: try takeFromMap(step, &walk)
    case .type:
      guard walk.isOpen, !walk.isWholeClass else {
        throw QueryError(.pathThroughValue(walk.text, type: walk.typeName(schema)), walk.lastSpan)
      }
      walk.types(step)
    }
  }
}
