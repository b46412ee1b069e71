import HeraldModel
import HeraldObservation
import HeraldQuery

// Property observers hear of this session's own assignments at once (observation 8.1, 8.2, 8.6), so
// the write tells of each as it is done. Of an object that goes they hear that, and not of the links
// to itself that it loses on the way.

extension OpenWrite {
  /// Who is told of assignments: a closure that costs one check where nobody observes properties.
  typealias Listener = (ObjectID, Assignment) -> Void

  enum Assignment {
    case property(PropertySchema, () -> Report)
    case deletion
  }

  func tellValue(_ column: Layout.Column, of object: ObjectID, old: Value, new: Value) {
    guard observatory.hasPropertyObservers, !deleting.contains(object),
      let property = reader.layout.property(column.property, of: object.classID)
    else { return }
    if gathered != nil { return tellLost(old, property, object) }
    listener?(
      object, .property(property) { .property(name: property.name, old: old, new: new) })
  }

  func tellRows(
    _ property: PropertySchema, of object: ObjectID, _ kind: ListChangeKind, _ rows: [Int] = []
  ) {
    guard observatory.hasPropertyObservers, !deleting.contains(object) else { return }
    listener?(
      object,
      .property(property) { .propertyRows(name: property.name, kind: kind, rows: rows) })
  }

  /// What observers of one object are told when a statement is done or the write is taken back;
  /// `property` is nil for whether the object is there.
  struct OwedReport {
    var object: ObjectID
    var property: PropertyID?
    var report: Report
  }

  /// Each change the other way (observation 8.5), in no order; what was set back reverts nothing.
  /// `before` is where the write began.
  func reversals(before: any ObjectReader) -> [OwedReport] {
    var reversals: [OwedReport] = []
    for (classID, change) in netChanges(before: before) {
      guard let classSchema = reader.schema.classSchema(classID) else { continue }
      for number in change.deleted.keys {
        let report = Report.property(name: "invalidated", old: .bool(true), new: .bool(false))
        reversals.append(
          OwedReport(object: ObjectID(classID, number), property: nil, report: report))
      }
      for property in classSchema.properties {
        let name = property.name
        for (number, old) in change.columns[property.id] ?? [:] {
          let object = ObjectID(classID, number)
          let new = reader.value(property.id, of: object)
          let report = Report.property(name: name, old: new, new: old)
          reversals.append(OwedReport(object: object, property: property.id, report: report))
        }
        for (number, list) in change.lists[property.id] ?? [:] where list.differs {
          let (kind, rows) = list.kind()
          let report = Report.propertyRows(name: name, kind: kind.reversed, rows: rows)
          let object = ObjectID(classID, number)
          reversals.append(OwedReport(object: object, property: property.id, report: report))
        }
        let owners =
          Array((change.sets[property.id] ?? [:]).keys) + (change.maps[property.id] ?? [:]).keys
        for number in owners {
          let report = Report.propertyRows(name: name, kind: .setting, rows: [])
          let object = ObjectID(classID, number)
          reversals.append(OwedReport(object: object, property: property.id, report: report))
        }
      }
    }
    return reversals
  }
}

extension ListChangeKind {
  /// The kind of the change that leads back, whose rows are the same.
  fileprivate var reversed: ListChangeKind {
    switch self {
    case .insertion: .removal
    case .removal: .insertion
    case .replacement: .replacement
    case .setting: .setting
    }
  }
}
