import HeraldModel
import HeraldObservation

@testable import TestModel

/// A write on the twin: applies operations to a state and notes what the engine would.
struct RecordingTransaction {
  let before: RecordedState
  var state: RecordedState
  /// Elements that an operation moved.
  private(set) var movedElements: Set<Int> = []
  private var created: [ClassID: Set<ObjectNumber>] = [:]
  private var listChanges: [ListKey: ListDelta] = [:]
  private var setChanges: [ListKey: SetDelta] = [:]
  private var mapChanges: [ListKey: MapDelta] = [:]
  private var nextElement: Int

  struct ListKey: Hashable {
    var object: ObjectID
    var property: PropertyID
  }

  init(_ state: RecordedState, nextElement: Int) {
    before = state
    self.state = state
    self.nextElement = nextElement
  }

  mutating func create(_ classID: ClassID, _ object: RecordedObject) -> ObjectID {
    let number = state.nextNumbers[classID] ?? 1
    state.nextNumbers[classID] = number + 1
    state[ObjectID(classID, number)] = object
    created[classID, default: []].insert(number)
    return ObjectID(classID, number)
  }

  mutating func set(_ property: PropertyID, of object: ObjectID, to value: Value) {
    lettingGo(object, property) { $0.state[object]?.values[property] = value }
  }

  /// Runs a change of a property; the parts that it releases are deleted (2.5).
  private mutating func lettingGo(
    _ object: ObjectID, _ property: PropertyID, _ body: (inout RecordingTransaction) -> Void
  ) {
    guard holdsEmbedded(property, of: object.classID) else { return body(&self) }
    let held = state.targets(of: object, property)
    body(&self)
    let kept = Set(state.targets(of: object, property))
    for part in held where !kept.contains(part) { delete(part) }
  }

  private func holdsEmbedded(_ property: PropertyID, of classID: ClassID) -> Bool {
    guard let type = state.schema.classSchema(classID)?.property(property)?.type, !type.isBacklinks,
      let target = type.target
    else { return false }
    return state.schema.classSchema(target)?.isEmbedded ?? false
  }

  /// Deletes an object: links to it become nil, elements of lists and sets that link to it are
  /// removed, and its embedded objects are deleted with it.
  mutating func delete(_ object: ObjectID) {
    guard state[object] != nil else { return }
    let parts = (state.schema.classSchema(object.classID)?.properties ?? []).flatMap { property in
      holdsEmbedded(property.id, of: object.classID) ? state.targets(of: object, property.id) : []
    }
    defer { for part in parts { delete(part) } }
    state[object] = nil
    for classSchema in state.schema.classes {
      for property in classSchema.properties
      where property.type.target == object.classID || property.type.element == .any {
        for number in state.numbers(of: classSchema.id) {
          unlink(property, of: ObjectID(classSchema.id, number), from: object)
        }
      }
    }
  }

  private mutating func unlink(
    _ property: PropertySchema, of origin: ObjectID, from target: ObjectID
  ) {
    let id = property.id
    switch property.type.shape {
    case .single:
      let old = state[origin]?.values[id] ?? .null
      if old.unlinked(from: target) != old { set(id, of: origin, to: old.unlinked(from: target)) }
    case .list:
      for index in list(origin, id).indices.reversed() {
        let old = list(origin, id)[index].value
        let new = old.unlinked(from: target)
        if old == .link(target) {
          remove(at: index, origin, id)
        } else if new != old {
          replace(at: index, new, origin, id)
        }
      }
    case .set:
      for old in state[origin]?.sets[id] ?? [] where old.unlinked(from: target) != old {
        removeValue(old, origin, id)
        if old != .link(target) { insertValue(old.unlinked(from: target), origin, id) }
      }
    case .map:
      for (key, old) in state[origin]?.maps[id] ?? [:] where old.unlinked(from: target) != old {
        setEntry(key, old.unlinked(from: target), origin, id)
      }
    case .backlinks: break
    }
  }

  // MARK: Sets and maps

  mutating func insertValue(_ value: Value, _ object: ObjectID, _ property: PropertyID) {
    guard state[object]?.sets[property]?.insert(value).inserted ?? false else { return }
    setChanges[ListKey(object: object, property: property), default: SetDelta()].insert(value)
  }

  mutating func removeValue(_ value: Value, _ object: ObjectID, _ property: PropertyID) {
    guard state[object]?.sets[property]?.remove(value) != nil else { return }
    setChanges[ListKey(object: object, property: property), default: SetDelta()].remove(value)
  }

  mutating func setEntry(
    _ key: String, _ value: Value, _ object: ObjectID, _ property: PropertyID
  ) {
    let old = state[object]?.maps[property]?[key]
    mapChanges[ListKey(object: object, property: property), default: MapDelta()]
      .set(key, old: old, new: value)
    lettingGo(object, property) { $0.state[object]?.maps[property]?[key] = value }
  }

  mutating func removeEntry(_ key: String, _ object: ObjectID, _ property: PropertyID) {
    guard let old = state[object]?.maps[property]?[key] else { return }
    mapChanges[ListKey(object: object, property: property), default: MapDelta()]
      .remove(key, old: old)
    lettingGo(object, property) { $0.state[object]?.maps[property]?[key] = nil }
  }

  // MARK: Lists

  func list(_ object: ObjectID, _ property: PropertyID) -> [RecordedElement] {
    state[object]?.lists[property] ?? []
  }

  mutating func insert(_ values: [Value], at index: Int, _ object: ObjectID, _ property: PropertyID)
  {
    change(object, property) { $0.insert(values, at: index) }
    for (offset, value) in values.enumerated() {
      let element = RecordedElement(id: nextElement, value: value)
      nextElement += 1
      state[object]?.lists[property]?.insert(element, at: index + offset)
    }
  }

  mutating func remove(at index: Int, _ object: ObjectID, _ property: PropertyID) {
    let old = list(object, property)[index].value
    change(object, property) { $0.remove(at: index, old: old) }
    lettingGo(object, property) { $0.state[object]?.lists[property]?.remove(at: index) }
  }

  mutating func replace(at index: Int, _ value: Value, _ object: ObjectID, _ property: PropertyID) {
    let old = list(object, property)[index].value
    change(object, property) { $0.replace(at: index, old: old, new: value) }
    lettingGo(object, property) { $0.state[object]?.lists[property]?[index].value = value }
  }

  mutating func move(from: Int, to: Int, _ object: ObjectID, _ property: PropertyID) {
    change(object, property) { $0.move(from: from, to: to) }
    guard from != to, let element = state[object]?.lists[property]?.remove(at: from) else { return }
    state[object]?.lists[property]?.insert(element, at: to)
    movedElements.insert(element.id)
  }

  mutating func clear(_ object: ObjectID, _ property: PropertyID) {
    let values = list(object, property).map(\.value)
    change(object, property) { $0.clear { values } }
    lettingGo(object, property) { $0.state[object]?.lists[property] = [] }
  }

  private mutating func change(
    _ object: ObjectID, _ property: PropertyID, _ body: (inout ListDelta) -> Void
  ) {
    guard let old = before[object]?.lists[property] else { return }
    let key = ListKey(object: object, property: property)
    body(&listChanges[key, default: ListDelta(oldCount: old.count)])
  }

  // MARK: The record

  var elementCount: Int { nextElement }

  /// What the transaction did, net, as the engine would record it.
  func record(version: Int) -> CommitRecord {
    var record = CommitRecord(version: version)
    for classSchema in state.schema.classes {
      let change = classChange(classSchema)
      if !change.isEmpty { record.classes[classSchema.id] = change }
    }
    return single(record.classes).map { CommitRecord(version: version, single: $0) } ?? record
  }

  /// The only change of a record, which the engine keeps without dictionaries: of one value, or of objects that were
  /// created with consecutive numbers.
  private func single(_ classes: [ClassID: ClassChange]) -> SingleChange? {
    guard classes.count == 1, let (classID, change) = classes.first, change.deleted.isEmpty,
      change.relinked.isEmpty
    else { return nil }
    if change.properties.isEmpty, change.created.ranges.count == 1 {
      return SingleChange(classID, .created(change.created.ranges[0]))
    }
    guard change.created.isEmpty, change.properties.count == 1,
      let (property, delta) = change.properties.first, delta.values.count == 1,
      let (number, old) = delta.values.first
    else { return nil }
    return SingleChange(classID, .value(property, number, old: old))
  }

  private func classChange(_ classSchema: ClassSchema) -> ClassChange {
    var change = ClassChange()
    for number in (created[classSchema.id] ?? []).sorted()
    where state[ObjectID(classSchema.id, number)] != nil {
      change.created.insert(number)
    }
    for (number, old) in before.objects[classSchema.id] ?? [:] {
      let object = ObjectID(classSchema.id, number)
      guard let new = state[object] else {
        change.deleted[number] = DeletedObject(object, in: ModelReader(before))
        continue
      }
      for property in classSchema.properties {
        let key = ListKey(object: object, property: property.id)
        switch property.type.shape {
        case .single:
          let (oldValue, newValue) = (old.values[property.id], new.values[property.id])
          if oldValue != newValue {
            change[property.id].values[number] = oldValue ?? .null
          }
        case .list:
          if let list = settled(key) {
            change[property.id].lists[number] = list
          }
        case .set:
          if let set = setChanges[key], !set.isEmpty {
            change[property.id].sets[number] = set
          }
        case .map:
          if let map = mapChanges[key], !map.isEmpty {
            change[property.id].maps[number] = map
          }
        case .backlinks: break
        }
      }
    }
    return change
  }

  private func settled(_ key: ListKey) -> ListDelta? {
    guard var list = listChanges[key], !list.isEmpty else { return nil }
    let old = before[key.object]?.lists[key.property] ?? []
    let new = state[key.object]?.lists[key.property] ?? []
    list.settle(old: { old[$0].value }, new: { new[$0].value })
    return list
  }
}
