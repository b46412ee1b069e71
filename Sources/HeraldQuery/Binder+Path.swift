import HeraldModel

extension Binder {
  func path(_ syntax: PathSyntax, _ expression: ExpressionSyntax) throws(QueryError) -> BoundSide {
    var walk = try start(syntax, expression)
    while let step = walk.takeStep() { try take(step, &walk) }
    return walk.side(expression)
  }

  // MARK: Where a path starts

  private func start(
    _ syntax: PathSyntax, _ expression: ExpressionSyntax
  ) throws(QueryError) -> PathWalk {
    switch syntax.start {
    case .root: return try rootStart(syntax)
    case .object(let className, let key):
      let object = try self.object(className, key: key, syntax.startSpan)
      return PathWalk(.objects([object]), .link(object.classID), syntax, isCollection: false)
    case .variable(let name):
      if let depth = levels.lastIndex(where: { $0.variable == name }) {
        let start: OperandPath.Start = depth == levels.count - 1 ? .root : .outer(depth)
        return PathWalk(start, .link(levels[depth].classID), syntax, isCollection: false)
      }
      return try variableStart(name, syntax)
    }
  }

  private func rootStart(_ syntax: PathSyntax) throws(QueryError) -> PathWalk {
    if let level = levels.last {
      return PathWalk(.root, .link(level.classID), syntax, isCollection: false)
    }
    guard case .name(let name) = syntax.steps[0].kind, syntax.steps.count > 1,
      case .operation = syntax.steps[1].kind
    else { throw QueryError(.noRoot(syntax.steps[0].kind.text), syntax.startSpan) }
    let found = try classSchema(named: name, syntax.startSpan)
    var walk = PathWalk(.extent(found.id), .link(found.id), syntax, isCollection: true)
    _ = walk.takeStep()
    return walk
  }

  private func variableStart(
    _ name: String, _ syntax: PathSyntax
  ) throws(QueryError) -> PathWalk {
    guard let variable = names.variable(name) else {
      let known = names.variableNames + levels.compactMap(\.variable)
      throw QueryError(
        .unknownVariable(name, nearest: nearestName(to: name, in: known)), syntax.startSpan)
    }
    switch variable {
    case .value(.link(let object)):
      return PathWalk(.objects([object]), .link(object.classID), syntax, isCollection: false)
    case .objects(let classID, let numbers):
      return PathWalk(
        .objects(numbers.map { ObjectID(classID, $0) }), .link(classID), syntax,
        isCollection: true)
    case .value(let value):
      var walk = PathWalk(.root, ElementType(of: value), syntax, isCollection: false)
      walk.constant = .constant(value)
      return walk
    case .values(let values):
      let element = values.lazy.compactMap { ElementType(of: $0) }.first
      var walk = PathWalk(.root, element, syntax, isCollection: true)
      walk.constant = .constants(values)
      return walk
    }
  }

  // MARK: Steps

  private func take(_ step: PathSyntax.Step, _ walk: inout PathWalk) throws(QueryError) {
    if let constant = walk.constant { return try take(step, constant, &walk) }
    switch step.kind {
    case .name(let name): try takeName(name, step, &walk)
    case .links(let className, let property):
      try takeLinks(className, property, step, &walk)
    case .operation(let operation): try takeOperation(operation, step, &walk)
    case .index(let index): try takePlace(.index(index), step, &walk)
    case .first: try takePlace(.index(0), step, &walk)
    case .last: try takePlace(.last, step, &walk)
    case .every:
      guard walk.endsInCollection else { throw walk.notACollection(schema) }
    }
  }

  private func objectClass(_ walk: PathWalk) throws(QueryError) -> ClassID {
    guard case .link(let classID)? = walk.element, walk.isOpen else {
      throw QueryError(
        .pathThroughValue(walk.text, type: walk.typeName(schema)), walk.lastSpan)
    }
    return classID
  }

  private func takeName(
    _ name: String, _ step: PathSyntax.Step, _ walk: inout PathWalk
  ) throws(QueryError) {
    let classID = try objectClass(walk)
    let property = try self.property(named: name, of: classID, step.span)
    walk.enter(property, of: classID, step)
  }

  private func takeLinks(
    _ className: String, _ propertyName: String, _ step: PathSyntax.Step, _ walk: inout PathWalk
  ) throws(QueryError) {
    let target = try objectClass(walk)
    let origin = try classSchema(named: className, step.span)
    let property = try self.property(named: propertyName, of: origin.id, step.span)
    guard property.type.target == target else {
      let targetName = schema.classSchema(target)?.name ?? ""
      throw QueryError(
        .notALinkTo(
          targetName, property: propertyName, className: className,
          type: schema.name(of: property.type)), step.span)
    }
    walk.enterOrigins(origin.id, property.id, of: target, step)
  }

  private func takePlace(
    _ place: OperandPath.ListPlace, _ step: PathSyntax.Step, _ walk: inout PathWalk
  ) throws(QueryError) {
    guard walk.choose(place, step) else { throw walk.notACollection(schema) }
  }

  private func takeOperation(
    _ operation: CollectionOperation, _ step: PathSyntax.Step, _ walk: inout PathWalk
  ) throws(QueryError) {
    if operation == .count {
      guard walk.count(step) else { throw walk.notACollection(schema) }
      return
    }
    guard walk.isCollectionPath else { throw walk.notACollection(schema) }
    let collection = walk.text
    let isOfObjects = walk.element?.isLink ?? false
    if isOfObjects {
      guard case .name? = walk.nextStep?.kind else {
        throw QueryError(
          .aggregateNeedsProperty(operation.rawValue, operand: collection), step.span)
      }
    } else if let next = walk.nextStep {
      throw QueryError(
        .aggregateNeedsValues(operation.rawValue, operand: collection), next.span)
    }
    var last = step
    while case .name? = walk.nextStep?.kind, let next = walk.takeStep() {
      try take(next, &walk)
      last = next
    }
    guard let element = walk.element, operation.accepts(element) else {
      throw QueryError(
        .aggregateNeedsNumbers(
          operation.rawValue, operand: walk.text, type: walk.typeName(schema)), last.span)
    }
    walk.aggregate(operation, isOfObjects: isOfObjects, element, step)
  }

  /// Steps from a variable that holds values: their number, or one of them.
  private func take(
    _ step: PathSyntax.Step, _ constant: Operand, _ walk: inout PathWalk
  ) throws(QueryError) {
    guard case .constants(let values) = constant.kind else {
      throw QueryError(
        .pathThroughValue(walk.text, type: walk.typeName(schema)), step.span)
    }
    switch step.kind {
    case .operation(.count): walk.become(.constant(.int(values.count)), step)
    case .index(let index):
      walk.become(.constant(index < values.count ? values[index] : .null), step)
    case .first: walk.become(.constant(values.first ?? .null), step)
    case .last: walk.become(.constant(values.last ?? .null), step)
    case .every: break
    case .name, .links, .operation:
      throw QueryError(
        .pathThroughValue(walk.text, type: walk.typeName(schema)), step.span)
    }
  }
}

extension CollectionOperation {
  fileprivate func accepts(_ element: ElementType) -> Bool {
    switch self {
    case .count: true
    case .sum, .average: element.isNumber
    case .min, .max: element.isNumber || element == .date
    }
  }
}
