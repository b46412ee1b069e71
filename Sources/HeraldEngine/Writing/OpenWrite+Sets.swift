import HeraldModel
import HeraldObservation
import HeraldQuery
import HeraldStorage

extension OpenWrite {
  /// Puts a value into a set; nothing where it is there.
  func insert(
    _ value: Value, intoSet property: PropertySchema, of object: ObjectID
  ) throws(StorageError) {
    if try put(value, intoSet: property, of: object) { tellRows(property, of: object, .setting) }
  }

  /// Takes a value out of a set; nothing where it is not there.
  func remove(
    _ value: Value, fromSet property: PropertySchema, of object: ObjectID
  ) throws(StorageError) {
    if try take(value, fromSet: property, of: object) { tellRows(property, of: object, .setting) }
  }

  /// False where it is there. Tells nobody.
  func put(
    _ value: Value, intoSet property: PropertySchema, of object: ObjectID
  ) throws(StorageError) -> Bool {
    guard let column = reader.layout.column(property.id, of: object.classID) else { return false }
    let place = reader.place(of: value, inSet: property.id, of: object)
    if place.isPresent { return false }
    noteSet(property, object) { $0.insert(value) }
    try reader.transaction.insert(
      column.stored(value), into: column.list(of: object.number), column.kind, at: place.index)
    try addLinks(in: value, column, object)
    return true
  }

  /// False where it is not there. Tells nobody.
  func take(
    _ value: Value, fromSet property: PropertySchema, of object: ObjectID
  ) throws(StorageError) -> Bool {
    guard let column = reader.layout.column(property.id, of: object.classID) else { return false }
    let place = reader.place(of: value, inSet: property.id, of: object)
    guard place.isPresent else { return false }
    let old = reader.listElement(property.id, of: object, at: place.index)
    noteSet(property, object) { $0.remove(old) }
    try reader.transaction.remove(from: column.list(of: object.number), at: place.index)
    try removeLinks(in: old, column, object)
    return true
  }

  /// A whole set assigned: only what differs changes (observation 4.4); told as one assignment.
  func assign(
    _ values: [Value], toSet property: PropertySchema, of object: ObjectID
  ) throws(StorageError) {
    let new = Set(values)
    for old in elements(of: property, object) where !new.contains(old) {
      _ = try take(old, fromSet: property, of: object)
    }
    for value in values { _ = try put(value, intoSet: property, of: object) }
    tellRows(property, of: object, .setting)
  }

  private func noteSet(
    _ property: PropertySchema, _ object: ObjectID, _ body: (inout SetChange) -> Void
  ) {
    hasChanged = true
    if isCreated(object) { return }
    body(
      &log[object.classID, default: ClassChange()].sets[property.id, default: [:]][
        object.number, default: SetChange()])
  }
}
