import HeraldModel
import HeraldObservation
import HeraldStorage

/// The deletions of a statement and their changes of properties that linked to the objects: observers are
/// notified once per property when all objects are deleted (observation 8.2, 8.6), so that no block sees
/// one that is about to be deleted.
struct CollectedReports {
  fileprivate struct Key: Hashable {
    var owner: ObjectID
    var property: PropertySchema
  }
  fileprivate enum Change {
    /// A single-valued property, with its value before the statement.
    case value(old: Value)
    /// Rows of a list that were removed, and rows that lost a nested link.
    case rows(ListDelta)
    case setting
  }
  fileprivate var changes: [Key: Change] = [:]
  fileprivate var deleted: [ObjectID] = []

  fileprivate mutating func note(_ key: Key, _ change: (Change?) -> Change) {
    changes[key] = change(changes[key])
  }
}

extension OpenWrite {
  /// Notifies of the rows and nested links that a list lost with a deleted object.
  func reportUnlinked(
    _ change: ListDelta, _ property: PropertySchema, _ owner: ObjectID
  ) {
    guard observatory.hasPropertyObservers else { return }
    guard gathered != nil else {
      let (kind, rows) = change.kind()
      return reportRows(property, of: owner, kind, rows)
    }
    gathered?.note(CollectedReports.Key(owner: owner, property: property)) { existing in
      guard case .rows(let earlier)? = existing else { return .rows(change) }
      guard earlier.newCount == change.oldCount else { return .setting }
      return .rows(earlier.composed(with: change))
    }
  }

  func reportSetting(_ property: PropertySchema, _ owner: ObjectID) {
    guard observatory.hasPropertyObservers else { return }
    guard gathered != nil else { return reportRows(property, of: owner, .setting) }
    gathered?.note(CollectedReports.Key(owner: owner, property: property)) { _ in .setting }
  }

  /// Records the previous value of a property that lost a link.
  func collectLostLink(_ old: Value, _ property: PropertySchema, _ owner: ObjectID) {
    gathered?.note(CollectedReports.Key(owner: owner, property: property)) { existing in
      existing ?? .value(old: old)
    }
  }

  func reportDeletion(of object: ObjectID) {
    guard observatory.hasPropertyObservers else { return }
    guard gathered != nil else { return report(object, .deletion) }
    gathered?.deleted.append(object)
  }

  /// Removes and returns the recorded reports, unordered, without those of deleted owners.
  func takeCollectedReports() -> [PendingPropertyReport] {
    guard let gathered else { return [] }
    self.gathered = nil
    let deletions = gathered.deleted.map {
      PendingPropertyReport(object: $0, property: nil, report: .invalidated(name: "invalidated"))
    }
    return deletions
      + gathered.changes.filter { reader.exists($0.key.owner) }.map { key, change in
        PendingPropertyReport(
          object: key.owner, property: key.property.id, report: report(change, key))
      }
  }

  private func report(
    _ change: CollectedReports.Change, _ key: CollectedReports.Key
  ) -> Report {
    let name = key.property.name
    switch change {
    case .value(let old):
      return .property(name: name, old: old, new: reader.value(key.property.id, of: key.owner))
    case .rows(let list):
      let (kind, rows) = list.kind()
      return .propertyRows(name: name, kind: kind, rows: rows)
    case .setting: return .propertyRows(name: name, kind: .setting, rows: [])
    }
  }
}
