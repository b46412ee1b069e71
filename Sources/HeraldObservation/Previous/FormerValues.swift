import HeraldModel
import HeraldQuery

extension CommitRecord {
  /// The values of sort keys as they were before the record.
  func formerKeyValues(
    of number: ObjectNumber, _ sort: SortOrder, _ reader: any ObjectReader
  ) -> [Value] {
    sort.keys.map { formerValue(at: $0.path, of: number, reader) }
  }

  /// The value at the end of a path of single links as it was before the record: null where a link
  /// on the way was.
  func formerValue(
    at path: PropertyPath, of number: ObjectNumber, _ reader: any ObjectReader
  ) -> Value {
    var current = Value.link(ObjectID(path.root, number))
    for step in path.steps {
      guard case .link(let object) = current, case .property(let property) = step.kind else {
        return .null
      }
      var places = step.places[...]
      if case .entry(let key)? = places.first {
        current = formerEntry(key, property, of: object, reader)
        places = places.dropFirst()
      } else {
        current = formerValue(property, of: object, reader)
      }
      for place in places { current = current.part(at: place) }
    }
    return current
  }

  private func formerValue(
    _ property: PropertyID, of object: ObjectID, _ reader: any ObjectReader
  ) -> Value {
    let change = classes[object.classID]
    guard let deleted = change?.deleted[object.number] else {
      return change?.columns[property]?[object.number] ?? reader.value(property, of: object)
    }
    let key = reader.schema.classSchema(object.classID)?.primaryKey
    return deleted.values[property] ?? (key?.id == property ? deleted.key : .null)
  }

  private func formerEntry(
    _ key: String, _ property: PropertyID, of object: ObjectID, _ reader: any ObjectReader
  ) -> Value {
    let change = classes[object.classID]
    if let deleted = change?.deleted[object.number] {
      return deleted.collections[property]?.value(forKey: key) ?? .null
    }
    let map = change?.maps[property]?[object.number]
    if map?.inserted.contains(key) ?? false { return .null }
    return map?.removed[key] ?? map?.modified[key] ?? map?.restored[key]
      ?? reader.mapValue(forKey: key, property, of: object) ?? .null
  }
}
