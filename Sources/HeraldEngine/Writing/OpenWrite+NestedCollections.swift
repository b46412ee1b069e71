package import HeraldModel
import HeraldObservation
import HeraldQuery
package import HeraldStorage

// A list or a map nested in a value of type `any` is an object of a hidden class: a write changes and records
// it with the functions that change list and map properties. The links in it belong to the property that
// contains it, and so does every change of it.

/// A value as it is read, and as it is stored, with references to nested collections.
struct Held {
  let whole: Value
  let stored: Value

  init(_ write: OpenWrite, _ column: Layout.Column, _ read: (TransactionReader) -> Value) {
    guard column.isAny else {
      stored = read(write.reader)
      whole = stored
      return
    }
    stored = read(write.reader.stored)
    whole = write.reader.whole(stored)
  }
}

extension OpenWrite {
  /// Returns the form in which a column stores a value: with new nested collections, to which it refers, in
  /// place of lists and maps.
  package func stored(_ value: Value, in column: Layout.Column) throws(StorageError) -> Value {
    guard column.isAny else { return value }
    switch value {
    case .list(let values):
      let collection = try create(.nestedLists)
      var elements: [Value] = []
      elements.reserveCapacity(values.count)
      for value in values { elements.append(try stored(value, in: column)) }
      try fill(collection, elements)
      return .link(collection)
    case .map(let entries):
      let collection = try create(.nestedMaps)
      var (keys, elements): ([String], [Value]) = ([], [])
      for (key, value) in entries.inKeyOrder {
        keys.append(key)
        elements.append(try stored(value, in: column))
      }
      try fill(collection, elements, keys)
      return .link(collection)
    case .null, .bool, .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID,
      .link:
      return value
    }
  }

  /// Replaces the stored elements of a nested collection, without recording that.
  func fill(
    _ collection: ObjectID, _ elements: [Value], _ keys: [String] = []
  ) throws(StorageError) {
    guard let column = reader.layout.column(.elements, of: collection.classID) else { return }
    let list = column.list(of: collection.number)
    if !elements.isEmpty || reader.listCount(.elements, of: collection) > 0 {
      try transaction.assign(list, column.kind, elements.map(column.stored))
    }
    guard collection.classID == .nestedMaps else { return }
    let storedKeys = column.keys(of: collection.number)
    if !keys.isEmpty || transaction.snapshot.listCount(storedKeys) > 0 {
      try transaction.assign(storedKeys, .bytes, keys.map { .bytes(Array($0.utf8)) })
    }
  }

  /// Deletes the nested collection that a stored value refers to, with those nested in it.
  func deleteNested(_ value: Value) throws(StorageError) {
    guard let collection = value.nestedCollection, reader.exists(collection) else { return }
    for element in reader.stored.nestedContents(collection).elements { try deleteNested(element) }
    try dissolve(collection)
  }

  /// Deletes a nested collection, but not those nested in it.
  func dissolve(_ collection: ObjectID) throws(StorageError) {
    try fill(collection, [])
    log.delete(collection)
    try transaction.delete(collection.classID.rawValue, collection.number)
  }
}

// MARK: - Edits

extension OpenWrite {
  /// Makes a validated edit of a nested collection. O(edit), and O(value) only where the property is indexed
  /// or observed.
  func change(
    _ place: NestedPlace, of property: PropertySchema, _ edit: CollectionEdit
  ) throws(StorageError) {
    guard let elements = ClassSchema.ofNested(place.collection.classID)?.property(.elements) else {
      return
    }
    let collection = place.collection
    try changeNested(in: property, place.holders[0]) { () throws(StorageError) in
      touch(place.holders)
      switch edit {
      case .insert(let values, let index):
        try insert(values, into: elements, of: collection, at: index)
      case .remove(let index): try take(at: index, from: elements, of: collection)
      case .replace(let index, let value):
        try put(value, at: index, in: elements, of: collection)
      case .move(let from, let to): try move(from: from, to: to, in: elements, of: collection)
      case .removeAll: try removeAll(elements, of: collection)
      case .setKey(let key, let value):
        try put(value, forKey: key, inMap: elements, of: collection)
      case .removeKey(let key): try remove(key: key, fromMap: elements, of: collection)
      case .insertValue, .removeValue: break
      }
    }
  }

  /// Runs `body`, which changes collections nested in a property, and notifies the property's observers.
  func changeNested(
    in property: PropertySchema, _ root: NestedPlace.Holder, isReported: Bool = true,
    _ body: () throws(StorageError) -> Void
  ) throws(StorageError) {
    let object = root.owner
    guard let column = reader.layout.column(property.id, of: object.classID) else { return }
    nestedRoot = (column, object)
    defer { nestedRoot = nil }
    switch root.step {
    case .row(let row):
      try body()
      if isReported { reportRows(property, of: object, .replacement, [row]) }
    case .key:
      try body()
      if isReported { reportRows(property, of: object, .setting) }
    case nil:
      let isObserved = !observatory.propertyTokens(on: object, property.id).isEmpty
      guard isObserved || column.isIndexed else { return try body() }
      let old = reader.value(column, object.number)
      try body()
      let new = reader.value(column, object.number)
      if column.isIndexed, old != new {
        try transaction.removeFromIndex(column.id, column.indexed(old), object.number)
        try transaction.addToIndex(column.id, column.indexed(new), object.number)
      }
      reportValue(column, of: object, old: old, new: new)
    }
  }

  /// Records that a nested collection changes for everything that contains it. Whether the values differ in
  /// the end is found out at the commit.
  func touch(_ holders: [NestedPlace.Holder]) {
    hasChanged = true
    for holder in holders where !log.isCreated(holder.owner) {
      guard let value = reader.stored.value(in: holder) else { continue }
      let (owner, property) = (holder.owner, holder.property)
      switch holder.step {
      case nil: log.change(owner, property, from: value, isAny: true)
      case .row(let row):
        let count = reader.listCount(property, of: owner)
        log.changes[owner.classID, default: ClassChange()].changeList(
          property, of: owner.number, count: count
        ) {
          $0.touch(at: row, value)
        }
      case .key(let key):
        log.changes[owner.classID, default: ClassChange()].changeMap(property, of: owner.number) {
          $0.touch(key, value)
        }
      }
    }
  }

  /// Removes the links to an object from the collection at a place and from those nested in it: rows of
  /// lists are removed, values of maps become nil. Returns whether there were any.
  func unlinkNested(
    _ object: ObjectID, from collection: ObjectID, in holders: [NestedPlace.Holder]
  ) throws(StorageError) -> Bool {
    guard let elements = ClassSchema.ofNested(collection.classID)?.property(.elements) else {
      return false
    }
    var isFound = false
    let contents = reader.stored.nestedContents(collection)
    // From the last row on, so that those before it keep their positions.
    for (row, element) in contents.elements.enumerated().reversed() {
      let isMap = collection.classID == .nestedMaps
      let step = isMap ? ValueStep.key(contents.keys[row]) : .row(row)
      if let inner = element.nestedCollection {
        let holder = NestedPlace.Holder(owner: collection, property: .elements, step: step)
        if try unlinkNested(object, from: inner, in: holders + [holder]) { isFound = true }
      } else if element == .link(object) {
        if !isFound { touch(holders) }
        isFound = true
        switch step {
        case .row(let row): try take(at: row, from: elements, of: collection)
        case .key(let key): try put(.null, forKey: key, inMap: elements, of: collection)
        }
      }
    }
    return isFound
  }
}
