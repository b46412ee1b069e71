import HeraldModel
import HeraldObservation
import HeraldQuery
import HeraldStorage

extension OpenWrite {
  /// Deletes an object: every link to it becomes nil, it leaves every list and set, and the embedded
  /// objects that it holds go with it.
  func delete(_ object: ObjectID, _ classSchema: ClassSchema) throws(StorageError) {
    guard deleting.insert(object).inserted else { return }
    hasChanged = true
    try unlinkIncoming(object)
    let deleted = isCreated(object) ? nil : self.deleted(object, classSchema)
    var held: [Value] = []
    for property in classSchema.properties {
      held += try clearProperty(property, of: object)
    }
    try reader.transaction.delete(object.classID.rawValue, object.number)
    forget(object, deleted)
    for value in held { try deleteEmbedded(in: value) }
    deleting.remove(object)
    tellDeletion(of: object)
  }

  /// In the log, a new object that goes was never there; of an old one only its going is left.
  private func forget(_ object: ObjectID, _ deleted: DeletedObject?) {
    let number = object.number
    guard let deleted else {
      log[object.classID]?.created.remove(number)
      return
    }
    var change = log.removeValue(forKey: object.classID) ?? ClassChange()
    for property in change.columns.keys { change.columns[property]?[number] = nil }
    for property in change.lists.keys { change.lists[property]?[number] = nil }
    for property in change.sets.keys { change.sets[property]?[number] = nil }
    for property in change.maps.keys { change.maps[property]?[number] = nil }
    for property in change.insides.keys { change.insides[property]?[number] = nil }
    change.deleted[number] = deleted
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
      tellSetting(property, owner)
    case .backlinks: break
    }
  }

  /// A row that is a link to the object goes; a value that links to it from inside stays.
  private func unlink(
    _ object: ObjectID, fromList property: PropertySchema, _ owner: ObjectID
  ) throws(StorageError) {
    let isOfLinks = property.type.element.isLink
    let count = reader.listCount(property.id, of: owner)
    var rows: [Int] = []
    for (row, element) in elements(of: property, owner).enumerated().reversed() {
      let new = element.unlinked(from: object)
      if new == element { continue }
      rows.append(row)
      if isOfLinks {
        try take(at: row, from: property, of: owner)
      } else {
        inside = element.unlinking(object, at: [.row(row)])
        defer { inside = nil }
        try put(new, at: row, in: property, of: owner)
      }
    }
    if isOfLinks {
      tellRemoved(rows.reversed(), of: count, property, owner)
    } else {
      tellReplaced(rows.reversed(), property, owner)
    }
  }

  private func unlink(
    _ object: ObjectID, fromSet property: PropertySchema, _ owner: ObjectID
  ) throws(StorageError) {
    for element in elements(of: property, owner) {
      let new = element.unlinked(from: object)
      if new == element { continue }
      _ = try take(element, fromSet: property, of: owner)
      if !property.type.element.isLink { _ = try put(new, intoSet: property, of: owner) }
    }
    tellSetting(property, owner)
  }

  /// What can no longer be read of an object that goes: as it was when the write began.
  private func deleted(_ object: ObjectID, _ classSchema: ClassSchema) -> DeletedObject {
    let change = log[object.classID]
    var links: Set<OutgoingLink> = []
    for property in classSchema.properties where property.type.element.mayHoldLinks {
      for target in oldLinks(property, of: object, change) {
        links.insert(OutgoingLink(property: property.id, target: target))
      }
    }
    return DeletedObject(
      key: classSchema.primaryKey.map { reader.value($0.id, of: object) } ?? .null,
      links: links.sorted(), values: oldValues(object, classSchema))
  }

  /// The single-valued properties as they were when the write began.
  private func oldValues(_ object: ObjectID, _ classSchema: ClassSchema) -> [PropertyID: Value] {
    let change = log[object.classID]
    var values: [PropertyID: Value] = [:]
    for property in classSchema.properties where property.type.shape == .single {
      let old =
        change?.columns[property.id]?[object.number] ?? reader.value(property.id, of: object)
      if !old.isNull { values[property.id] = old }
    }
    return values
  }

  private func oldLinks(
    _ property: PropertySchema, of object: ObjectID, _ change: ClassChange?
  ) -> [ObjectID] {
    let number = object.number
    switch property.type.shape {
    case .single:
      let old = change?.columns[property.id]?[number] ?? reader.value(property.id, of: object)
      return old.links
    case .list:
      let values = elements(of: property, object)
      guard let change = change?.lists[property.id]?[number] else { return values.flatMap(\.links) }
      return change.keptIndices.flatMap { values[$0].links } + change.removedLinks
    case .set:
      let values = elements(of: property, object)
      guard let change = change?.sets[property.id]?[number] else { return values.flatMap(\.links) }
      let kept = values.filter { !change.inserted.contains($0) }
      return (kept + change.removed).flatMap(\.links)
    case .map:
      let change = change?.maps[property.id]?[number] ?? MapChange()
      var old = Array(change.removed.values) + change.modified.values
      for row in 0..<reader.listCount(property.id, of: object) {
        let key = reader.mapKey(property.id, of: object, at: row)
        if change.inserted.contains(key) || change.modified[key] != nil { continue }
        old.append(reader.listElement(property.id, of: object, at: row))
      }
      return old.flatMap(\.links)
    case .backlinks: return []
    }
  }

  /// Takes a property of an object that goes out of columns, links and indexes; answers what it held
  /// that may be embedded objects.
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
      try reader.transaction.set(column.id, column.kind, object.number, .null)
    case .list, .set, .map:
      if column.element.mayHoldLinks {
        held = elements(of: property, object)
        for value in held { try removeLinks(in: value, column, object) }
      }
      try reader.transaction.clear(column.list(of: object.number))
      if property.type.shape == .map {
        try reader.transaction.clear(column.keys(of: object.number))
      }
    case .backlinks: break
    }
    return column.element.isLink ? held : []
  }
}
