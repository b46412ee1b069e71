import HeraldModel
import HeraldQuery

extension CommitRecord {
  /// The values of sort keys as they were before the record; nil where an object on the way is gone
  /// and took its value with it.
  func formerKeyValues(
    of number: ObjectNumber, _ sort: SortOrder, _ reader: any ObjectReader
  ) -> [Value]? {
    var values: [Value] = []
    for key in sort.keys {
      guard let value = formerValue(at: key.path, of: number, reader) else { return nil }
      values.append(value)
    }
    return values
  }

  private func formerValue(
    at path: PropertyPath, of number: ObjectNumber, _ reader: any ObjectReader
  ) -> Value? {
    var current = Value.link(ObjectID(path.root, number))
    for step in path.steps {
      guard case .link(let object) = current, case .property(let property) = step.kind else {
        return .null
      }
      let change = classes[object.classID]
      if let deleted = change?.deleted[object.number] {
        let key = reader.schema.classSchema(object.classID)?.primaryKey
        guard key?.id == property else { return nil }
        current = deleted.key
      } else {
        current = change?.columns[property]?[object.number] ?? reader.value(property, of: object)
      }
    }
    return current
  }
}
