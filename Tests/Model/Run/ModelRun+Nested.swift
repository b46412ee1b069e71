import HeraldModel
import HeraldObservation
import TestSupport

// Lists and maps nested in values of any type: compared, and changed in parts.

extension ModelRun {
  func randomInside(_ id: ObjectID, _ type: Int, _ session: ModelSession) -> ModelTarget? {
    let state = state(session)
    guard level.abilities.contains(.nests),
      let (property, place) = nestedPlaces(id, state).randomElement(using: &random),
      let node = state[id]?.inside?.node(place.property, place.path)?.id
    else { return nil }
    let inside = ModelInside(owner: id, property: property, path: place.path, id: node)
    return .inside(inside, random.chance(15) ? .keyPaths([]) : .depth(random.pick([0, 1, 4, 4])))
  }

  /// The lists and maps nested in the values of an object.
  func nestedPlaces(_ id: ObjectID, _ state: ModelStore) -> [(property: Int, place: NestedPath)] {
    guard let inside = state[id]?.inside, let type = schema.place(of: id.classID) else { return [] }
    return inside.places.compactMap { place in
      let properties = schema.classes[type].properties
      guard let property = properties.firstIndex(where: { $0.name == place.property }),
        !place.path.isEmpty || !properties[property].isCollection
      else { return nil }
      return (property, place)
    }
  }

  /// Changes a nested list or map of an object; false where it has none.
  func changeInside(
    _ session: ModelSession, _ id: ObjectID, _ transaction: ModelTransaction
  ) throws -> Bool {
    guard level.abilities.contains(.nests),
      let (place, nested) = nestedPlaces(id, transaction.state).randomElement(using: &random),
      let node = transaction.state[id]?.inside?.node(nested.property, nested.path),
      let type = schema.place(of: id.classID)
    else { return false }
    let property = schema.classes[type].properties[place]
    let operation: ModelOperation? =
      switch node {
      case .plain: nil
      case .list(_, let elements):
        try listOperation(property, elements.count, session, transaction)
      case .map:
        try mapOperation(property, MapEntries(zip(node.keys, node.rows)), session, transaction)
      }
    guard let operation else { return false }
    try change(session, id, place, nested, node, operation, transaction)
    // Often it is undone at once, unless a block has changed more.
    guard random.chance(35), let reversal = operation.reversal(of: node),
      reversal.links.allSatisfy(transaction.state.exists),
      let now = transaction.state[id]?.inside?.node(nested.property, nested.path),
      now.id == node.id, now.rows.count == node.rows.count + operation.growth(of: node)
    else { return true }
    try change(session, id, place, nested, now, reversal, transaction)
    return true
  }

  private func change(
    _ session: ModelSession, _ id: ObjectID, _ place: Int, _ nested: NestedPath,
    _ node: NestedNode, _ operation: ModelOperation, _ transaction: ModelTransaction
  ) throws {
    let type = schema.place(of: id.classID) ?? 0
    note("  \(id.literal).\(nested.text): \(operation.text)")
    let before = transaction.state
    transaction.change(id, place, inside: nested.path, operation)
    let notifications = notifications(
      assignment(operation, node, nested.path, of: place, id, from: before, to: transaction.state),
      place, of: id, from: before, to: transaction.state, session)
    _ = try notifying(notifications, session) {
      try session.perform(
        .changeInside(
          id, property: schema.classes[type].properties[place].name, nested.path, operation))
    }
  }

  /// An operation on a nested collection assigns the property (8.1, 8.2); nil where it does
  /// nothing.
  private func assignment(
    _ operation: ModelOperation, _ node: NestedNode, _ path: [ValueStep], of place: Int,
    _ id: ObjectID, from old: ModelStore, to new: ModelStore
  ) -> ModelAssignment? {
    let rows = node.rows.map { ModelElement(serial: 0, value: $0) }
    let content = node.isMap ? ModelContent.map(MapEntries(zip(node.keys, node.rows))) : .list(rows)
    guard operation.assignment(content) != nil else { return nil }
    switch (new.content(place, of: id), path.first) {
    case (.value(let whole), _): return .value(old: old.content(place, of: id).value, new: whole)
    case (.list, .row(let row)?): return .replacement([row])
    case (_, _): return .setting
    }
  }
}

extension ModelOperation {
  /// What undoes it in a list or map: the same again is another element, but an element or a key set
  /// back is no change (4.3, 4.5).
  fileprivate func reversal(of node: NestedNode) -> ModelOperation? {
    switch self {
    case .remove(let row): .insert([node.rows[row]], at: row)
    case .replace(let row, _): .replace(at: row, with: node.rows[row])
    case .setKey(let key, _), .removeKey(let key):
      node.keys.firstIndex(of: key).map { .setKey(key, node.rows[$0]) }
    case .insert, .move, .insertValue, .removeValue, .removeAll: nil
    }
  }

  /// How many rows there are more after it.
  fileprivate func growth(of node: NestedNode) -> Int {
    switch self {
    case .remove: -1
    case .removeKey(let key): node.keys.contains(key) ? -1 : 0
    case .setKey(let key, _): node.keys.contains(key) ? 0 : 1
    case .insert, .move, .replace, .insertValue, .removeValue, .removeAll: 0
    }
  }

  fileprivate var links: [ObjectID] {
    switch self {
    case .insert(let values, at: _): values.flatMap(\.links)
    case .replace(at: _, with: let value), .setKey(_, let value): value.links
    case .remove, .move, .insertValue, .removeValue, .removeKey, .removeAll: []
    }
  }
}
