import Herald

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
