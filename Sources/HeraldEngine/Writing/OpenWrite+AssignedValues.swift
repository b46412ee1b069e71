import HeraldModel
import HeraldObservation
import HeraldQuery
import HeraldStorage

// A whole value that is assigned gets new nested collections. What remains of the previous ones is decided at
// the commit, from the values at both ends (observation 4.4, 4.5): a map and, in it, each collection under a
// key that still has one of its kind keep their identity, and a list is cleared and filled; a value that is
// equal to the one before gets back all of them.

/// A place that can be assigned a whole value, as it was when the write began.
enum AssignedPlace: Hashable {
  case property(ObjectID, PropertyID)
  /// The row is the one that the element had.
  case row(ObjectID, PropertyID, Int)
  case key(ObjectID, PropertyID, MapKey)
}

extension OpenWrite {
  /// Deletes the nested collection that a whole value replaces, or that is removed with its key, and
  /// remembers it if it existed before the write.
  func replace(_ value: Value, at place: AssignedPlace) throws(StorageError) {
    guard let collection = value.nestedCollection else { return }
    if !log.isCreated(collection), replaced[place] == nil { replaced[place] = collection }
    try deleteNested(value)
  }

  /// Returns the row that an element of a list had when the write began; nil for an element that it added.
  func oldIndex(of row: Int, in property: PropertySchema, _ object: ObjectID) -> Int? {
    if log.isCreated(object) { return nil }
    guard let change = log.changes[object.classID]?[property.id].lists[object.number] else {
      return row
    }
    return change.oldIndex(at: row)
  }

  /// Restores the nested collections that assigned values replaced, as far as the values at the commit have
  /// such again. `before` reads the version at which the write began.
  func settleAssignments(before: any ObjectReader) throws(StorageError) {
    if replaced.isEmpty { return }
    let places = replaced
    replaced = [:]
    for (place, collection) in places {
      guard let holder = holder(at: place), let value = reader.stored.value(in: holder) else {
        continue
      }
      let settled = try renewed(collection, value, before)
      if settled != value { try put(settled, in: holder) }
    }
  }

  private func holder(at place: AssignedPlace) -> NestedPlace.Holder? {
    let (owner, property, step): (ObjectID, PropertyID, ValueStep?)
    switch place {
    case .property(let object, let id): (owner, property, step) = (object, id, nil)
    case .key(let object, let id, let key): (owner, property, step) = (object, id, .key(key.text))
    case .row(let object, let id, let oldIndex):
      let change = log.changes[object.classID]?[id].lists[object.number]
      guard let row = change == nil ? oldIndex : change?.newIndex(ofOld: oldIndex) else {
        return nil
      }
      (owner, property, step) = (object, id, .row(row))
    }
    return reader.exists(owner)
      ? NestedPlace.Holder(owner: owner, property: property, step: step) : nil
  }

  private func put(_ value: Value, in holder: NestedPlace.Holder) throws(StorageError) {
    let (owner, property) = (holder.owner, holder.property)
    guard let column = reader.layout.column(property, of: owner.classID) else { return }
    let list = column.list(of: owner.number)
    switch holder.step {
    case nil: try transaction.set(column.id, column.kind, owner.number, column.stored(value))
    case .row(let row): try transaction.replace(in: list, at: row, with: column.stored(value))
    case .key(let key):
      let index = reader.position(ofKey: key, inMap: property, of: owner).index
      try transaction.replace(in: list, at: index, with: column.stored(value))
    }
  }

  /// Gives the contents of the collection that `value` refers to, which is new, to the one that was in its
  /// place before the write, if both are of one kind; returns the reference to the collection that remains.
  private func renewed(
    _ previous: ObjectID, _ value: Value, _ before: any ObjectReader
  ) throws(StorageError) -> Value {
    guard let new = value.nestedCollection, new != previous, new.classID == previous.classID,
      !reader.exists(previous)
    else { return value }
    let reference = Value.link(previous)
    if before.whole(reference) == reader.whole(value) {
      try deleteNested(value)
      try restore(previous, before.references)
    } else if previous.classID == .nestedMaps {
      try renewMap(previous, new, before)
    } else {
      let elements = reader.stored.nestedContents(new).elements
      let old = before.references.nestedContents(previous).elements
      try dissolve(new)
      try revive(previous)
      try fill(previous, elements)
      log.changes[previous.classID, default: ClassChange()].changeList(
        .elements, of: previous.number, count: old.count
      ) {
        $0.clear { old }
        $0.insert(elements, at: 0)
      }
    }
    return reference
  }

  private func renewMap(
    _ previous: ObjectID, _ new: ObjectID, _ before: any ObjectReader
  ) throws(StorageError) {
    var (keys, elements) = ([String](), [Value]())
    (elements, keys) = reader.stored.nestedContents(new)
    let contents = before.references.nestedContents(previous)
    let old = MapEntries(zip(contents.keys, contents.elements))
    var removed = KeySet(contents.keys)
    var change = MapDelta()
    for (index, key) in keys.enumerated() {
      removed.remove(key)
      if let collection = old[key]?.nestedCollection {
        elements[index] = try renewed(collection, elements[index], before)
      }
      elements[index] = elements[index].inForm(of: old[key])
      change.set(key, old: old[key], new: elements[index])
      if let value = old[key] { change.touch(key, value) }
    }
    for key in removed { change.remove(key, old: old[key] ?? .null) }
    try dissolve(new)
    try revive(previous)
    try fill(previous, elements, keys)
    log.changes[previous.classID, default: ClassChange()].changeMap(.elements, of: previous.number)
    {
      $0 = change
    }
  }

  /// Restores a deleted nested collection with its contents of before the write.
  private func restore(
    _ collection: ObjectID, _ before: any ObjectReader
  ) throws(StorageError) {
    let (elements, keys) = before.nestedContents(collection)
    for element in elements {
      if let inner = element.nestedCollection { try restore(inner, before) }
    }
    try revive(collection)
    try fill(collection, elements, keys)
  }

  private func revive(_ collection: ObjectID) throws(StorageError) {
    try transaction.restore(collection.classID.rawValue, collection.number)
    log.changes[collection.classID]?.deleted[collection.number] = nil
  }
}
