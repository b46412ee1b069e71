package import HeraldModel
import HeraldObservation
import HeraldQuery
import HeraldStorage

extension OpenWrite {
  func insert(
    _ values: [Value], into property: PropertySchema, of object: ObjectID, at index: Int
  ) throws(StorageError) {
    guard let column = reader.layout.column(property.id, of: object.classID), !values.isEmpty
    else { return }
    recordList(property, object) { $0.insert(values, at: index) }
    let list = column.list(of: object.number)
    for (offset, value) in values.enumerated() {
      try transaction.insert(
        column.stored(stored(value, in: column)), into: list, column.kind, at: index + offset)
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
    let held = Held(self, column) { $0.listElement(property.id, of: object, at: index) }
    recordList(property, object) { $0.remove(at: index, old: held.stored) }
    try transaction.remove(from: column.list(of: object.number), at: index)
    try removeLinks(in: held.whole, column, object)
    try deleteNested(held.stored)
    try deleteEmbedded(in: held.whole)
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
    let held = Held(self, column) { $0.listElement(property.id, of: object, at: index) }
    if held.whole == value { return }
    let oldIndex = oldIndex(of: index, in: property, object)
    let value = restored(value, property.id, object) { change in
      oldIndex.flatMap { change.lists[object.number]?.replaced[$0] }
    }
    if let oldIndex {
      try replace(held.stored, at: .row(object, property.id, oldIndex))
    } else {
      try deleteNested(held.stored)
    }
    let new = try stored(value, in: column)
    recordList(property, object) { $0.replace(at: index, old: held.stored, new: new) }
    try transaction.replace(
      in: column.list(of: object.number), at: index, with: column.stored(new))
    try removeLinks(in: held.whole, column, object)
    try addLinks(in: value, column, object)
    try deleteEmbedded(in: held.whole)
  }

  func move(
    from old: Int, to new: Int, in property: PropertySchema, of object: ObjectID
  ) throws(StorageError) {
    guard let column = reader.layout.column(property.id, of: object.classID), old != new
    else { return }
    recordList(property, object) { $0.move(from: old, to: new) }
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
    let held = column.isAny ? reader.stored.elements(of: property, object) : old
    recordList(property, object) { $0.clear { held } }
    try transaction.clear(column.list(of: object.number))
    for value in old { try removeLinks(in: value, column, object) }
    for value in held { try deleteNested(value) }
    for value in old { try deleteEmbedded(in: value) }
  }

  /// Assigns a whole list: clears it and inserts the values (observation 4.4).
  func assign(
    _ values: [Value], to property: PropertySchema, of object: ObjectID
  ) throws(StorageError) {
    guard let column = reader.layout.column(property.id, of: object.classID) else { return }
    defer { reportRows(property, of: object, .setting) }
    // Embedded objects that the list held would be deleted with it, and those that it gets be none of them.
    if column.mayHoldEmbedded, elements(of: property, object) == values { return }
    let values = restored(values, property, object)
    try empty(property, of: object)
    if values.isEmpty { return }
    recordList(property, object) { $0.insert(values, at: 0) }
    var held: [StoredValue] = []
    held.reserveCapacity(values.count)
    for value in values { held.append(column.stored(try stored(value, in: column))) }
    try transaction.assign(column.list(of: object.number), column.kind, held)
    for value in values { try addLinks(in: value, column, object) }
  }

  func elements(of property: PropertySchema, _ object: ObjectID) -> [Value] {
    reader.elements(of: property, object)
  }

  /// Records an operation on a list before it is done, except for lists of new objects.
  private func recordList(
    _ property: PropertySchema, _ object: ObjectID, _ body: (inout ListDelta) -> Void
  ) {
    hasChanged = true
    if log.isCreated(object) { return }
    let count = reader.listCount(property.id, of: object)
    log.changes[object.classID, default: ClassChange()].changeList(
      property.id, of: object.number, count: count, body)
  }
}

extension TransactionReader {
  package func elements(of property: PropertySchema, _ object: ObjectID) -> [Value] {
    var elements: [Value] = []
    elements.reserveCapacity(listCount(property.id, of: object))
    forEachElement(property.id, of: object) {
      elements.append($0)
      return true
    }
    return elements
  }
}
