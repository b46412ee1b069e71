import HeraldModel
import HeraldObservation
import HeraldQuery

extension ModelObserver {
  func checkCollection(
    _ report: Report?, _ owner: ObjectID, _ property: PropertyID, _ filter: RowFilter
  ) -> String? {
    guard let type = span.end.schema.classSchema(owner.classID)?.property(property)?.type else {
      return "an unknown property"
    }
    if case .list = type.shape { return checkList(report, owner, property, filter) }
    let old = span.start.elements(of: owner, property)
    let new = span.end.elements(of: owner, property)
    guard isBegun else {
      isBegun = true
      return report == .initial(count: new.count) ? nil : "initial: \(text(report))"
    }
    let expected =
      type.shape == .map
      ? mapReport(owner, property, filter) : rowReport(owner, old, new, filter)
    if case .collection(.update(_, ownerDeleted: true))? = expected { isLive = false }
    if case .collection(.mapUpdate(_, ownerDeleted: true))? = expected { isLive = false }
    return report == expected
      ? nil
      : "\(type.shape) \(filter): \(old) -> \(new): told \(text(report)), not \(text(expected))"
  }

  /// Whether a value links to an object that counts as modified.
  func leadsToModified(_ value: Value, _ filter: RowFilter) -> Bool {
    var found = false
    value.forEachLink { found = found || isModified($0, filter) }
    return found
  }

  /// Sets and backlinks: values in order, an equal one the first so many times.
  private func rowReport(
    _ owner: ObjectID, _ old: [Value], _ new: [Value], _ filter: RowFilter
  ) -> Report? {
    guard span.end[owner] != nil else {
      return .update(ChangeSet(deletions: Array(old.indices)), ownerDeleted: true)
    }
    var changes = ChangeSet()
    let (oldRows, newRows) = (numbered(old), numbered(new))
    for (index, row) in oldRows.enumerated() {
      if let place = newRows.firstIndex(where: { $0 == row }) {
        guard leadsToModified(row.value, filter) else { continue }
        changes.modifications.append(index)
        changes.modificationsNew.append(place)
      } else {
        changes.deletions.append(index)
      }
    }
    changes.insertions = newRows.indices.filter { index in
      !oldRows.contains { $0 == newRows[index] }
    }
    return changes.isEmpty ? nil : .update(changes, ownerDeleted: false)
  }

  private func numbered(_ values: [Value]) -> [(value: Value, time: Int)] {
    var times: [Value: Int] = [:]
    return values.map { value in
      defer { times[value, default: 0] += 1 }
      return (value, times[value, default: 0])
    }
  }

  private func mapReport(
    _ owner: ObjectID, _ property: PropertyID, _ filter: RowFilter
  ) -> Report? {
    let old = span.start[owner]?.maps[property] ?? [:]
    guard let new = span.end[owner]?.maps[property] else {
      return .mapUpdate(MapChangeSet(deletions: old.keys.sorted()), ownerDeleted: true)
    }
    let modified = new.filter { key, value in
      guard let former = old[key] else { return false }
      return former != value || isSetInPlace(key, owner, property)
        || leadsToModified(value, filter)
    }
    let changes = MapChangeSet(
      deletions: old.keys.filter { new[$0] == nil }.sorted(),
      insertions: new.keys.filter { old[$0] == nil }.sorted(),
      modifications: modified.keys.sorted())
    return changes.isEmpty ? nil : .mapUpdate(changes, ownerDeleted: false)
  }

  /// Whether a commit changed the value of a key that was there all the time.
  private func isSetInPlace(_ key: String, _ owner: ObjectID, _ property: PropertyID) -> Bool {
    let values = span.commits.map {
      (before: $0.before[owner]?.maps[property]?[key], after: $0.after[owner]?.maps[property]?[key])
    }
    return values.allSatisfy { $0.before != nil && $0.after != nil }
      && values.contains { $0.before != $0.after }
  }
}
