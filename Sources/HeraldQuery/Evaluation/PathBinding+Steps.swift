import HeraldModel

extension PathBinding {
  private mutating func append(_ kind: OperandPath.Hop.Kind, of classID: ClassID) {
    path.hops.append(OperandPath.Hop(classID: classID, kind: kind))
    isSpread = false
  }

  mutating func enter(
    _ property: PropertySchema, of classID: ClassID, _ step: PathSyntax.Step
  ) {
    let kind: OperandPath.Hop.Kind =
      switch property.type.shape {
      case .single: .single(property.id)
      case .list, .set, .map, .backlinks: .elements(property.id)
      }
    append(kind, of: classID)
    element = property.type.element
    type = property.type
    valueHop = property.type.isCollection && property.type.target == nil ? path.hops.count - 1 : nil
    note(step)
  }

  /// Steps into the `any` at the end.
  mutating func enter(_ part: DynamicStep, _ step: PathSyntax.Step) {
    enter(part)
    note(step)
  }

  mutating func enter(_ part: DynamicStep) {
    append(.part(part), of: path.hops.last?.classID ?? ClassID(0))
    type = nil
    switch part {
    case .keys: element = .string
    case .every:
      element = .any
      isSpread = true
    case .measure(let measure): element = measure.element
    case .index, .last, .key, .name: element = .any
    }
  }

  /// Steps to a key's value in the map at the end; returns false if there is no map.
  mutating func enterEntry(_ key: String, _ step: PathSyntax.Step) -> Bool {
    guard let map else { return false }
    path.hops.removeLast()
    append(.entry(map.property, key), of: map.classID)
    type = nil
    note(step)
    return true
  }

  /// Steps to the keys of the map at the end; returns false if there is no map.
  mutating func enterKeys(_ step: PathSyntax.Step) -> Bool {
    guard let map else { return false }
    path.hops.removeLast()
    append(.keys(map.property), of: map.classID)
    type = nil
    element = .string
    note(step)
    return true
  }

  /// Steps to the values of the collection at the end; returns false if there is none.
  mutating func spread(_ step: PathSyntax.Step) -> Bool {
    guard endsInCollection else { return false }
    if isSpread, element == .any { enter(.every) }
    isSpread = true
    note(step)
    return true
  }

  mutating func enterOrigins(
    _ origin: ClassID, _ property: PropertyID, of classID: ClassID, _ step: PathSyntax.Step
  ) {
    append(.origins(origin, property), of: classID)
    element = .link(origin)
    type = nil
    valueHop = nil
    note(step)
  }

  /// Steps to one element of the list at the end; returns false if there is no list.
  mutating func choose(_ position: OperandPath.ListPosition, _ step: PathSyntax.Step) -> Bool {
    guard endsInCollection else { return false }
    if let last = path.hops.last {
      guard case .elements(let property) = last.kind, type?.shape == .list else { return false }
      path.hops[path.hops.count - 1] = OperandPath.Hop(
        classID: last.classID, kind: .element(property, position))
    } else if case .rows(let rows) = path.start {
      path.start = .rows(rows.at(position))
      startsFromCollection = false
    } else {
      guard case .objects(let objects) = path.start else { return false }
      let chosen: ObjectID? =
        switch position {
        case .index(let index): index < objects.count ? objects[index] : nil
        case .last: objects.last
        }
      if let chosen {
        path.start = .objects([chosen])
      } else {
        become(.constant(.null), step)
        return true
      }
      startsFromCollection = false
    }
    type = nil
    note(step)
    return true
  }

  mutating func become(_ operand: Operand, _ step: PathSyntax.Step) {
    constant = operand
    if case .constant(let value) = operand.kind { element = ElementType(of: value) }
    startsFromCollection = operand.isCollection
    note(step)
  }
}
