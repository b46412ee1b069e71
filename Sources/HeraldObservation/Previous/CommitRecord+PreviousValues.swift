package import HeraldModel
package import HeraldQuery

extension CommitRecord {
  /// Returns a previous value of the record with whole nested lists and maps, as they were, in place of
  /// references to them; `reader` is at the record's last version. O(size of the value).
  package func whole(_ previous: Value, _ reader: any ObjectReader) -> Value {
    previous.nestedCollection == nil
      ? previous : PreviousReader(reader, before: self).previous(previous)
  }

  /// Returns the values of sort keys before the record.
  func previousKeyValues(
    of number: ObjectNumber, _ sort: SortOrder, _ reader: any ObjectReader
  ) -> [Value] {
    sort.keys.map { key in
      if key.expression != nil {
        return key.value(of: number, PreviousReader(reader, before: self))
      }
      let value = previousValue(at: key.path, of: number, reader)
      return key.measure?.apply(to: value) ?? value
    }
  }

  /// Returns the value at the end of a path of single links before the record; null where a link on the
  /// path was null.
  func previousValue(
    at path: PropertyPath, of number: ObjectNumber, _ reader: any ObjectReader
  ) -> Value {
    var current = Value.link(ObjectID(path.root, number))
    for step in path.steps {
      guard case .link(let object) = current, case .property(let property) = step.kind else {
        return .null
      }
      var positions = step.positions[...]
      if case .entry(let key)? = positions.first {
        current = previousEntry(key, property, of: object, reader)
        positions = positions.dropFirst()
      } else {
        current = previousValue(property, of: object, reader)
      }
      for step in positions { current = current.part(at: step) }
    }
    return current
  }

  private func previousValue(
    _ property: PropertyID, of object: ObjectID, _ reader: any ObjectReader
  ) -> Value {
    let change = classes[object.classID]
    guard let deleted = change?.deleted[object.number] else {
      return change?[property].values[object.number].map { whole($0, reader) }
        ?? reader.value(property, of: object)
    }
    let key = reader.schema.classSchema(object.classID)?.primaryKey
    return deleted.values[property].map { whole($0, reader) }
      ?? (key?.id == property ? deleted.key : .null)
  }

  private func previousEntry(
    _ key: String, _ property: PropertyID, of object: ObjectID, _ reader: any ObjectReader
  ) -> Value {
    let change = classes[object.classID]
    if let deleted = change?.deleted[object.number] {
      return whole(deleted.collections[property]?.value(forKey: key) ?? .null, reader)
    }
    let map = change?[property].maps[object.number]
    if map?.inserted.contains(key) ?? false { return .null }
    return map?.previousValue(forKey: key).map { whole($0, reader) }
      ?? reader.mapValue(forKey: key, property, of: object) ?? .null
  }
}
