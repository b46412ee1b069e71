import HeraldModel
import HeraldObservation
import HeraldQuery

/// One element of a list, with an identity that its value does not have.
struct RecordedElement: Hashable {
  var id: Int
  var value: Value
}

struct RecordedObject: Equatable {
  var values: [PropertyID: Value] = [:]
  var lists: [PropertyID: [RecordedElement]] = [:]
  var sets: [PropertyID: Set<Value>] = [:]
  var maps: [PropertyID: MapEntries] = [:]
}

/// A whole store as plain arrays: a value, so that a version is a copy.
struct RecordedState {
  var schema: Schema
  var objects: [ClassID: [ObjectNumber: RecordedObject]] = [:]
  var nextNumbers: [ClassID: ObjectNumber] = [:]

  subscript(_ object: ObjectID) -> RecordedObject? {
    get { objects[object.classID]?[object.number] }
    set { objects[object.classID, default: [:]][object.number] = newValue }
  }

  func numbers(of classID: ClassID) -> [ObjectNumber] {
    (objects[classID] ?? [:]).keys.sorted()
  }

  /// The elements of a collection in its order: sets by value, maps by key, backlinks by origin, an
  /// origin once for each of its links.
  func elements(of object: ObjectID, _ property: PropertyID) -> [Value] {
    guard let content = self[object],
      let type = schema.classSchema(object.classID)?.property(property)?.type
    else { return [] }
    switch type.shape {
    case .single: return []
    case .list: return content.lists[property]?.map(\.value) ?? []
    case .set: return (content.sets[property] ?? []).sorted { Value.order($0, $1) < 0 }
    case .map:
      let map = content.maps[property] ?? [:]
      return map.keys.sorted().map { map[$0] ?? .null }
    case .backlinks:
      guard let origin = schema.origin(of: type) else { return [] }
      return origins(of: object, origin.classID, origin.property.id).flatMap { number in
        let link = ObjectID(origin.classID, number)
        let count = targets(of: link, origin.property.id).count { $0 == object }
        return [Value](repeating: .link(link), count: count)
      }
    }
  }

  /// The objects that a property leads to, forward, in order.
  func targets(of object: ObjectID, _ property: PropertyID) -> [ObjectID] {
    guard let content = self[object],
      let type = schema.classSchema(object.classID)?.property(property)?.type,
      type.target != nil || type.element == .any
    else { return [] }
    let values =
      type.isCollection
      ? elements(of: object, property) : [content.values[property] ?? .null]
    var targets: [ObjectID] = []
    for value in values { value.forEachLink { targets.append($0) } }
    return targets
  }

  /// The objects that link to another through a property, once for each object.
  func origins(of target: ObjectID, _ origin: ClassID, _ property: PropertyID) -> [ObjectNumber] {
    (objects[origin] ?? [:]).keys.filter {
      targets(of: ObjectID(origin, $0), property).contains(target)
    }.sorted()
  }
}

extension RecordedState {
  /// The same as a model holds.
  init(_ model: ModelStore) {
    self.init(schema: model.schema.declared)
    for (type, objects) in model.objects.enumerated() {
      for object in objects {
        var recorded = RecordedObject()
        for (place, content) in object.contents.enumerated() {
          let property = PropertyID(UInt32(place + 1))
          switch content {
          case .value(let value): recorded.values[property] = value
          case .list(let elements):
            recorded.lists[property] = elements.map {
              RecordedElement(id: $0.serial, value: $0.value)
            }
          case .set(let values): recorded.sets[property] = Set(values)
          case .map(let entries): recorded.maps[property] = entries
          case .backlinks: break
          }
        }
        self[object.id] = recorded
      }
      let last = objects.last?.id.number ?? 0
      nextNumbers[ClassID(UInt32(type + 1))] = last + 1
    }
  }
}
