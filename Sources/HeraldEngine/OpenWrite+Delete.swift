import HeraldModel
import HeraldObservation
import HeraldQuery
import HeraldStorage

extension OpenWrite {
  /// Deletes an object: every link to it becomes nil, and it leaves every list.
  func delete(_ object: ObjectID, _ classSchema: ClassSchema) throws(StorageError) {
    hasChanged = true
    try unlinkIncoming(object)
    let deleted = DeletedObject(
      key: oldKey(of: object, classSchema), values: oldValues(object, classSchema),
      links: oldLinks(object, classSchema))
    for property in classSchema.properties { try clearProperty(property, of: object) }
    try reader.transaction!.delete(object.classID.rawValue, object.number)
    forget(object, deleted)
  }

  /// In the log, a new object that goes was never there; of an old one only its going is left.
  private func forget(_ object: ObjectID, _ deleted: DeletedObject) {
    let number = object.number
    if isCreated(object) {
      log[object.classID]?.created.remove(number)
      return
    }
    var change = log.removeValue(forKey: object.classID) ?? ClassChange()
    for property in change.columns.keys { change.columns[property]?[number] = nil }
    for property in change.lists.keys { change.lists[property]?[number] = nil }
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
        let owner = ObjectID(incoming.origin, origin)
        switch incoming.column.shape {
        case .single: try set(property, of: owner, to: .null, isNew: false)
        case .list: try removeAll(of: object, from: property, owner)
        }
      }
    }
  }

  private func removeAll(
    of object: ObjectID, from property: PropertySchema, _ owner: ObjectID
  ) throws(StorageError) {
    var rows: [Int] = []
    var row = 0
    reader.forEachElement(property.id, of: owner) { element in
      if element == .link(object) { rows.append(row) }
      row += 1
      return true
    }
    for row in rows.reversed() { try remove(at: row, from: property, of: owner) }
  }

  private func oldKey(of object: ObjectID, _ classSchema: ClassSchema) -> Value {
    classSchema.primaryKey.map { reader.value($0.id, of: object) } ?? .null
  }

  /// The single-valued properties as they were when the write began.
  private func oldValues(_ object: ObjectID, _ classSchema: ClassSchema) -> [PropertyID: Value] {
    if isCreated(object) { return [:] }
    let change = log[object.classID]
    var values: [PropertyID: Value] = [:]
    for property in classSchema.properties where property.type.shape == .single {
      let old =
        change?.columns[property.id]?[object.number] ?? reader.value(property.id, of: object)
      if !old.isNull { values[property.id] = old }
    }
    return values
  }

  /// The links that the object held when the write began.
  private func oldLinks(_ object: ObjectID, _ classSchema: ClassSchema) -> [OutgoingLink] {
    if isCreated(object) { return [] }
    let change = log[object.classID]
    var links: [OutgoingLink] = []
    for property in classSchema.properties where property.type.element.isLink {
      switch property.type.shape {
      case .single:
        let old =
          change?.columns[property.id]?[object.number] ?? reader.value(property.id, of: object)
        if case .link(let target) = old {
          links.append(OutgoingLink(property: property.id, target: target))
        }
      case .list:
        var targets = change?.lists[property.id]?[object.number]?.removedLinks ?? []
        for case .link(let target) in elements(of: property, object) { targets.insert(target) }
        links += targets.map { OutgoingLink(property: property.id, target: $0) }
      }
    }
    return links
  }

  /// Takes a property of an object that goes out of columns, links and indexes.
  private func clearProperty(
    _ property: PropertySchema, of object: ObjectID
  ) throws(StorageError) {
    guard let column = reader.layout.column(property.id, of: object.classID) else { return }
    switch property.type.shape {
    case .single:
      if property.isIndexed || property.isPrimaryKey || column.element.isLink {
        try untrack(reader.value(property.id, of: object), property, column, object)
      }
      try reader.transaction!.set(column.id, column.kind, object.number, .null)
    case .list:
      if column.element.isLink {
        for case .link(let target) in elements(of: property, object) {
          try removeLink(column, object, target)
        }
      }
      try reader.transaction!.clear(column.list(of: object.number))
    }
  }
}
