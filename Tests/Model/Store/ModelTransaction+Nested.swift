import HeraldModel
import HeraldObservation

// Operations on collections nested in values of any type are done to trees as well, that know each
// list, map and element again; what the values are in the end is read off them.

extension ModelSchema {
  /// Whether lists and maps in a property's values can be observed and changed.
  func isMixed(_ property: Property) -> Bool {
    property.element == .any && property.shape != .set
  }

  /// The trees of a new object; nil where its class has none.
  func inside(_ type: Int, _ contents: [ModelContent]) -> NestedModel? {
    let mixed = zip(classes[type].properties, contents).filter { isMixed($0.0) }
    guard !mixed.isEmpty else { return nil }
    return NestedModel(MapEntries(mixed.map { ($0.name, $1.whole) }))
  }
}

extension ModelContent {
  /// All of it as one value.
  var whole: Value {
    switch self {
    case .value(let value): value
    case .list, .set, .backlinks: .list(values)
    case .map(let entries): .map(entries)
    }
  }

  /// The same with what a tree holds; elements stay those that they were.
  func holding(_ whole: Value) -> ModelContent {
    switch (self, whole) {
    case (.list(let elements), .list(let values)):
      .list(zip(elements, values).map { ModelElement(serial: $0.serial, value: $1) })
    case (.map, .map(let entries)): .map(entries)
    case (_, _): .value(whole)
    }
  }
}

extension ModelTransaction {
  func beginInsides() {
    changeInsides { $0.begin() }
  }

  private func changeInsides(_ body: (inout NestedModel) -> Void) {
    for type in state.objects.indices {
      for row in state.objects[type].indices where state.objects[type][row].inside != nil {
        if var inside = state.objects[type][row].inside {
          body(&inside)
          state.objects[type][row].inside = inside
        }
      }
    }
  }

  private func changeInside(
    _ id: ObjectID, _ property: Int, _ body: (inout NestedModel, String) -> Void
  ) {
    guard let place = state.place(of: id),
      var inside = state.objects[place.type][place.row].inside,
      state.schema.isMixed(state.schema.classes[place.type].properties[property])
    else { return }
    body(&inside, state.schema.classes[place.type].properties[property].name)
    state.objects[place.type][place.row].inside = inside
  }

  func unlinkInsides(from id: ObjectID) { changeInsides { $0.unlink(id) } }

  /// A whole list assigned is cleared and filled; maps are compared by key (4.4).
  func assignInside(_ id: ObjectID, _ property: Int, _ given: ModelGiven.Content) {
    changeInside(id, property) { inside, name in
      switch given {
      case .value(let value):
        if inside.roots[name]?.value != value { inside.assign(name, value) }
      case .list(let values):
        inside.removeAll(name, [])
        inside.insert(values, at: 0, name, [])
      case .map(let entries):
        guard case .map(_, let old)? = inside.roots[name] else { return }
        for key in old.keys where entries[key] == nil { inside.removeKey(key, name, []) }
        for (key, value) in entries { inside.set(key, to: value, name, []) }
      }
    }
  }

  func changeInside(
    _ id: ObjectID, _ property: Int, _ path: [ValueStep], _ operation: ModelOperation
  ) {
    changeInside(id, property) { inside, name in
      switch operation {
      case .insert(let values, let row): inside.insert(values, at: row, name, path)
      case .remove(let row): inside.remove(at: row, name, path)
      case .move(let from, let to): inside.move(from: from, to: to, name, path)
      case .replace(let row, let value): inside.replace(at: row, with: value, name, path)
      case .setKey(let key, let value): inside.set(key, to: value, name, path)
      case .removeKey(let key): inside.removeKey(key, name, path)
      case .removeAll: inside.removeAll(name, path)
      case .insertValue, .removeValue: break
      }
    }
  }

  /// An operation on a nested list or map, which changes the property that has it.
  func change(
    _ id: ObjectID, _ property: Int, inside path: [ValueStep], _ operation: ModelOperation
  ) {
    changeInside(id, property, path, operation)
    let name = state.schema.name([property], from: state.schema.place(of: id.classID) ?? 0)
    guard let whole = state[id]?.inside?.roots[name]?.value else { return }
    change(id, property) { $0 = $0.holding(whole) }
  }

  /// What the commit leaves.
  var committed: ModelStore {
    var state = state
    for type in state.objects.indices {
      for row in state.objects[type].indices {
        let object = state.objects[type][row]
        guard let inside = object.inside else { continue }
        state.objects[type][row].inside = inside.committed(
          from: base[object.id]?.inside ?? NestedModel([:]))
      }
    }
    return state
  }
}
