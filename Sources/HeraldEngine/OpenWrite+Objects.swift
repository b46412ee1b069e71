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

  /// Whether nothing needs to be noted of an object.
  func isCreated(_ object: ObjectID) -> Bool {
    isMigrating || log[object.classID]?.created.contains(object.number) ?? false
  }

  /// Sets a single-valued property. `isNew`: the object was just created and holds nothing there.
  func set(
    _ property: PropertySchema, of object: ObjectID, to value: Value, isNew: Bool
  ) throws(StorageError) {
    guard let column = reader.layout.column(property.id, of: object.classID) else { return }
    hasChanged = true
    let isTracked = property.isTracked
    var old = Value.null
    if !isNew {
      old = reader.value(property.id, of: object)
      if old == value { return tellValue(property, of: object, old: old, new: value) }
      note(old, property.id, object)
      if isTracked { try untrack(old, property, column, object) }
    } else if value.isNull && !isTracked {
      return
    }
    try write(value, column, object.number)
    if isTracked {
      try track(value, property, column, object)
      try deleteEmbedded(in: old)
    }
    if !isNew { tellValue(property, of: object, old: old, new: value) }
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
    switch (value, column.kind) {
    case (.int(let value), .integers): try reader.transaction!.setInteger(id, number, value)
    case (.bool(let value), .integers):
      try reader.transaction!.setInteger(id, number, value ? 1 : 0)
    case (.link(let target), .integers):
      try reader.transaction!.setInteger(id, number, target.number)
    case (.double(let value), .doubles): try reader.transaction!.setDouble(id, number, value)
    case (_, .integers), (_, .doubles), (_, .floats), (_, .dates), (_, .bytes):
      try reader.transaction!.set(id, column.kind, number, column.stored(value))
    }
  }

  /// Removes what indexes and reverse links say of a value that goes.
  func untrack(
    _ old: Value, _ property: PropertySchema, _ column: Layout.Column, _ object: ObjectID
  ) throws(StorageError) {
    if property.isIndexed || property.isPrimaryKey {
      try reader.transaction!.removeFromIndex(column.id, column.indexed(old), object.number)
    }
    try removeLinks(in: old, column, object)
  }

  private func track(
    _ value: Value, _ property: PropertySchema, _ column: Layout.Column, _ object: ObjectID
  ) throws(StorageError) {
    if property.isIndexed || property.isPrimaryKey {
      try reader.transaction!.addToIndex(column.id, column.indexed(value), object.number)
    }
    try addLinks(in: value, column, object)
  }

  func addLinks(
    in value: Value, _ column: Layout.Column, _ object: ObjectID
  ) throws(StorageError) {
    for target in value.links {
      try reader.transaction!.addLink(
        from: object.number, through: column.id, toClass: target.classID.rawValue,
        number: target.number)
    }
  }

  func removeLinks(
    in value: Value, _ column: Layout.Column, _ object: ObjectID
  ) throws(StorageError) {
    for target in value.links {
      try reader.transaction!.removeLink(
        from: object.number, through: column.id, toClass: target.classID.rawValue,
        number: target.number)
    }
  }

  /// Deletes the embedded objects that a value held and that nothing holds any more.
  func deleteEmbedded(in value: Value) throws(StorageError) {
    for target in value.links where !deleting.contains(target) {
      guard let classSchema = reader.schema.classSchema(target.classID), classSchema.isEmbedded,
        reader.exists(target)
      else { continue }
      try delete(target, classSchema)
    }
  }
}

extension PropertySchema {
  /// Whether indexes or reverse links say something of the property's values.
  var isTracked: Bool { isIndexed || isPrimaryKey || type.element.mayHoldLinks }
}

extension ElementType {
  var mayHoldLinks: Bool {
    switch self {
    case .link, .any: true
    case .bool, .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID: false
    }
  }
}

extension Value {
  /// Every object that the value links to, once for each link.
  var links: [ObjectID] {
    switch self {
    case .link(let target): return [target]
    case .list, .map:
      var links: [ObjectID] = []
      forEachLink { links.append($0) }
      return links
    case .null, .bool, .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID:
      return []
    }
  }
}
