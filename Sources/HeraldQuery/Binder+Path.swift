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
    case .allLinks: try takeAllLinks(step, &walk)
    case .index(let index): try takePlace(.index(index), step, &walk)
    case .first: try takePlace(.index(0), step, &walk)
    case .last: try takePlace(.last, step, &walk)
    case .every: try takeEvery(step, &walk)
    case .key, .keys, .values: try takeFromMap(step, &walk)
    case .type:
      guard walk.isOpen, !walk.isWholeClass else {
        throw QueryError(.pathThroughValue(walk.text, type: walk.typeName(schema)), walk.lastSpan)
      }
      walk.types(step)
    }
  }

  private func takeEvery(_ step: PathSyntax.Step, _ walk: inout PathWalk) throws(QueryError) {
    if walk.isDynamic, !walk.endsInCollection { return walk.enter(.every, step) }
    guard walk.spread(step) else { throw walk.notACollection(schema) }
  }

  /// `["key"]`, `@keys` or `@values`, of a map or of an `any`.
  private func takeFromMap(_ step: PathSyntax.Step, _ walk: inout PathWalk) throws(QueryError) {
    let part: ValuePart
    switch step.kind {
    case .key(let key):
      if walk.enterEntry(key, step) { return }
      part = .key(key)
    case .keys:
      if walk.enterKeys(step) { return }
      part = .keys
    case .name, .links, .allLinks, .index, .first, .last, .every, .values, .type, .operation:
      if walk.endsInMap, walk.spread(step) { return }
      part = .every
    }
    guard walk.endsInAny else { throw walk.notAMap(schema) }
    walk.enter(part, step)
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
    if walk.enterEntry(name, step) { return }
    if walk.endsInAny { return walk.enter(.name(name, targets(name)), step) }
    let classID = try objectClass(walk)
    let property = try self.property(named: name, of: classID, step.span)
    guard let origin = schema.origin(of: property.type) else {
      if property.type.isBacklinks, let origin = property.type.linkedClass {
        _ = try classSchema(origin, step.span)
      }
      return walk.enter(property, of: classID, step)
    }
    walk.enterOrigins(origin.classID, origin.property.id, of: classID, step)
  }

  /// The property of each class that has a name: where a link inside an `any` may lead.
  private func targets(_ name: String) -> [ClassID: ValuePart.Target] {
    var targets: [ClassID: ValuePart.Target] = [:]
    for owner in schema.classes where owner.isDeclared {
      guard let property = owner.property(named: name) else { continue }
      let origin = schema.origin(of: property.type)
      let kind: PropertyPath.Step.Kind =
        origin.map { .backlinks(origin: $0.classID, property: $0.property.id) }
        ?? .property(property.id)
      targets[owner.id] = ValuePart.Target(
        property: property, step: PropertyPath.Step(owner.id, kind))
    }
    return targets
  }

  /// `@links.@count`: every link to the object, whatever class and property it comes from.
  private func takeAllLinks(_ step: PathSyntax.Step, _ walk: inout PathWalk) throws(QueryError) {
    let target = try objectClass(walk)
    guard case .operation(.count)? = walk.nextStep?.kind, let next = walk.takeStep() else {
      throw QueryError(.linksNeedCount, step.span)
    }
    var origins: [(classID: ClassID, property: PropertyID)] = []
    for origin in schema.classes {
      for property in origin.properties where property.type.mayLink(to: target) {
        origins.append((origin.id, property.id))
      }
    }
    walk.countOrigins(origins, of: target, next)
  }

  private func takeLinks(
    _ className: String, _ propertyName: String, _ step: PathSyntax.Step, _ walk: inout PathWalk
  ) throws(QueryError) {
    let target = try objectClass(walk)
    let origin = try classSchema(named: className, step.span)
    let property = try self.property(named: propertyName, of: origin.id, step.span)
    guard property.type.mayLink(to: target) else {
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
    if walk.isDynamic {
      switch place {
      case .index(let index): return walk.enter(.index(index), step)
      case .last: return walk.enter(.last, step)
      }
    }
    guard walk.choose(place, step) else { throw walk.noPlaces(schema) }
  }

  private func takeOperation(
    _ operation: CollectionOperation, _ step: PathSyntax.Step, _ walk: inout PathWalk
  ) throws(QueryError) {
    if operation == .count {
      guard walk.count(step) else { throw walk.notACollection(schema) }
      return
    }
    guard walk.isCollectionPath || walk.isDynamic else { throw walk.notACollection(schema) }
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
      return try take(step, into: constant.constantValues.first ?? .null, &walk)
    }
    switch step.kind {
    case .operation(.count): walk.become(.constant(.int(values.count)), step)
    case .index(let index):
      walk.become(.constant(index < values.count ? values[index] : .null), step)
    case .first: walk.become(.constant(values.first ?? .null), step)
    case .last: walk.become(.constant(values.last ?? .null), step)
    case .every, .values: break
    case .name, .links, .allLinks, .key, .keys, .type, .operation:
      throw QueryError(
        .pathThroughValue(walk.text, type: walk.typeName(schema)), step.span)
    }
  }

  /// A step from a variable that holds one value: into a list or a map that it is.
  private func take(
    _ step: PathSyntax.Step, into value: Value, _ walk: inout PathWalk
  ) throws(QueryError) {
    switch (step.kind, value) {
    case (.name(let key), .map(let entries)), (.key(let key), .map(let entries)):
      walk.become(.constant(entries[key] ?? .null), step)
    case (.index(let index), .list(let values)):
      walk.become(.constant(index < values.count ? values[index] : .null), step)
    case (.first, .list(let values)): walk.become(.constant(values.first ?? .null), step)
    case (.last, .list(let values)): walk.become(.constant(values.last ?? .null), step)
    case (.every, .list(let values)): walk.become(.constants(values), step)
    case (.every, .map(let entries)), (.values, .map(let entries)):
      walk.become(.constants(entries.entriesByKey.map(\.value)), step)
    case (.keys, .map(let entries)):
      walk.become(.constants(entries.entriesByKey.map { .string($0.key) }), step)
    case (.operation(.count), .list(let values)):
      walk.become(.constant(.int(values.count)), step)
    case (.operation(.count), .map(let entries)):
      walk.become(.constant(.int(entries.count)), step)
    default:
      throw QueryError(
        .pathThroughValue(walk.text, type: walk.typeName(schema)), step.span)
    }
  }
}

extension PropertyType {
  /// Whether links of this type may lead to objects of a class.
  fileprivate func mayLink(to classID: ClassID) -> Bool {
    target == classID || element == .any
  }
}

extension CollectionOperation {
  fileprivate func accepts(_ element: ElementType) -> Bool {
    switch self {
    case .count: true
    case .sum, .average: element.isNumber || element == .any
    case .min, .max: element.isNumber || element == .date || element == .any
    }
  }
}
