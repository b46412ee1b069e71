import HeraldModel
import HeraldObservation
import HeraldQuery

extension ModelObserver {
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
    _ name: String, _ old: [ModelElement], _ new: [ModelElement]
  ) -> Report? {
    let (oldIDs, newIDs) = (old.map(\.id), new.map(\.id))
    let (before, after) = (Set(oldIDs), Set(newIDs))
    // Values count end to end (8.1).
    if old.map(\.value) == new.map(\.value) { return nil }
    let values = Dictionary(uniqueKeysWithValues: old.map { ($0.id, $0.value) })
    let replaced = Set(new.filter { values[$0.id] ?? $0.value != $0.value }.map(\.id))
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

}

// MARK: - Projections

extension ModelObserver {
  func checkProjection(
    _ report: Report?, _ object: ObjectID, _ fields: [ProjectionField], _ names: [String]?
  ) -> String? {
    guard span.end[object] != nil else {
      isLive = false
      return report == .deleted ? nil : "projection: told \(text(report)), not of the deletion"
    }
    let matching = fields.filter { field in
      names?.contains(field.name) ?? true && matchedPaths.contains(field.path)
    }
    let expected = matching.compactMap { change(of: $0, object) }
    var told: [PropertyChange] = []
    switch report {
    case nil: break
    case .change(let changes): told = changes
    case .some: return "projection: told \(text(report))"
    }
    return told == expected ? nil : "projection \(fields): told \(told), not \(expected)"
  }

  /// Nil where the value is equal before and after (7.3).
  private func change(of field: ProjectionField, _ object: ObjectID) -> PropertyChange? {
    let isSingle = field.path.steps.allSatisfy { step in
      guard case .property(let property) = step.kind else { return false }
      return span.end.schema.classSchema(step.classID)?.property(property)?.type.shape == .single
    }
    guard isSingle else {
      let isEqual =
        projected(field.path, object, span.start) == projected(field.path, object, span.end)
      return isEqual ? nil : PropertyChange(name: field.name, hasValues: false)
    }
    let old = value(at: field.path, of: object.number, ModelReader(span.start))
    let new = value(at: field.path, of: object.number, ModelReader(span.end))
    return old == new ? nil : PropertyChange(name: field.name, old: old, new: new)
  }

  /// What a path leads to, as a projection reads it: nil where a nil link leads to one collection.
  private func projected(
    _ path: PropertyPath, _ object: ObjectID, _ state: ModelState
  ) -> [String]? {
    var owners = [object]
    var isOne = true
    for (place, step) in path.steps.enumerated() {
      let isLast = place == path.steps.count - 1
      let contents = owners.map { projected(step, $0, state) }
      if isLast {
        guard isOne else { return contents.flatMap { $0.elements.map { "\($0)" } } }
        return contents.first.map { zip($0.keys, $0.elements).map { "\($0): \($1)" } }
      }
      isOne = isOne && isSingle(step)
      owners = contents.flatMap { $0.elements.flatMap { [$0].compactMap(\.linked) } }
    }
    return nil
  }

  private func isSingle(_ step: PropertyPath.Step) -> Bool {
    guard case .property(let property) = step.kind else { return false }
    return span.end.schema.classSchema(step.classID)?.property(property)?.type.shape == .single
  }

  private func projected(
    _ step: PropertyPath.Step, _ owner: ObjectID, _ state: ModelState
  ) -> (keys: [String], elements: [Value]) {
    let reader = ModelReader(state)
    var elements: [Value] = []
    switch step.kind {
    case .property(let property):
      if isSingle(step) { return ([""], [reader.value(property, of: owner)]) }
      elements = state.elements(of: owner, property)
      let keys = (state[owner]?.maps[property] ?? [:]).keys.sorted()
      return (keys.count == elements.count ? keys : elements.map { _ in "" }, elements)
    case .backlinks(let origin, let property):
      reader.forEachOrigin(of: owner, origin: origin, property: property) { number, links in
        elements += (0..<links).map { _ in .link(ObjectID(origin, number)) }
        return true
      }
      return (elements.map { _ in "" }, elements)
    }
  }
}

extension Value {
  fileprivate var linked: ObjectID? { if case .link(let target) = self { target } else { nil } }
}
