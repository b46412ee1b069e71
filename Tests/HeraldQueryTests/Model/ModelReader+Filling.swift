import HeraldModel

@testable import TestModel

extension ModelReader {
  convenience init(_ schema: Schema) { self.init(RecordedState(schema: schema)) }

  /// Adds an object; a single value is an array of one.
  @discardableResult
  func add(_ className: String, _ values: [String: [Value]] = [:]) -> ObjectID {
    let type = schema.classSchema(named: className)!
    let object = ObjectID(type.id, state.nextNumbers[type.id, default: 1])
    state.nextNumbers[type.id] = object.number + 1
    state[object] = RecordedObject()
    for property in type.properties {
      let empty: [Value] = property.type.isCollection ? [] : [property.type.emptyValue]
      set(object, property.name, values[property.name] ?? empty)
    }
    return object
  }

  func set(_ object: ObjectID, _ name: String, _ values: [Value]) {
    let property = schema.classSchema(object.classID)!.property(named: name)!
    switch property.type.shape {
    case .single: state[object]!.values[property.id] = values[0]
    case .list:
      state[object]!.lists[property.id] = values.enumerated().map {
        RecordedElement(id: $0, value: $1)
      }
    case .set: state[object]!.sets[property.id] = Set(values)
    case .map: state[object]!.maps[property.id] = [:]
    case .backlinks: break
    }
  }

  func setMap(_ object: ObjectID, _ name: String, _ entries: MapEntries) {
    let property = schema.classSchema(object.classID)!.property(named: name)!
    state[object]!.maps[property.id] = entries
  }

  func remove(_ object: ObjectID) { state.objects[object.classID]![object.number] = nil }
}
