import HeraldModel

extension Binder {
  func takeEvery(_ step: PathSyntax.Step, _ walk: inout PathBinding) throws(QueryError) {
    if walk.isDynamic, !walk.endsInCollection { return walk.enter(.every, step) }
    guard walk.spread(step) else { throw walk.notACollection(schema) }
  }

  /// Binds `["key"]`, `@keys` or `@values`, of a map or of an `any`.
  func takeFromMap(_ step: PathSyntax.Step, _ walk: inout PathBinding) throws(QueryError) {
    let part: DynamicStep
    switch step.kind {
    case .key(let key):
      if walk.enterEntry(key, step) { return }
      part = .key(key)
    case .keys:
      if walk.enterKeys(step) { return }
      part = .keys
    case .name, .links, .allLinks, .index, .variable, .computed, .first, .last, .every, .values,
      .type, .operation:
      if walk.endsInMap, walk.spread(step) { return }
      part = .every
    }
    guard walk.endsInAny else { throw walk.notAMap(schema) }
    walk.enter(part, step)
  }

  /// - Parameter name: the name that follows the path.
  private func objectClass(
    _ walk: PathBinding, before name: String? = nil
  ) throws(QueryError) -> ClassID {
    guard case .link(let classID)? = walk.element, walk.isOpen else {
      throw QueryError(
        .pathThroughValue(
          walk.text, type: walk.typeName(schema), next: name,
          nearest: name.flatMap { ValueMeasure.nearestName(to: $0, of: walk.element) }),
        walk.lastSpan)
    }
    return classID
  }

  func takeName(
    _ name: String, _ step: PathSyntax.Step, _ walk: inout PathBinding
  ) throws(QueryError) {
    if !isProperty(name, after: walk), walk.enterEntry(name, step) { return }
    if name == "length", walk.lengths(step) { return }
    if walk.isOpen, let measure = ValueMeasure(name, of: walk.element) {
      return walk.enter(.measure(measure), step)
    }
    if walk.endsInAny {
      let targets = targets(name)
      note(targets, at: step)
      return walk.enter(.name(name, targets), step)
    }
    let classID = try objectClass(walk, before: name)
    let property = try self.property(named: name, of: classID, step.span)
    note(property, of: classID, at: step)
    guard let origin = schema.origin(of: property.type) else {
      if property.type.isBacklinks, let origin = property.type.linkedClass {
        _ = try classSchema(origin, step.span)
      }
      return walk.enter(property, of: classID, step)
    }
    walk.enterOrigins(origin.classID, origin.property.id, of: classID, step)
  }

  private func note(_ property: PropertySchema, of classID: ClassID, at step: PathSyntax.Step) {
    if step.isOfField { return }
    resolved?.properties.append(
      ResolvedNames.Property(span: step.span, classID: classID, property: property))
  }

  /// Notes a name behind a value of any type: it means the property if only one class has one of that name.
  private func note(_ targets: [ClassID: DynamicStep.Target], at step: PathSyntax.Step) {
    guard let resolved, !step.isOfField else { return }
    if targets.count == 1, let (classID, target) = targets.first {
      return note(target.property, of: classID, at: step)
    }
    resolved.shared += targets.map { classID, target in
      ResolvedNames.Property(span: step.span, classID: classID, property: target.property)
    }
  }

  /// Returns whether a name after a map of links is a property of the linked objects, and so not a key.
  private func isProperty(_ name: String, after walk: PathBinding) -> Bool {
    guard case .link(let classID)? = walk.element, walk.endsInMap else { return false }
    return schema.classSchema(classID)?.property(named: name) != nil
  }

  /// Returns the property of that name of each class: the possible targets of a link in an `any`.
  private func targets(_ name: String) -> [ClassID: DynamicStep.Target] {
    var targets: [ClassID: DynamicStep.Target] = [:]
    for owner in schema.classes where owner.isDeclared {
      guard let property = owner.property(named: name) else { continue }
      let origin = schema.origin(of: property.type)
      let kind: PropertyPath.Step.Kind =
        origin.map { .backlinks(origin: $0.classID, property: $0.property.id) }
        ?? .property(property.id)
      targets[owner.id] = DynamicStep.Target(
        property: property, step: PropertyPath.Step(owner.id, kind))
    }
    return targets
  }

  /// Binds `@links.@count`: every link to the object, from any class and property.
  func takeAllLinks(_ step: PathSyntax.Step, _ walk: inout PathBinding) throws(QueryError) {
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

  func takeLinks(
    _ className: String, _ propertyName: String, _ step: PathSyntax.Step, _ walk: inout PathBinding
  ) throws(QueryError) {
    let target = try objectClass(walk)
    let origin = try classSchema(named: className, step.span)
    let property = try self.property(named: propertyName, of: origin.id, step.span)
    note(property, of: origin.id, at: step)
    guard property.type.mayLink(to: target) else {
      let targetName = schema.classSchema(target)?.name ?? ""
      throw QueryError(
        .notALinkTo(
          targetName, property: propertyName, className: className,
          type: schema.name(of: property.type)), step.span)
    }
    walk.enterOrigins(origin.id, property.id, of: target, step)
  }

  func takeIndex(
    _ position: OperandPath.ListPosition, _ step: PathSyntax.Step, _ walk: inout PathBinding
  ) throws(QueryError) {
    if walk.isDynamic {
      switch position {
      case .index(let index): return walk.enter(.index(index), step)
      case .last: return walk.enter(.last, step)
      }
    }
    guard walk.choose(position, step) else { throw walk.notIndexable(schema) }
  }

  func takeOperation(
    _ operation: CollectionOperation, _ step: PathSyntax.Step, _ walk: inout PathBinding
  ) throws(QueryError) {
    if walk.isRoot { throw QueryError(.operationNeedsPath(operation.word), step.span) }
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
          .aggregateNeedsProperty(operation.word, operand: collection), step.span)
      }
    } else if let next = walk.nextStep {
      throw QueryError(
        .aggregateNeedsValues(operation.word, operand: collection), next.span)
    }
    // A name after the operation is a property of the linked objects, not a key of their map.
    if walk.endsInMap { walk.isSpread = true }
    var last = step
    while case .name? = walk.nextStep?.kind, let next = walk.takeStep() {
      try take(next, &walk)
      last = next
    }
    guard let element = walk.element, operation.function.accepts(element) else {
      throw QueryError(
        .aggregateNeeds(
          operation.word, operation.function.needs, operand: walk.text,
          type: walk.typeName(schema)), last.span)
    }
    walk.aggregate(operation, isOfObjects: isOfObjects, element, step)
  }
}

extension PropertyType {
  /// Returns whether values of this type may link to objects of a class.
  fileprivate func mayLink(to classID: ClassID) -> Bool {
    target == classID || element == .any
  }
}
