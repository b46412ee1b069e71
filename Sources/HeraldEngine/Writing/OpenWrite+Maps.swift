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
    guard reader.position(ofKey: key, inMap: property.id, of: object).isPresent else { return }
    try take(key: key, fromMap: property, of: object)
    reportRows(property, of: object, .setting)
  }

  /// Sets the value of a key without a notification.
  func put(
    _ value: Value, forKey key: String, inMap property: PropertySchema, of object: ObjectID
  ) throws(StorageError) {
    guard let column = reader.layout.column(property.id, of: object.classID) else { return }
    let position = reader.position(ofKey: key, inMap: property.id, of: object)
    let values = column.list(of: object.number)
    let value = restored(value, property.id, object) {
      $0.maps[object.number]?.previousValue(forKey: key)
    }
    guard position.isPresent else {
      let new = try stored(value, in: column)
      recordMap(property, object) { $0.set(key, old: nil, new: new) }
      try transaction.insert(
        .bytes(Array(key.utf8)), into: column.keys(of: object.number), .bytes, at: position.index)
      try transaction.insert(
        column.stored(new), into: values, column.kind, at: position.index)
      return try addLinks(in: value, column, object)
    }
    let held = Held(self, column) { $0.listElement(property.id, of: object, at: position.index) }
    if held.whole == value { return }
    try replace(held.stored, at: .key(object, property.id, MapKey(key)))
    let new = try stored(value, in: column)
    recordMap(property, object) { $0.set(key, old: held.stored, new: new) }
    try transaction.replace(in: values, at: position.index, with: column.stored(new))
    try removeLinks(in: held.whole, column, object)
    try addLinks(in: value, column, object)
    try deleteEmbedded(in: held.whole)
  }

  private func take(
    key: String, fromMap property: PropertySchema, of object: ObjectID
  ) throws(StorageError) {
    guard let column = reader.layout.column(property.id, of: object.classID) else { return }
    let position = reader.position(ofKey: key, inMap: property.id, of: object)
    guard position.isPresent else { return }
    let held = Held(self, column) { $0.listElement(property.id, of: object, at: position.index) }
    recordMap(property, object) { $0.remove(key, old: held.stored) }
    try transaction.remove(from: column.keys(of: object.number), at: position.index)
    try transaction.remove(from: column.list(of: object.number), at: position.index)
    try removeLinks(in: held.whole, column, object)
    try replace(held.stored, at: .key(object, property.id, MapKey(key)))
    try deleteEmbedded(in: held.whole)
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
    reader.mapKeys(property.id, of: object)
  }

  private func recordMap(
    _ property: PropertySchema, _ object: ObjectID, _ body: (inout MapDelta) -> Void
  ) {
    hasChanged = true
    if log.isCreated(object) { return }
    log.changes[object.classID, default: ClassChange()].changeMap(
      property.id, of: object.number, body)
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
