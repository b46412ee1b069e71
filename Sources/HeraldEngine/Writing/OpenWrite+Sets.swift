import HeraldModel
import HeraldObservation
import HeraldQuery
import HeraldStorage

extension OpenWrite {
  /// Inserts a value into a set; no effect if the set contains it.
  func insert(
    _ value: Value, intoSet property: PropertySchema, of object: ObjectID
  ) throws(StorageError) {
    if try put(value, intoSet: property, of: object) { reportRows(property, of: object, .setting) }
  }

  /// Removes a value from a set; no effect if the set does not contain it.
  func remove(
    _ value: Value, fromSet property: PropertySchema, of object: ObjectID
  ) throws(StorageError) {
    if try take(value, fromSet: property, of: object) { reportRows(property, of: object, .setting) }
  }

  /// Inserts a value without a notification; returns false if the set contains it.
  func put(
    _ value: Value, intoSet property: PropertySchema, of object: ObjectID
  ) throws(StorageError) -> Bool {
    guard let column = reader.layout.column(property.id, of: object.classID) else { return false }
    let position = reader.position(of: value, inSet: property.id, of: object)
    if position.isPresent { return false }
    let value = restored(value, property.id, object) { change in
      change.sets[object.number].flatMap { set in
        set.removed.firstIndex(of: value).map { set.removed[$0] }
      }
    }
    recordSet(property, object) { $0.insert(value) }
    try transaction.insert(
      column.stored(value), into: column.list(of: object.number), column.kind, at: position.index)
    try addLinks(in: value, column, object)
    return true
  }

  /// Removes a value without a notification; returns false if the set does not contain it.
  func take(
    _ value: Value, fromSet property: PropertySchema, of object: ObjectID
  ) throws(StorageError) -> Bool {
    guard let column = reader.layout.column(property.id, of: object.classID) else { return false }
    let position = reader.position(of: value, inSet: property.id, of: object)
    guard position.isPresent else { return false }
    let old = reader.listElement(property.id, of: object, at: position.index)
    recordSet(property, object) { $0.remove(old) }
    try transaction.remove(from: column.list(of: object.number), at: position.index)
    try removeLinks(in: old, column, object)
    return true
  }

  /// Assigns a whole set: only elements that differ change (observation 4.4); observers are notified of one
  /// assignment.
  func assign(
    _ values: [Value], toSet property: PropertySchema, of object: ObjectID
  ) throws(StorageError) {
    let new = Set(values)
    for old in elements(of: property, object) where !new.contains(old) {
      _ = try take(old, fromSet: property, of: object)
    }
    for value in values { _ = try put(value, intoSet: property, of: object) }
    reportRows(property, of: object, .setting)
  }

  private func recordSet(
    _ property: PropertySchema, _ object: ObjectID, _ body: (inout SetDelta) -> Void
  ) {
    hasChanged = true
    if log.isCreated(object) { return }
    log.changes[object.classID, default: ClassChange()].changeSet(
      property.id, of: object.number, body)
  }
}
