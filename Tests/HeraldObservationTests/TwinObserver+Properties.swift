import HeraldModel
import HeraldObservation
import HeraldQuery

extension TwinObserver {
  func checkInvalidated(_ report: Report?, _ object: ObjectID) -> String? {
    let isGone = span.end[object] == nil
    if isGone { isLive = false }
    return report == (isGone ? .invalidated(name: "invalidated") : nil)
      ? nil : "invalidated: \(text(report))"
  }

  func checkProperty(
    _ report: Report?, _ object: ObjectID, _ property: PropertyID
  ) -> String? {
    if span.end[object] == nil { isLive = false }
    let expected = propertyReport(object, property)
    return report == expected
      ? nil : "property \(object).\(property): told \(text(report)), not \(text(expected))"
  }

  private func propertyReport(_ object: ObjectID, _ id: PropertyID) -> Report? {
    guard let old = span.start[object], let new = span.end[object],
      let property = span.end.schema.classSchema(object.classID)?.property(id)
    else { return nil }
    let setting = Report.propertyRows(name: property.name, kind: .setting, rows: [])
    switch property.type.shape {
    case .single:
      let (oldValue, newValue) = (old.values[id] ?? .null, new.values[id] ?? .null)
      return oldValue == newValue
        ? nil : .property(name: property.name, old: oldValue, new: newValue)
    case .list:
      guard span.isChanged(object, id) else { return nil }
      return listReport(property.name, old.lists[id] ?? [], new.lists[id] ?? [])
    case .set: return old.sets[id] == new.sets[id] ? nil : setting
    case .map: return old.maps[id] == new.maps[id] ? nil : setting
    case .backlinks: return nil
    }
  }

  private func listReport(
    _ name: String, _ old: [TwinElement], _ new: [TwinElement]
  ) -> Report? {
    let (oldIDs, newIDs) = (old.map(\.id), new.map(\.id))
    let (before, after) = (Set(oldIDs), Set(newIDs))
    let replaced = Set(span.commits.flatMap(\.replaced))
    if before == after {
      let rows = newIDs.indices.filter {
        oldIDs[$0] != newIDs[$0] || replaced.contains(newIDs[$0])
      }
      return rows.isEmpty ? nil : .propertyRows(name: name, kind: .replacement, rows: rows)
    }
    let isPlain =
      oldIDs.filter(after.contains) == newIDs.filter(before.contains)
      && replaced.isDisjoint(with: after.intersection(before))
    if isPlain && before.isSubset(of: after) {
      let rows = newIDs.indices.filter { !before.contains(newIDs[$0]) }
      return .propertyRows(name: name, kind: .insertion, rows: rows)
    }
    if isPlain && after.isSubset(of: before) {
      let rows = oldIDs.indices.filter { !after.contains(oldIDs[$0]) }
      return .propertyRows(name: name, kind: .removal, rows: rows)
    }
    return .propertyRows(name: name, kind: .setting, rows: [])
  }

  // MARK: Projections

  func checkProjection(
    _ report: Report?, _ object: ObjectID, _ fields: [ProjectionField], _ names: [String]?
  ) -> String? {
    let expected = projectionReport(object, fields, names)
    if expected == .deleted { isLive = false }
    return report == expected
      ? nil : "projection \(fields): told \(text(report)), not \(text(expected))"
  }

  private func projectionReport(
    _ object: ObjectID, _ fields: [ProjectionField], _ names: [String]?
  ) -> Report? {
    guard span.end[object] != nil else { return .deleted }
    var told: [PropertyChange] = []
    for field in fields where names?.contains(field.name) ?? true {
      guard matchedPaths.contains(field.path) else { continue }
      let isSingle = field.path.steps.allSatisfy { step in
        guard case .property(let property) = step.kind else { return false }
        return span.end.schema.classSchema(step.classID)?.property(property)?.type.shape
          == .single
      }
      guard isSingle else {
        told.append(PropertyChange(name: field.name, hasValues: false))
        continue
      }
      let old = value(at: field.path, of: object.number, TwinReader(span.start))
      let new = value(at: field.path, of: object.number, TwinReader(span.end))
      if old != new { told.append(PropertyChange(name: field.name, old: old, new: new)) }
    }
    return told.isEmpty ? nil : .change(told)
  }
}
