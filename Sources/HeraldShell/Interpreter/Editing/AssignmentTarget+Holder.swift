import Herald

extension AssignmentTarget.Holder {
  static func holder(
    _ step: PathSyntax.Step, of owner: Resolved, _ span: SourceSpan, _ context: Context
  ) throws -> Self {
    switch (step.targetStep, owner) {
    case (.property(let name), .object(let object)): return .property(object, name)
    case (.property(let name), .newObject(let object)): return .newProperty(object, name)
    case (.property(let name), .projection(let projection)): return .projected(projection, name)
    case (.property(let name), .collection(let map)) where map.isMap:
      return .key(map, name.text, name.span)
    case (.subscript(let key), .collection(let map)) where map.isMap:
      return .key(map, try context.key(key), key.span)
    case (.subscript, .collection(let set)) where set.property.type.shape == .set:
      let text = context.source.text(span)
      throw context.failure(.wrongCollection(text, found: set.kind, wanted: "a list"), at: span)
    case (.subscript(let row), .collection(let list)):
      return .row(list, try context.row(row), row.span)
    case (_, .value(.null)):
      throw context.failure(.nilLink(context.source.text(span)), at: span)
    case (.property, _):
      throw context.failure(.noPath(context.source.text(span), found: owner.kind), at: span)
    case (.subscript, _):
      let whole = SourceSpan(start: span.start, end: step.span.end + 1)
      throw context.failure(.notAssignable(context.source.text(whole)), at: whole)
    }
  }

  /// The collection in a property or an element, at the end of some steps.
  func collection(
    _ steps: ArraySlice<AssignmentTarget.NestedStep>, _ context: Context
  ) throws -> any EditableCollection {
    if case .newProperty(let new, let name) = self, steps.isEmpty,
      let collection = try context.at(name.span, { try new.collection(name.text) })
    {
      return collection
    }
    return try nested(steps) ?? WholeCollection(holder: self, steps: steps.map(\.step))
  }

  func nested(_ steps: ArraySlice<AssignmentTarget.NestedStep>) throws -> LiveCollection? {
    let path = steps.map(\.step)
    switch self {
    case .property(let object, let name): return object.nestedIfAny(name.text, path)
    case .row(let list, let row, _):
      return list.owner.nestedIfAny(list.property.name, [.row(row)] + path)
    case .key(let map, let key, _):
      return map.owner.nestedIfAny(map.property.name, [.key(key)] + path)
    case .newProperty, .projected: return nil
    }
  }

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

extension ObjectHandle {
  fileprivate func nestedIfAny(_ property: String, _ path: [ValueStep]) -> LiveCollection? {
    try? nested(property, path)
  }
}
