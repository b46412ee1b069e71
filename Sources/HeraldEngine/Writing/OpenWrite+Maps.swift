import HeraldModel
import HeraldObservation
import HeraldQuery
import HeraldStorage

extension OpenWrite {
  /// Sets the value of a map's key. An equal value is no change, but notifies property observers, as every
  /// assignment does.
  func set(
    _ value: Value, forKey key: String, inMap property: PropertySchema, of object: ObjectID
  ) throws(StorageError) {
    try put(value, forKey: key, inMap: property, of: object)
    reportRows(property, of: object, .setting)
  }

  /// Removes a key from a map; no effect if the map does not contain it.
  func remove(
    key: String, fromMap property: PropertySchema, of object: ObjectID
  ) throws(StorageError) {
    guard reader.place(ofKey: key, inMap: property.id, of: object).isPresent else { return }
    try take(key: key, fromMap: property, of: object)
    reportRows(property, of: object, .setting)
  }

  /// Sets the value of a key without a notification.
  func put(
    _ value: Value, forKey key: String, inMap property: PropertySchema, of object: ObjectID
  ) throws(StorageError) {
    guard let column = reader.layout.column(property.id, of: object.classID) else { return }
    let position = reader.place(ofKey: key, inMap: property.id, of: object)
    let values = column.list(of: object.number)
    guard position.isPresent else {
      noteMap(property, object) { $0.set(key, old: nil, new: value) }
      noteInside(property, object, .setKey(key, value))
      try transaction.insert(
        .bytes(Array(key.utf8)), into: column.keys(of: object.number), .bytes, at: position.index)
      try transaction.insert(
        column.stored(value), into: values, column.kind, at: position.index)
      return try addLinks(in: value, column, object)
    }
    let old = reader.listElement(property.id, of: object, at: position.index)
    if old == value { return noteEqual(property, object) }
    noteMap(property, object) { $0.set(key, old: old, new: value) }
    noteInside(property, object, .setKey(key, value))
    try transaction.replace(in: values, at: position.index, with: column.stored(value))
    try removeLinks(in: old, column, object)
    try addLinks(in: value, column, object)
    try deleteEmbedded(in: old)
  }

  private func take(
    key: String, fromMap property: PropertySchema, of object: ObjectID
  ) throws(StorageError) {
    guard let column = reader.layout.column(property.id, of: object.classID) else { return }
    let position = reader.place(ofKey: key, inMap: property.id, of: object)
    guard position.isPresent else { return }
    let old = reader.listElement(property.id, of: object, at: position.index)
    noteMap(property, object) { $0.remove(key, old: old) }
    noteInside(property, object, .removeKey(key))
    try transaction.remove(from: column.keys(of: object.number), at: position.index)
    try transaction.remove(from: column.list(of: object.number), at: position.index)
    try removeLinks(in: old, column, object)
    try deleteEmbedded(in: old)
  }

  /// Assigns a whole map: only entries that differ change (observation 4.4); observers are notified of one
  /// assignment.
  func assign(
    _ entries: MapEntries, toMap property: PropertySchema, of object: ObjectID
  ) throws(StorageError) {
    for key in keys(of: property, object) where entries[key] == nil {
      try take(key: key, fromMap: property, of: object)
    }
    for (key, value) in entries.inKeyOrder {
      try put(value, forKey: key, inMap: property, of: object)
    }
    reportRows(property, of: object, .setting)
  }

  func keys(of property: PropertySchema, _ object: ObjectID) -> [String] {
    (0..<reader.listCount(property.id, of: object)).map {
      reader.mapKey(property.id, of: object, at: $0)
    }
  }

  private func noteMap(
    _ property: PropertySchema, _ object: ObjectID, _ body: (inout MapChange) -> Void
  ) {
    hasChanged = true
    if isCreated(object) { return }
    log[object.classID, default: ClassChange()].changeMap(property.id, of: object.number, body)
  }
}

extension OpenWrite {
  /// Empties a list, a set or a map.
  func removeAll(_ property: PropertySchema, of object: ObjectID) throws(StorageError) {
    switch property.type.shape {
    case .list: try clear(property, of: object)
    case .set where reader.listCount(property.id, of: object) > 0:
      try assign([], toSet: property, of: object)
    case .map where reader.listCount(property.id, of: object) > 0:
      try assign([:], toMap: property, of: object)
    case .set, .map, .single, .backlinks: break
    }
  }
}
