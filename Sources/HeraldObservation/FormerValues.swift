import HeraldModel
import HeraldQuery

extension CommitRecord {
  /// The values of sort keys as they were before the record.
  func formerKeyValues(
    of number: ObjectNumber, _ sort: SortOrder, _ reader: any ObjectReader
  ) -> [Value] {
    sort.keys.map { formerValue(at: $0.path, of: number, reader) }
  }

  /// The value at the end of a path of single links as it was before the record; nil where a link
  /// on the way was.
  func formerValue(
    at path: PropertyPath, of number: ObjectNumber, _ reader: any ObjectReader
  ) -> Value {
    var current = Value.link(ObjectID(path.root, number))
    for step in path.steps {
      guard case .link(let object) = current, case .property(let property) = step.kind else {
        return .null
      }
      let change = classes[object.classID]
      if let deleted = change?.deleted[object.number] {
        current = deleted.value(property, reader.schema.classSchema(object.classID))
      } else {
        current = change?.columns[property]?[object.number] ?? reader.value(property, of: object)
      }
    }
    return current
  }
}

extension DeletedObject {
  fileprivate func value(_ property: PropertyID, _ schema: ClassSchema?) -> Value {
    values[property] ?? (schema?.primaryKey?.id == property ? key : .null)
  }
}
