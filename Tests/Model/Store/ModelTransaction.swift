import HeraldModel
import HeraldObservation

/// A transaction of the twin: the operations of the library on plain arrays.
final class ModelTransaction {
  let before: ModelStore
  /// What its changes are counted from: `before` with the classes as it altered them, at its beginning.
  var base: ModelStore
  var state: ModelStore
  /// The elements that a move carried to another position.
  var moved: Set<Int> = []
  private(set) var nextSerial: Int
  /// The properties that it dropped or gave another type, with whether they were collections, and the
  /// classes that it dropped.
  var losses: [ModelColumn: Bool] = [:]
  var lostClasses: Set<ClassID> = []
  /// Whether it has lists that it compares with none before: it is not said which changes count.
  var hasNewLists = false

  init(on state: ModelStore, nextSerial: Int) {
    (before, base) = (state, state)
    self.state = state
    self.nextSerial = nextSerial
    beginInsides()
  }

  private func fresh(_ values: [Value]) -> [ModelElement] {
    values.map { value in
      defer { nextSerial += 1 }
      return ModelElement(serial: nextSerial, value: value)
    }
  }

  func content(
    _ given: ModelGiven.Content, _ property: ModelSchema.Property
  ) -> ModelContent {
    switch given {
    case .value(let value): .value(value)
    case .list(let values):
      property.shape == .set ? .set(Set(values).sorted { $0.precedes($1) }) : .list(fresh(values))
    case .map(let entries): .map(entries)
    }
  }

  /// Contents are in the order of the properties that are given any.
  func add(_ id: ObjectID, type: Int, _ given: [ModelGiven.Content]) {
    var rest = given[...]
    let contents = state.schema.classes[type].properties.map { property in
      property.isGiven ? content(rest.removeFirst(), property) : .backlinks
    }
    let inside = state.schema.inside(type, contents)
    state.objects[type].append(ModelObject(id: id, contents: contents, inside: inside))
  }

  /// A whole list assigned is a list cleared and filled; sets and maps are compared (4.4).
  func set(_ id: ObjectID, _ property: Int, _ given: ModelGiven.Content) {
    guard let place = state.place(of: id) else { return }
    let content = content(given, state.schema.classes[place.type].properties[property])
    assignInside(id, property, given)
    change(id, property) { $0 = content }
  }

  func change(_ id: ObjectID, _ property: Int, _ operation: ModelOperation) {
    changeInside(id, property, [], operation)
    switch operation {
    case .insert(let values, let row):
      let elements = fresh(values)
      changeList(id, property) { $0.insert(contentsOf: elements, at: row) }
    case .remove(let row): changeList(id, property) { $0.remove(at: row) }
    case .move(let from, let to):
      guard from != to else { return }
      moved.insert(state.elements(property, of: id)[from].serial)
      changeList(id, property) { $0.insert($0.remove(at: from), at: to) }
    case .replace(let row, let value): changeList(id, property) { $0[row].value = value }
    case .insertValue(let value):
      change(id, property) {
        $0 = .set(Set($0.values + [value]).sorted { $0.precedes($1) })
      }
    case .removeValue(let value):
      change(id, property) { $0 = .set($0.values.filter { $0 != value }) }
    case .setKey(let key, let value):
      change(id, property) { content in
        var entries = content.entries
        entries[key] = value
        content = .map(entries)
      }
    case .removeKey(let key):
      change(id, property) { $0 = .map($0.entries.filter { $0.key != key }) }
    case .removeAll:
      change(id, property) { content in
        switch content {
        case .list: content = .list([])
        case .set: content = .set([])
        case .map: content = .map([:])
        case .value, .backlinks: break
        }
      }
    }
  }

  private func changeList(
    _ id: ObjectID, _ property: Int, _ body: (inout [ModelElement]) -> Void
  ) {
    change(id, property) { content in
      var elements = content.elements
      body(&elements)
      content = .list(elements)
    }
  }

  /// Embedded objects that a property releases are deleted (2.5).
  func change(
    _ id: ObjectID, _ property: Int, _ body: (inout ModelContent) -> Void
  ) {
    guard let place = state.place(of: id) else { return }
    let isHolding = state.schema.holdsEmbedded(
      state.schema.classes[place.type].properties[property])
    let held = isHolding ? state.content(property, of: id).links : []
    body(&state.objects[place.type][place.row].contents[property])
    let kept = Set(isHolding ? state.content(property, of: id).links : [])
    for part in held where !kept.contains(part) { delete(part) }
  }

  /// Links to a deleted object become nil; it leaves every list and set (4.4). Its parts go with it.
  func delete(_ id: ObjectID) {
    guard let place = state.place(of: id) else { return }
    let object = state.objects[place.type].remove(at: place.row)
    unlinkInsides(from: id)
    for type in state.objects.indices {
      for (property, known) in state.schema.classes[type].properties.enumerated()
      where known.mayLink && known.shape != .backlinks {
        for row in state.objects[type].indices
        where state.objects[type][row].contents[property].leads(to: id) {
          Self.unlink(&state.objects[type][row].contents[property], from: id)
        }
      }
    }
    for (property, content) in zip(state.schema.classes[place.type].properties, object.contents)
    where state.schema.holdsEmbedded(property) {
      for part in content.links { delete(part) }
    }
  }

  private static func unlink(_ content: inout ModelContent, from id: ObjectID) {
    switch content {
    case .value(let value): content = .value(value.without(linksTo: id))
    case .list(let elements):
      content = .list(
        elements.filter { $0.value != .link(id) }.map {
          ModelElement(serial: $0.serial, value: $0.value.without(linksTo: id))
        })
    case .set(let values):
      content = .set(
        Set(values.filter { $0 != .link(id) }.map { $0.without(linksTo: id) })
          .sorted { $0.precedes($1) })
    case .map(let entries): content = .map(entries.mapValues { $0.without(linksTo: id) })
    case .backlinks: break
    }
  }
}
