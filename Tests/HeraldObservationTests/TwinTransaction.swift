import HeraldModel
import HeraldObservation

/// A write on the twin: applies operations to a state and notes what the engine would.
struct TwinTransaction {
  let before: TwinState
  var state: TwinState
  /// Elements that an operation moved.
  private(set) var movedElements: Set<Int> = []
  private var created: [ClassID: Set<ObjectNumber>] = [:]
  private var listChanges: [ListKey: ListChange] = [:]
  private var nextElement: Int

  struct ListKey: Hashable {
    var object: ObjectID
    var property: PropertyID
  }

  init(_ state: TwinState, nextElement: Int) {
    before = state
    self.state = state
    self.nextElement = nextElement
  }

  mutating func create(_ classID: ClassID, _ object: TwinObject) -> ObjectID {
    let number = state.nextNumbers[classID] ?? 1
    state.nextNumbers[classID] = number + 1
    state[ObjectID(classID, number)] = object
    created[classID, default: []].insert(number)
    return ObjectID(classID, number)
  }

  mutating func set(_ property: PropertyID, of object: ObjectID, to value: Value) {
    state[object]?.values[property] = value
  }

  /// Deletes an object: links to it become nil, list elements that link to it go.
  mutating func delete(_ object: ObjectID) {
    state[object] = nil
    for classSchema in state.schema.classes {
      for property in classSchema.properties where property.type.target == object.classID {
        for number in state.numbers(of: classSchema.id) {
          unlink(property, of: ObjectID(classSchema.id, number), from: object)
        }
      }
    }
  }

  private mutating func unlink(
    _ property: PropertySchema, of origin: ObjectID, from target: ObjectID
  ) {
    switch property.type.shape {
    case .single:
      if state[origin]?.values[property.id] == .link(target) {
        set(property.id, of: origin, to: .null)
      }
    case .list:
      while let index = list(origin, property.id).firstIndex(where: { $0.value == .link(target) }) {
        remove(at: index, origin, property.id)
      }
    }
  }

  // MARK: Lists

  func list(_ object: ObjectID, _ property: PropertyID) -> [TwinElement] {
    state[object]?.lists[property] ?? []
  }

  mutating func insert(_ values: [Value], at index: Int, _ object: ObjectID, _ property: PropertyID)
  {
    change(object, property) { $0.insert(at: index, count: values.count) }
    for (offset, value) in values.enumerated() {
      let element = TwinElement(id: nextElement, value: value)
      nextElement += 1
      state[object]?.lists[property]?.insert(element, at: index + offset)
    }
  }

  mutating func remove(at index: Int, _ object: ObjectID, _ property: PropertyID) {
    let old = list(object, property)[index].value
    change(object, property) { $0.remove(at: index, old: old) }
    state[object]?.lists[property]?.remove(at: index)
  }

  mutating func replace(at index: Int, _ value: Value, _ object: ObjectID, _ property: PropertyID) {
    let old = list(object, property)[index].value
    change(object, property) { $0.replace(at: index, old: old, new: value) }
    state[object]?.lists[property]?[index].value = value
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
    state[object]?.lists[property] = []
  }

  private mutating func change(
    _ object: ObjectID, _ property: PropertyID, _ body: (inout ListChange) -> Void
  ) {
    guard let old = before[object]?.lists[property] else { return }
    let key = ListKey(object: object, property: property)
    body(&listChanges[key, default: ListChange(oldCount: old.count)])
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
    return record
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
        change.deleted[number] = deleted(object, classSchema)
        continue
      }
      for property in classSchema.properties {
        switch property.type.shape {
        case .single:
          let (oldValue, newValue) = (old.values[property.id], new.values[property.id])
          if oldValue != newValue {
            change.columns[property.id, default: [:]][number] = oldValue ?? .null
          }
        case .list:
          let key = ListKey(object: object, property: property.id)
          if let list = settled(key) {
            change.lists[property.id, default: [:]][number] = list
          }
        }
      }
    }
    return change
  }

  private func settled(_ key: ListKey) -> ListChange? {
    guard var list = listChanges[key], !list.isEmpty else { return nil }
    let old = before[key.object]?.lists[key.property] ?? []
    let new = state[key.object]?.lists[key.property] ?? []
    list.settle(old: { old[$0].value }, new: { new[$0].value })
    return list
  }

  private func deleted(_ object: ObjectID, _ classSchema: ClassSchema) -> DeletedObject {
    var links: [OutgoingLink] = []
    for property in classSchema.properties where property.type.target != nil {
      for target in before.targets(of: object, property.id) where state[target] != nil {
        links.append(OutgoingLink(property: property.id, target: target))
      }
    }
    let key = classSchema.primaryKey.flatMap { before[object]?.values[$0.id] } ?? .null
    let values = before[object]?.values.filter { !$0.value.isNull } ?? [:]
    return DeletedObject(key: key, values: values, links: links)
  }
}
