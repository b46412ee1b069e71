import Herald

/// An element of a collection that a statement assigns, removes or moves.
struct TargetElement {
  var collection: any EditableCollection
  var step: ValueStep
  var span: SourceSpan
}

extension Context {
  /// The element that a target names; nil if it names a property. Errors: `notAssignable` for a row of a map
  /// or a key of a list.
  func element(of target: AssignmentTarget) throws -> TargetElement? {
    guard let last = target.nestedSteps.last else {
      switch target.holder {
      case .row(let list, let row, let span):
        return TargetElement(collection: list, step: .row(row), span: span)
      case .key(let map, let key, let span):
        return TargetElement(collection: map, step: .key(key), span: span)
      case .property, .newProperty, .projected: return nil
      }
    }
    let parent = try collection(target.holder, target.nestedSteps.dropLast())
    guard parent.isMap == last.step.isKey else {
      throw ShellError(.notAssignable(source.text(last.span)), source, last.span)
    }
    return TargetElement(collection: parent, step: last.step, span: last.span)
  }

  /// The collection in a property or an element, at the end of some steps.
  func collection(
    _ holder: AssignmentTarget.Holder, _ steps: ArraySlice<AssignmentTarget.NestedStep>
  ) throws -> any EditableCollection {
    if case .newProperty(let new, let name) = holder, steps.isEmpty,
      let collection = try at(name.span, { try new.collection(name.text) })
    {
      return collection
    }
    return try nested(holder, steps) ?? WholeCollection(holder: holder, steps: steps.map(\.step))
  }

  /// The nested list or map in an `any` at the end of a path; nil if there is none, or it is not in a store.
  func nested(_ path: PathSyntax) throws -> LiveCollection? {
    guard !path.steps.isEmpty, newObject(path) == nil else { return nil }
    let target = try target(of: path)
    return try nested(target.holder, target.nestedSteps[...])
  }

  func nested(
    _ holder: AssignmentTarget.Holder, _ steps: ArraySlice<AssignmentTarget.NestedStep>
  ) throws -> LiveCollection? {
    let path = steps.map(\.step)
    switch holder {
    case .property(let object, let name): return object.nestedIfAny(name.text, path)
    case .row(let list, let row, _):
      return list.owner.nestedIfAny(list.property.name, [.row(row)] + path)
    case .key(let map, let key, _):
      return map.owner.nestedIfAny(map.property.name, [.key(key)] + path)
    case .newProperty, .projected: return nil
    }
  }
}

/// A list or a map in a value that is read and assigned as a whole: of a new object, or of a projection.
struct WholeCollection: EditableCollection {
  private let holder: AssignmentTarget.Holder
  private let steps: [ValueStep]
  let property: PropertySchema

  init(holder: AssignmentTarget.Holder, steps: [ValueStep]) throws {
    self.holder = holder
    self.steps = steps
    property = PropertySchema(id: PropertyID(1), name: holder.name, type: PropertyType(.any))
  }

  var shape: PropertyShape { content.shape }
  var values: [Value] {
    switch content {
    case .value: []
    case .list(let values): values
    case .map(let entries): entries.inKeyOrder.map(\.value)
    }
  }
  var count: Int { values.count }

  private var content: PropertyContent {
    let whole = try? holder.content.asValue
    return PropertyContent(elementsOf: whole?.part(at: steps) ?? .null)
  }

  func apply(_ edit: CollectionEdit) throws {
    let old = try holder.content
    let new = old.asValue.replacingNested(
      at: steps[...], with: try edit.applied(to: content).asValue)
    try holder.assign(old.shape == .single ? .value(new) : PropertyContent(elementsOf: new))
  }
}

extension DynamicObject {
  fileprivate func nestedIfAny(_ property: String, _ path: [ValueStep]) -> LiveCollection? {
    try? nested(property, path)
  }
}
