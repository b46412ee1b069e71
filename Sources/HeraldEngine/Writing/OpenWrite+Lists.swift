import HeraldModel
import HeraldObservation
import HeraldQuery
import HeraldStorage

extension OpenWrite {
  func insert(
    _ values: [Value], into property: PropertySchema, of object: ObjectID, at index: Int
  ) throws(StorageError) {
    guard let column = reader.layout.column(property.id, of: object.classID), !values.isEmpty
    else { return }
    noteList(property, object) { $0.insert(values, at: index) }
    noteInside(property, object, .insert(at: index, count: values.count))
    let list = column.list(of: object.number)
    for (offset, value) in values.enumerated() {
      try transaction.insert(
        column.stored(value), into: list, column.kind, at: index + offset)
      try addLinks(in: value, column, object)
    }
    reportRows(property, of: object, .insertion, Array(index..<index + values.count))
  }

  func remove(
    at index: Int, from property: PropertySchema, of object: ObjectID
  ) throws(StorageError) {
    try take(at: index, from: property, of: object)
    reportRows(property, of: object, .removal, [index])
  }

  /// Removes an element without a notification.
  func take(
    at index: Int, from property: PropertySchema, of object: ObjectID
  ) throws(StorageError) {
    guard let column = reader.layout.column(property.id, of: object.classID) else { return }
    let old = reader.listElement(property.id, of: object, at: index)
    noteList(property, object) { $0.remove(at: index, old: old) }
    noteInside(property, object, .remove(at: index))
    try transaction.remove(from: column.list(of: object.number), at: index)
    try removeLinks(in: old, column, object)
    try deleteEmbedded(in: old)
  }

  /// Replaces an element. An equal value is no change, but notifies property observers, as every assignment
  /// does (observation 8.1).
  func replace(
    at index: Int, in property: PropertySchema, of object: ObjectID, with value: Value
  ) throws(StorageError) {
    try put(value, at: index, in: property, of: object)
    reportRows(property, of: object, .replacement, [index])
  }

  /// Replaces an element without a notification.
  func put(
    _ value: Value, at index: Int, in property: PropertySchema, of object: ObjectID
  ) throws(StorageError) {
    guard let column = reader.layout.column(property.id, of: object.classID) else { return }
    let old = reader.listElement(property.id, of: object, at: index)
    if old == value { return noteEqual(property, object) }
    noteList(property, object) { $0.replace(at: index, old: old, new: value) }
    noteInside(property, object, .replace(at: index, with: value))
    try transaction.replace(
      in: column.list(of: object.number), at: index, with: column.stored(value))
    try removeLinks(in: old, column, object)
    try addLinks(in: value, column, object)
    try deleteEmbedded(in: old)
  }

  func move(
    from old: Int, to new: Int, in property: PropertySchema, of object: ObjectID
  ) throws(StorageError) {
    guard let column = reader.layout.column(property.id, of: object.classID), old != new
    else { return }
    noteList(property, object) { $0.move(from: old, to: new) }
    noteInside(property, object, .move(from: old, to: new))
    try transaction.move(
      in: column.list(of: object.number), from: old, to: new)
    reportRows(property, of: object, .replacement, Array(min(old, new)...max(old, new)))
  }

  func clear(_ property: PropertySchema, of object: ObjectID) throws(StorageError) {
    let count = reader.listCount(property.id, of: object)
    try empty(property, of: object)
    if count > 0 { reportRows(property, of: object, .removal, Array(0..<count)) }
  }

  private func empty(_ property: PropertySchema, of object: ObjectID) throws(StorageError) {
    guard let column = reader.layout.column(property.id, of: object.classID) else { return }
    let old = elements(of: property, object)
    if old.isEmpty { return }
    noteList(property, object) { $0.clear { old } }
    noteInside(property, object, .clear)
    try transaction.clear(column.list(of: object.number))
    for value in old { try removeLinks(in: value, column, object) }
    for value in old { try deleteEmbedded(in: value) }
  }

  /// Assigns a whole list: clears it and inserts the values (observation 4.4).
  func assign(
    _ values: [Value], to property: PropertySchema, of object: ObjectID
  ) throws(StorageError) {
    guard let column = reader.layout.column(property.id, of: object.classID) else { return }
    try empty(property, of: object)
    defer { reportRows(property, of: object, .setting) }
    if values.isEmpty { return }
    noteList(property, object) { $0.insert(values, at: 0) }
    noteInside(property, object, .insert(at: 0, count: values.count))
    try transaction.assign(
      column.list(of: object.number), column.kind, values.map(column.stored))
    for value in values { try addLinks(in: value, column, object) }
  }

  func elements(of property: PropertySchema, _ object: ObjectID) -> [Value] {
    var elements: [Value] = []
    elements.reserveCapacity(reader.listCount(property.id, of: object))
    reader.forEachElement(property.id, of: object) {
      elements.append($0)
      return true
    }
    return elements
  }

  /// Records an operation on a list before it is done, except for lists of new objects.
  private func noteList(
    _ property: PropertySchema, _ object: ObjectID, _ body: (inout ListChange) -> Void
  ) {
    hasChanged = true
    if isCreated(object) { return }
    let count = reader.listCount(property.id, of: object)
    log[object.classID, default: ClassChange()].changeList(
      property.id, of: object.number, count: count, body)
  }
}
