import HeraldModel
import HeraldObservation
import HeraldQuery

// Property observers are notified of this session's own assignments at once (observation 8.1, 8.2, 8.6),
// so the write reports each as it is done. They are notified of the deletion of an object, but not of the
// links to itself that it loses by that.

extension OpenWrite {
  enum Assignment {
    case property(PropertySchema, () -> Report)
    case deletion
  }

  func reportValue(_ column: Layout.Column, of object: ObjectID, old: Value, new: Value) {
    guard observatory.hasPropertyObservers, !deleting.contains(object),
      let property = reader.layout.property(column.property, of: object.classID)
    else { return }
    if gathered != nil { return collectLostLink(old, property, object) }
    report(
      object, .property(property) { .property(name: property.name, old: old, new: new) })
  }

  func reportRows(
    _ property: PropertySchema, of object: ObjectID, _ kind: ListChangeKind, _ rows: [Int] = []
  ) {
    guard observatory.hasPropertyObservers, !deleting.contains(object) else { return }
    report(
      object,
      .property(property) { .propertyRows(name: property.name, kind: kind, rows: rows) })
  }

  /// A report for the observers of one object, delivered when a statement ends or the write is rolled back;
  /// `property` is nil for a change of the object's existence.
  struct PendingPropertyReport {
    var object: ObjectID
    var property: PropertyID?
    var report: Report
  }

  /// Returns the reverse of each net change (observation 8.5), unordered; `before` is the version at which
  /// the write began.
  func reversals(before: any ObjectReader) -> [PendingPropertyReport] {
    var reversals: [PendingPropertyReport] = []
    for (classID, change) in netChanges(before: before) {
      guard let classSchema = reader.schema.classSchema(classID) else { continue }
      for number in change.deleted.keys {
        let report = Report.property(name: "invalidated", old: .bool(true), new: .bool(false))
        reversals.append(
          PendingPropertyReport(object: ObjectID(classID, number), property: nil, report: report))
      }
      for property in classSchema.properties {
        let delta = change[property.id]
        for (number, report) in self.reversals(of: property, delta, classID, before) {
          reversals.append(
            PendingPropertyReport(
              object: ObjectID(classID, number), property: property.id, report: report))
        }
      }
    }
    return reversals
  }

  private func reversals(
    of property: PropertySchema, _ delta: PropertyDelta, _ classID: ClassID,
    _ before: any ObjectReader
  ) -> [(ObjectNumber, Report)] {
    let name = property.name
    func setting(_ number: ObjectNumber) -> (ObjectNumber, Report) {
      (number, .propertyRows(name: name, kind: .setting, rows: []))
    }
    switch delta {
    case .values(let values):
      return values.map { number, old in
        let new = reader.value(property.id, of: ObjectID(classID, number))
        return (number, .property(name: name, old: new, new: before.whole(old)))
      }
    case .lists(let lists):
      return lists.filter(\.value.differs).map { number, list in
        let (kind, rows) = list.kind()
        return (number, .propertyRows(name: name, kind: kind.reversed, rows: rows))
      }
    case .sets(let sets): return sets.keys.map(setting)
    case .maps(let maps): return maps.keys.map(setting)
    }
  }
}

extension ListChangeKind {
  /// The kind of the reverse change, which has the same rows.
  fileprivate var reversed: ListChangeKind {
    switch self {
    case .insertion: .removal
    case .removal: .insertion
    case .replacement: .replacement
    case .setting: .setting
    }
  }
}
