import HeraldModel
import HeraldObservation
import HeraldQuery
import HeraldStorage

extension OpenWrite {
  /// Deletes an object and the embedded objects that it holds: every link to it becomes nil, and it is
  /// removed from every list and set, nested ones in values of type `any` included.
  func delete(_ object: ObjectID, _ classSchema: ClassSchema) throws(StorageError) {
    guard deleting.insert(object).inserted else { return }
    hasChanged = true
    try unlinkIncoming(object)
    var held: [Value] = []
    for property in classSchema.properties {
      held += try clearProperty(property, of: object)
    }
    forget(object)
    try transaction.delete(object.classID.rawValue, object.number)
    for value in held { try deleteEmbedded(in: value) }
    deleting.remove(object)
    reportDeletion(of: object)
  }

  /// Removes an object from the log: nothing is left of a new one, and only the deletion of an old one, whose
  /// previous values are read when the write ends.
  private func forget(_ object: ObjectID) {
    let number = object.number
    if isCreated(object) {
      log[object.classID]?.created.remove(number)
      return
    }
    var change = log.removeValue(forKey: object.classID) ?? ClassChange()
    for property in change.properties.keys { change.properties[property]?.remove(number) }
    for property in change.insides.keys { change.insides[property]?[number] = nil }
    memory.add(DeletedObject.memory)
    change.deleted[number] = DeletedObject(key: .null)
    log[object.classID] = change
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
      let old = reader.value(column, owner.number)
      inside = old.unlinking(object)
      defer { inside = nil }
      try set(column, of: owner, to: old.unlinked(from: object))
    case .list: try unlink(object, fromList: property, owner)
    case .set: try unlink(object, fromSet: property, owner)
    case .map:
      for (index, key) in keys(of: property, owner).enumerated() {
        let old = reader.listElement(property.id, of: owner, at: index)
        let new = old.unlinked(from: object)
        if new == old { continue }
        inside = old.unlinking(object, at: [.key(key)])
        defer { inside = nil }
        try put(new, forKey: key, inMap: property, of: owner)
      }
      reportSetting(property, owner)
    case .backlinks: break
    }
  }

  /// Removes the rows that are links to the object; rows that hold nested links to it lose only these.
  private func unlink(
    _ object: ObjectID, fromList property: PropertySchema, _ owner: ObjectID
  ) throws(StorageError) {
    let old = elements(of: property, owner)
    var change = ListChange(oldCount: old.count)
    for (row, element) in old.enumerated().reversed() {
      if element == .link(object) {
        try take(at: row, from: property, of: owner)
        change.remove(at: row, old: element)
        continue
      }
      let new = element.unlinked(from: object)
      if new == element { continue }
      inside = element.unlinking(object, at: [.row(row)])
      defer { inside = nil }
      try put(new, at: row, in: property, of: owner)
      change.replace(at: row, old: element, new: new)
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
    switch property.type.shape {
    case .single:
      if !column.isPlain {
        held = [reader.value(column, object.number)]
        try untrack(held[0], column, object)
      }
      try transaction.set(column.id, column.kind, object.number, .null)
    case .list, .set, .map:
      if column.element.mayHoldLinks {
        held = elements(of: property, object)
        for value in held { try removeLinks(in: value, column, object) }
      }
      try transaction.clear(column.list(of: object.number))
      if property.type.shape == .map {
        try transaction.clear(column.keys(of: object.number))
      }
    case .backlinks: break
    }
    return column.element.isLink ? held : []
  }
}
