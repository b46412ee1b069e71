package import HeraldModel
import HeraldObservation
import HeraldQuery
import HeraldStorage

extension Session {
  /// Changes a list or a map nested in a value of type `any`, or in an element of a collection of such
  /// values, at the path `steps`, after it has validated everything. O(n): the value is stored as a whole.
  package func change(
    _ property: PropertySchema, of object: ObjectID, inside steps: [ValueStep],
    _ operation: CollectionEdit
  ) throws {
    let write = try openWrite()
    let classSchema = try checkedClass(of: object)
    guard let property = classSchema.property(property.id) else {
      throw HeraldError.droppedFromSchema(
        "property '\(property.name)' of class '\(classSchema.name)'")
    }
    let nested = reader.part(of: property.id, object, property.type.shape, at: steps)
    for value in operation.values {
      _ = try fit(value, property, classSchema)
    }
    let new: Value
    let kinds: [NestedOperation.Kind]
    switch nested {
    case .list(let values)?: (new, kinds) = try changed(values, operation, property, classSchema)
    case .map(let entries)?: (new, kinds) = try changed(entries, operation, property, classSchema)
    case _: throw HeraldError.notACollection(property: property.name, className: classSchema.name)
    }
    if kinds.isEmpty && !operation.isAssignment { return }
    guard !new.isDeeper(than: nestingLimit - steps.count) else {
      throw HeraldError.nestedTooDeeply(
        property: property.name, className: classSchema.name, limit: nestingLimit)
    }
    try stored { () throws(StorageError) in
      try write.change(new, at: steps, of: property, object, kinds)
    }
    try endStatement()
  }

  private func changed(
    _ old: [Value], _ operation: CollectionEdit, _ property: PropertySchema,
    _ classSchema: ClassSchema
  ) throws(HeraldError) -> (Value, [NestedOperation.Kind]) {
    var new = old
    let count = old.count
    switch operation {
    case .insert(let values, let index):
      try checkRow(index, count: count + 1, shown: count)
      new.insert(contentsOf: values, at: index)
      let kinds: [NestedOperation.Kind] =
        values.isEmpty ? [] : [.insert(at: index, count: values.count)]
      return (.list(new), kinds)
    case .remove(let index):
      try checkRow(index, count: count, shown: count)
      new.remove(at: index)
      return (.list(new), [.remove(at: index)])
    case .replace(let index, let value):
      try checkRow(index, count: count, shown: count)
      new[index] = value
      return (.list(new), old[index] == value ? [] : [.replace(at: index, with: value)])
    case .move(let from, let to):
      try checkRow(from, count: count, shown: count)
      try checkRow(to, count: count, shown: count)
      new.insert(new.remove(at: from), at: to)
      return (.list(new), from == to ? [] : [.move(from: from, to: to)])
    case .removeAll: return (.list([]), old.isEmpty ? [] : [.clear])
    case .insertValue, .removeValue, .setKey, .removeKey:
      throw .notACollection(property: property.name, className: classSchema.name)
    }
  }

  private func changed(
    _ old: MapEntries, _ operation: CollectionEdit, _ property: PropertySchema,
    _ classSchema: ClassSchema
  ) throws(HeraldError) -> (Value, [NestedOperation.Kind]) {
    var new = old
    switch operation {
    case .setKey(let key, let value):
      new[key] = value
      return (.map(new), old[key] == value ? [] : [.setKey(key, value)])
    case .removeKey(let key):
      new[key] = nil
      return (.map(new), old[key] == nil ? [] : [.removeKey(key)])
    case .removeAll: return (.map([:]), old.isEmpty ? [] : [.clear])
    case .insert, .remove, .replace, .move, .insertValue, .removeValue:
      throw .notACollection(property: property.name, className: classSchema.name)
    }
  }
}

extension CollectionEdit {
  /// Whether it is an assignment, which notifies observers even if the value is equal (observation 8.1).
  fileprivate var isAssignment: Bool {
    switch self {
    case .replace, .setKey: true
    case .insert, .remove, .move, .removeAll, .insertValue, .removeValue, .removeKey: false
    }
  }

  /// The values that it inserts or assigns.
  fileprivate var values: [Value] {
    switch self {
    case .insert(let values, at: _): values
    case .replace(at: _, let value), .insertValue(let value), .setKey(_, let value): [value]
    case .remove, .move, .removeAll, .removeValue, .removeKey: []
    }
  }
}

extension Session {
  /// The path of the nested collection whose change is being delivered; nil for other reports.
  package var reportedPath: [ValueStep]? { observatory.reportedPath }
}
