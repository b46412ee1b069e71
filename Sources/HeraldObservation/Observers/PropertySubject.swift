import HeraldModel
import HeraldQuery

/// An observed property of one object, or the observed deletion of the object.
final class PropertySubject: Subject {
  enum Kind {
    case property(PropertyID)
    /// Reported under this name when the object is deleted.
    case invalidated(name: String)
  }

  let object: ObjectID
  let kind: Kind

  init(_ object: ObjectID, _ kind: Kind) {
    self.object = object
    self.kind = kind
  }

  var rank: Observer.Rank { .property }

  var observedProperty: ObjectProperty? {
    switch kind {
    case .property(let property): ObjectProperty(object: object, property: property)
    case .invalidated: nil
    }
  }

  func observes(_ property: PropertyID, isDifferent: Bool) -> Bool {
    isDifferent && property == observedProperty?.property
  }

  func register(_ observer: Observer, _ interest: Interest) {
    interest.add(observer, toPropertiesOf: object)
  }

  /// Builds nothing: it has no rows.
  func begin(_ observer: Observer, _ interest: Interest, _ reader: any ObjectReader) -> Int? { 0 }

  func leave(_ observer: Observer, _ interest: Interest) {
    interest.remove(observer, fromPropertiesOf: object)
  }

  func depends(on losses: SchemaLosses, _ schema: Schema) -> Bool {
    guard let property = observedProperty?.property else { return false }
    return schema.classSchema(object.classID)?.property(property) == nil
  }

  /// Compares the values before and after all changes.
  func report(_ changes: PendingChanges, _ reader: any ObjectReader) -> Report? {
    let change = changes.change(of: object.classID)
    switch kind {
    case .invalidated(let name):
      return change?.deleted[object.number] == nil ? nil : .invalidated(name: name)
    case .property(let id):
      guard let change, change.deleted[object.number] == nil,
        let property = reader.schema.classSchema(object.classID)?.property(id)
      else { return nil }
      return report(property, change, changes.record, reader)
    }
  }

  private func report(
    _ property: PropertySchema, _ change: ClassChange, _ record: CommitRecord,
    _ reader: any ObjectReader
  ) -> Report? {
    // The changes of merged commits may cancel out.
    let isNet = record.firstVersion == record.lastVersion
    switch property.type.shape {
    case .single:
      guard let previous = change[property.id].values[object.number] else { return nil }
      let old = record.whole(previous, reader)
      let new = reader.value(property.id, of: object)
      return old == new ? nil : .property(name: property.name, old: old, new: new)
    case .list:
      guard var list = change[property.id].lists[object.number], list.differs else { return nil }
      if !isNet {
        list.dropRestored { index, old in
          reader.listElement(property.id, of: object, at: index) == record.whole(old, reader)
        }
      }
      if list.isEmpty || !isNet && isAsBefore(list, property.id, record, reader) { return nil }
      let (kind, rows) = list.kind()
      return .propertyRows(name: property.name, kind: kind, rows: rows)
    case .set:
      guard let set = change[property.id].sets[object.number], !set.isEmpty else { return nil }
      return .propertyRows(name: property.name, kind: .setting, rows: [])
    case .map:
      guard let map = change[property.id].maps[object.number],
        map.differs(property.id, object, record, reader)
      else { return nil }
      return .propertyRows(name: property.name, kind: .setting, rows: [])
    case .backlinks: return nil
    }
  }

  /// Whether the list is equal to the list before. O(list), O(1) where the counts differ.
  private func isAsBefore(
    _ list: ListDelta, _ property: PropertyID, _ record: CommitRecord, _ reader: any ObjectReader
  ) -> Bool {
    guard list.oldCount == list.newCount else { return false }
    let now = reader.references.contents(property, .list, of: object).elements
    let before = PreviousReader(reader, before: record)
    return zip(list.previous(now), now).allSatisfy { old, new in
      old.map { before.previous($0) == reader.whole(new) } ?? false
    }
  }
}

extension MapDelta {
  /// Whether the map differs from the map before all changes.
  fileprivate func differs(
    _ property: PropertyID, _ owner: ObjectID, _ record: CommitRecord, _ reader: any ObjectReader
  ) -> Bool {
    if !inserted.isEmpty || !removed.isEmpty { return true }
    let isOther = { (key: String, old: Value) in
      reader.mapValue(forKey: key, property, of: owner) != record.whole(old, reader)
    }
    return modified.contains(where: isOther) || restored.contains(where: isOther)
  }
}
