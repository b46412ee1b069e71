import HeraldModel
import HeraldQuery

/// An observed property of one object, or whether the object is still there.
final class PropertySubject {
  enum Kind {
    case property(PropertyID)
    /// Told under this name when the object goes.
    case invalidated(name: String)
  }

  let object: ObjectID
  let kind: Kind

  init(_ object: ObjectID, _ kind: Kind) {
    self.object = object
    self.kind = kind
  }

  var property: PropertyID? {
    switch kind {
    case .property(let property): property
    case .invalidated: nil
    }
  }

  /// From before the changes to now; nil where nothing is told. Values are compared end to end.
  func report(_ changes: PendingChanges, _ reader: any ObjectReader) -> Report? {
    let change = changes.change(of: object.classID)
    switch kind {
    case .invalidated(let name):
      return change?.deleted[object.number] == nil ? nil : .invalidated(name: name)
    case .property(let id):
      guard let change, change.deleted[object.number] == nil,
        let property = reader.schema.classSchema(object.classID)?.property(id)
      else { return nil }
      let isNet = changes.record.firstVersion == changes.record.lastVersion
      return report(property, change, isNet: isNet, reader)
    }
  }

  /// What several commits together did is not net.
  private func report(
    _ property: PropertySchema, _ change: ClassChange, isNet: Bool, _ reader: any ObjectReader
  ) -> Report? {
    switch property.type.shape {
    case .single:
      guard let old = change.columns[property.id]?[object.number] else { return nil }
      let new = reader.value(property.id, of: object)
      return old == new ? nil : .property(name: property.name, old: old, new: new)
    case .list:
      guard var list = change.lists[property.id]?[object.number], list.differs else { return nil }
      if !isNet { list.dropRestored { reader.listElement(property.id, of: object, at: $0) } }
      if list.isEmpty || !isNet && isAsBefore(list, property.id, reader) { return nil }
      let (kind, rows) = list.kind()
      return .propertyRows(name: property.name, kind: kind, rows: rows)
    case .set:
      guard let set = change.sets[property.id]?[object.number], !set.isEmpty else { return nil }
      return .propertyRows(name: property.name, kind: .setting, rows: [])
    case .map:
      guard let map = change.maps[property.id]?[object.number],
        map.differs(property.id, object, reader)
      else { return nil }
      return .propertyRows(name: property.name, kind: .setting, rows: [])
    case .backlinks: return nil
    }
  }

  /// Whether the list holds what it held. O(list), where as many elements are in it as before.
  private func isAsBefore(
    _ list: ListChange, _ property: PropertyID, _ reader: any ObjectReader
  ) -> Bool {
    guard list.oldCount == list.newCount else { return false }
    let now = reader.contents(property, .list, of: object).elements
    return list.former(now) == now
  }
}

extension MapChange {
  /// Whether the map differs from the one before, end to end.
  fileprivate func differs(
    _ property: PropertyID, _ owner: ObjectID, _ reader: any ObjectReader
  ) -> Bool {
    if !inserted.isEmpty || !removed.isEmpty { return true }
    let isOther = { (key: String, old: Value) in
      reader.mapValue(forKey: key, property, of: owner) != old
    }
    return modified.contains(where: isOther) || restored.contains(where: isOther)
  }
}
