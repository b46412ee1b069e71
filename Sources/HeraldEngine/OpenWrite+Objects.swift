import HeraldModel
import HeraldObservation
import HeraldQuery
import HeraldStorage

// Stop 2 of a commit: each change, already checked, is applied to blocks, links and indexes, and
// noted in the log.

extension OpenWrite {
  func create(_ classSchema: ClassSchema) throws(StorageError) -> ObjectID {
    hasChanged = true
    let number = try reader.transaction!.create(classSchema.id.rawValue)
    log[classSchema.id, default: ClassChange()].created.insert(number)
    return ObjectID(classSchema.id, number)
  }

  func isCreated(_ object: ObjectID) -> Bool {
    log[object.classID]?.created.contains(object.number) ?? false
  }

  /// Sets a single-valued property. `isNew`: the object was just created and holds nothing there.
  func set(
    _ property: PropertySchema, of object: ObjectID, to value: Value, isNew: Bool
  ) throws(StorageError) {
    guard let column = reader.layout.column(property.id, of: object.classID) else { return }
    hasChanged = true
    let isTracked = property.isIndexed || property.isPrimaryKey || column.element.isLink
    if !isNew {
      let old = reader.value(property.id, of: object)
      if old == value { return }
      note(old, property.id, object)
      if isTracked { try untrack(old, property, column, object) }
    } else if value.isNull && !isTracked {
      return
    }
    try write(value, column, object.number)
    if isTracked { try track(value, property, column, object) }
  }

  /// Notes the value before, unless the object is new or the property was changed already.
  private func note(_ old: Value, _ property: PropertyID, _ object: ObjectID) {
    if isCreated(object) { return }
    let number = object.number
    if log[object.classID]?.columns[property]?[number] != nil { return }
    log[object.classID, default: ClassChange()].columns[property, default: [:]][number] = old
  }

  private func write(
    _ value: Value, _ column: Layout.Column, _ number: ObjectNumber
  ) throws(StorageError) {
    let id = column.id
    switch value {
    case .int(let value): try reader.transaction!.setInteger(id, number, value)
    case .bool(let value): try reader.transaction!.setInteger(id, number, value ? 1 : 0)
    case .link(let target): try reader.transaction!.setInteger(id, number, target.number)
    case .double(let value): try reader.transaction!.setDouble(id, number, value)
    case .null, .float, .string, .data, .date:
      try reader.transaction!.set(id, column.kind, number, column.stored(value))
    }
  }

  /// Removes what indexes and reverse links say of a value that goes.
  func untrack(
    _ old: Value, _ property: PropertySchema, _ column: Layout.Column, _ object: ObjectID
  ) throws(StorageError) {
    if property.isIndexed || property.isPrimaryKey {
      try reader.transaction!.removeFromIndex(column.id, column.stored(old), object.number)
    }
    if case .link(let target) = old { try removeLink(column, object, target) }
  }

  private func track(
    _ value: Value, _ property: PropertySchema, _ column: Layout.Column, _ object: ObjectID
  ) throws(StorageError) {
    if property.isIndexed || property.isPrimaryKey {
      try reader.transaction!.addToIndex(column.id, column.stored(value), object.number)
    }
    if case .link(let target) = value { try addLink(column, object, target) }
  }

  func addLink(
    _ column: Layout.Column, _ object: ObjectID, _ target: ObjectID
  ) throws(StorageError) {
    try reader.transaction!.addLink(
      from: object.number, through: column.id, toClass: target.classID.rawValue,
      number: target.number)
  }

  func removeLink(
    _ column: Layout.Column, _ object: ObjectID, _ target: ObjectID
  ) throws(StorageError) {
    try reader.transaction!.removeLink(
      from: object.number, through: column.id, toClass: target.classID.rawValue,
      number: target.number)
  }
}

extension ElementType {
  var isLink: Bool { if case .link = self { true } else { false } }
}
