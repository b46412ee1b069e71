package import HeraldModel
import HeraldObservation
import HeraldQuery
import HeraldStorage

extension Session {
  /// Changes a collection of an object in the open write, after it has validated everything.
  package func change(
    _ property: PropertySchema, of object: ObjectID, _ operation: CollectionEdit
  ) throws {
    let write = try openWrite()
    let (classSchema, property) = try current(property, of: object)
    guard !property.type.isBacklinks else {
      throw HeraldError.cannotChangeBacklinks(property.name)
    }
    guard operation.fits(property.type.shape) else {
      throw HeraldError.notACollection(property: property.name, className: classSchema.name)
    }
    let checked = try check(operation, property, classSchema, of: object)
    try stored { () throws(StorageError) in
      switch checked {
      case .insert(let values, let index):
        try write.insert(values, into: property, of: object, at: index)
      case .remove(let index): try write.remove(at: index, from: property, of: object)
      case .replace(let index, let value):
        try write.replace(at: index, in: property, of: object, with: value)
      case .move(let old, let new): try write.move(from: old, to: new, in: property, of: object)
      case .removeAll: try write.removeAll(property, of: object)
      case .insertValue(let value): try write.insert(value, intoSet: property, of: object)
      case .removeValue(let value): try write.remove(value, fromSet: property, of: object)
      case .setKey(let key, let value):
        try write.set(value, forKey: key, inMap: property, of: object)
      case .removeKey(let key): try write.remove(key: key, fromMap: property, of: object)
      }
    }
    try endStatement()
  }

  /// Changes a list or a map nested in a value of type `any`, or in an element of a collection of such
  /// values, at the path `steps`, after it has validated everything.
  package func change(
    _ property: PropertySchema, of object: ObjectID, inside steps: [ValueStep],
    _ edit: CollectionEdit
  ) throws {
    let write = try openWrite()
    let (classSchema, property) = try current(property, of: object)
    for value in edit.values { _ = try coerce(value, property, classSchema) }
    guard let place = reader.nestedPlace(at: steps, of: property.id, object),
      edit.fits(place.collection.classID == .nestedMaps ? .map : .list)
    else {
      throw HeraldError.notACollection(property: property.name, className: classSchema.name)
    }
    try edit.checkRows(count: reader.listCount(.elements, of: place.collection))
    if !hasEffect(edit, on: place.collection) && !edit.isAssignment { return }
    guard !edit.values.contains(where: { $0.isDeeper(than: nestingLimit - steps.count - 1) }) else {
      throw HeraldError.nestedTooDeeply(
        property: property.name, className: classSchema.name, limit: nestingLimit)
    }
    try stored { () throws(StorageError) in try write.change(place, of: property, edit) }
    try endStatement()
  }

  /// Returns a property, with its class, as the schema has it now: the caller may have obtained the collection
  /// before the class was altered.
  private func current(
    _ property: PropertySchema, of object: ObjectID
  ) throws -> (ClassSchema, PropertySchema) {
    let classSchema = try checkedClass(of: object)
    guard let property = classSchema.property(property.id) else {
      throw HeraldError.droppedFromSchema(
        "property '\(property.name)' of class '\(classSchema.name)'")
    }
    return (classSchema, property)
  }

  /// Whether an edit changes a value of a nested collection, or moves a row, perhaps among equal ones.
  private func hasEffect(_ edit: CollectionEdit, on collection: ObjectID) -> Bool {
    switch edit {
    case .insert(let values, at: _): !values.isEmpty
    case .move(let from, let to): from != to
    case .removeAll: reader.listCount(.elements, of: collection) > 0
    case .removeKey(let key): reader.mapValue(forKey: key, .elements, of: collection) != nil
    case .remove, .replace, .setKey, .insertValue, .removeValue: true
    }
  }

  private func check(
    _ operation: CollectionEdit, _ property: PropertySchema, _ classSchema: ClassSchema,
    of object: ObjectID
  ) throws(HeraldError) -> CollectionEdit {
    func coerced(_ value: Value) throws(HeraldError) -> Value {
      try coerce(value, property, classSchema, asPartOf: object)
    }
    if property.type.shape == .list {
      try operation.checkRows(count: reader.listCount(property.id, of: object))
    }
    switch operation {
    case .insert(let values, let index):
      var elements: [Value] = []
      for value in values { elements.append(try coerced(value)) }
      return .insert(elements, at: index)
    case .replace(let index, let value):
      let old = reader.listElement(property.id, of: object, at: index)
      return .replace(at: index, with: value == old ? value : try coerced(value))
    case .insertValue(let value): return .insertValue(try coerced(value))
    case .removeValue(let value):
      return .removeValue(try property.coerced(value, in: classSchema, schema))
    case .setKey(let key, let value):
      let old = reader.mapValue(forKey: key, property.id, of: object)
      return .setKey(key, value == old ? value : try coerced(value))
    case .remove, .move, .removeAll, .removeKey: return operation
    }
  }

  /// Deletes objects one after another and skips those that an earlier deletion has removed. Property
  /// observers are notified once, when all are deleted. `check` may stop it with an error.
  package func delete(_ objects: [ObjectID], _ check: () throws -> Void) throws {
    let write = try openWrite()
    write.gathered = CollectedReports()
    defer { write.gathered = nil }
    if observatory.hasPropertyObservers {
      for object in objects where reader.exists(object) {
        try check()
        let classSchema = try checkedClass(of: object)
        delivery.deletedKeys[object] = key(of: object)
        try stored { () throws(StorageError) in try write.delete(object, classSchema) }
      }
    } else {
      var rest = objects[...]
      while let run = rest.popRun(atMost: Self.deletedAtOnce) {
        try delete(run.filter { reader.exists($0) }, write, check)
      }
    }
    notify(write.takeCollectedReports())
    try endStatement()
  }

  /// Deletes objects of one class that exist, ascending, up to the one for which `check` throws.
  private func delete(
    _ run: [ObjectID], _ write: OpenWrite, _ check: () throws -> Void
  ) throws {
    guard let first = run.first else { return }
    let classSchema = try checkedClass(of: first)
    var numbers: [ObjectNumber] = []
    func deleteChecked() throws {
      try stored { () throws(StorageError) in try write.delete(numbers[...], of: classSchema) }
    }
    for object in run {
      do {
        try check()
      } catch {
        try deleteChecked()
        throw error
      }
      numbers.append(object.number)
    }
    try deleteChecked()
  }

  /// Those of some blocks.
  private static var deletedAtOnce: Int { 16 * blockSize }

  package func delete(_ object: ObjectID) throws {
    _ = try openWrite()
    _ = try checkedClass(of: object)
    try delete([object]) {}
  }
}

extension CollectionEdit {
  /// Whether it is an assignment, which notifies observers even if the value is equal (observation 8.1).
  fileprivate var isAssignment: Bool {
    switch self {
    case .replace, .setKey: true
    case .insert, .remove, .move, .removeAll, .insertValue, .removeValue, .removeKey: false
    }
  }

  /// The values that it inserts or assigns.
  fileprivate var values: [Value] {
    switch self {
    case .insert(let values, at: _): values
    case .replace(at: _, let value), .insertValue(let value), .setKey(_, let value): [value]
    case .remove, .move, .removeAll, .removeValue, .removeKey: []
    }
  }
}

extension ArraySlice<ObjectID> {
  /// Removes and returns the first objects, of one class and ascending; nil if there are none.
  fileprivate mutating func popRun(atMost count: Int) -> Self? {
    guard let first else { return nil }
    var end = startIndex + 1
    while end < endIndex, end - startIndex < count, self[end].classID == first.classID,
      self[end - 1].number < self[end].number
    {
      end += 1
    }
    defer { self = self[end...] }
    return self[..<end]
  }
}
