package import HeraldModel
import HeraldObservation
import HeraldQuery
package import HeraldStorage

extension OpenWrite {
  /// Deletes an object and the embedded objects that it holds: every link to it becomes nil, and it is
  /// removed from every list and set, nested ones in values of type `any` included.
  package func delete(_ object: ObjectID, _ classSchema: ClassSchema) throws(StorageError) {
    guard deleting.insert(object).inserted else { return }
    hasChanged = true
    try unlinkIncoming(object)
    var held: [Value] = []
    for property in classSchema.properties {
      held += try clearProperty(property, of: object)
    }
    log.delete(object)
    try transaction.delete(object.classID.rawValue, object.number)
    for value in held { try deleteEmbedded(in: value) }
    deleting.remove(object)
    reportDeletion(of: object)
  }

  /// Deletes objects of a class that exist, ascending, and what they hold. Block by block where none of them can hold
  /// links or collections and nobody is to be notified of each.
  func delete(
    _ numbers: ArraySlice<ObjectNumber>, of classSchema: ClassSchema
  ) throws(StorageError) {
    let classID = classSchema.id
    guard !observatory.hasPropertyObservers, !isMigrating, !classSchema.isEmbedded,
      let form = reader.layout.form(classID),
      form.columns.allSatisfy({ $0.isBacklinks || $0.isSingle && !$0.element.mayHoldLinks })
    else {
      for number in numbers {
        let object = ObjectID(classID, number)
        if reader.exists(object) { try delete(object, classSchema) }
      }
      return
    }
    hasChanged = true
    if !reader.layout.incoming(to: classID).isEmpty {
      for number in numbers { try unlinkIncoming(ObjectID(classID, number)) }
    }
    for column in form.columns where column.isIndexed {
      for number in numbers {
        let value = reader.value(column, number)
        try transaction.removeFromIndex(column.id, column.indexed(value), number)
      }
    }
    log.delete(numbers, of: classID)
    try transaction.delete(classID.rawValue, numbers)
  }

  private func unlinkIncoming(_ object: ObjectID) throws(StorageError) {
    for incoming in reader.layout.incoming(to: object.classID) {
      var origins: [ObjectNumber] = []
      reader.forEachOrigin(of: object, origin: incoming.origin, property: incoming.property) {
        origin, _ in
        origins.append(origin)
        return true
      }
      guard !origins.isEmpty,
        let property = reader.schema.classSchema(incoming.origin)?.property(incoming.property)
      else { continue }
      for origin in origins {
        try unlink(object, from: property, ObjectID(incoming.origin, origin))
      }
    }
  }

  private func unlink(
    _ object: ObjectID, from property: PropertySchema, _ owner: ObjectID
  ) throws(StorageError) {
    switch property.type.shape {
    case .single:
      guard let column = reader.layout.column(property.id, of: owner.classID) else { return }
      let value = reader.stored.value(column, owner.number)
      let holder = NestedPlace.Holder(owner: owner, property: property.id, step: nil)
      if value == .link(object) {
        try set(column, of: owner, to: .null)
      } else {
        _ = try unlink(object, fromNested: value, holder, property)
      }
    case .list: try unlink(object, fromList: property, owner)
    case .set: try unlink(object, fromSet: property, owner)
    case .map:
      for (index, key) in keys(of: property, owner).enumerated() {
        let value = reader.stored.listElement(property.id, of: owner, at: index)
        let holder = NestedPlace.Holder(owner: owner, property: property.id, step: .key(key))
        if value == .link(object) {
          try put(.null, forKey: key, inMap: property, of: owner)
        } else {
          _ = try unlink(object, fromNested: value, holder, property)
        }
      }
      reportSetting(property, owner)
    case .backlinks: break
    }
  }

  /// Removes the links in the nested collection that a stored value refers to; returns whether there were
  /// any.
  private func unlink(
    _ object: ObjectID, fromNested value: Value, _ holder: NestedPlace.Holder,
    _ property: PropertySchema
  ) throws(StorageError) -> Bool {
    guard let collection = value.nestedCollection else { return false }
    var isFound = false
    try changeNested(in: property, holder, isReported: holder.step == nil) {
      () throws(StorageError) in
      isFound = try unlinkNested(object, from: collection, in: [holder])
    }
    return isFound
  }

  /// Removes the rows that are links to the object; rows that hold nested links to it lose only these.
  private func unlink(
    _ object: ObjectID, fromList property: PropertySchema, _ owner: ObjectID
  ) throws(StorageError) {
    let old = reader.stored.elements(of: property, owner)
    var change = ListDelta(oldCount: old.count)
    for (row, element) in old.enumerated().reversed() {
      if element == .link(object) {
        try take(at: row, from: property, of: owner)
        change.remove(at: row, old: element)
        continue
      }
      let holder = NestedPlace.Holder(owner: owner, property: property.id, step: .row(row))
      if try unlink(object, fromNested: element, holder, property) {
        change.touch(at: row, element)
      }
    }
    reportUnlinked(change, property, owner)
  }

  private func unlink(
    _ object: ObjectID, fromSet property: PropertySchema, _ owner: ObjectID
  ) throws(StorageError) {
    for element in elements(of: property, owner) {
      let new = element.unlinked(from: object)
      if new == element { continue }
      _ = try take(element, fromSet: property, of: owner)
      if element != .link(object) { _ = try put(new, intoSet: property, of: owner) }
    }
    reportSetting(property, owner)
  }

  /// Removes an object's property from columns, links and indexes; returns the values that may have been
  /// embedded objects.
  func clearProperty(
    _ property: PropertySchema, of object: ObjectID
  ) throws(StorageError) -> [Value] {
    guard let column = reader.layout.column(property.id, of: object.classID) else { return [] }
    var held: [Value] = []
    var nested: [Value] = []
    switch property.type.shape {
    case .single:
      if !column.isPlain {
        let value = Held(self, column) { $0.value(column, object.number) }
        held = [value.whole]
        nested = [value.stored]
        try untrack(held[0], column, object)
      }
      try transaction.set(column.id, column.kind, object.number, .null)
    case .list, .set, .map:
      if column.element.mayHoldLinks {
        held = elements(of: property, object)
        nested = column.isAny ? reader.stored.elements(of: property, object) : []
        for value in held { try removeLinks(in: value, column, object) }
      }
      try transaction.clear(column.list(of: object.number))
      if property.type.shape == .map {
        try transaction.clear(column.keys(of: object.number))
      }
    case .backlinks: break
    }
    for value in nested { try deleteNested(value) }
    return column.element.isLink ? held : []
  }
}
