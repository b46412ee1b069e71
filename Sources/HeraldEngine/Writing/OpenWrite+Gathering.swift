import HeraldModel
import HeraldObservation
import HeraldStorage

/// What a statement that deletes objects does to what linked to them, and who goes: told once for each
/// property, when all are gone (observation 8.2, 8.6), so that no block meets an object on its way out.
struct GatheredTellings {
  fileprivate struct Key: Hashable {
    var owner: ObjectID
    var property: PropertySchema
  }
  fileprivate enum Change {
    /// What a single-valued property was before the statement.
    case value(old: Value)
    /// Rows of a list that went, and rows that lost a link inside.
    case rows(ListChange)
    case setting
  }
  fileprivate var changes: [Key: Change] = [:]
  fileprivate var deleted: [ObjectID] = []

  fileprivate mutating func note(_ key: Key, _ change: (Change?) -> Change) {
    changes[key] = change(changes[key])
  }
}

extension OpenWrite {
  /// Tells of what a list lost with an object that it linked to.
  func tellUnlinked(
    _ change: ListChange, _ property: PropertySchema, _ owner: ObjectID
  ) {
    guard observatory.hasPropertyObservers else { return }
    guard gathered != nil else {
      let (kind, rows) = change.kind()
      return tellRows(property, of: owner, kind, rows)
    }
    gathered?.note(GatheredTellings.Key(owner: owner, property: property)) { known in
      guard case .rows(let earlier)? = known else { return .rows(change) }
      guard earlier.newCount == change.oldCount else { return .setting }
      return .rows(earlier.composed(with: change))
    }
  }

  func tellSetting(_ property: PropertySchema, _ owner: ObjectID) {
    guard observatory.hasPropertyObservers else { return }
    guard gathered != nil else { return tellRows(property, of: owner, .setting) }
    gathered?.note(GatheredTellings.Key(owner: owner, property: property)) { _ in .setting }
  }

  /// Tells of a value that a property has lost.
  func tellLost(_ old: Value, _ property: PropertySchema, _ owner: ObjectID) {
    gathered?.note(GatheredTellings.Key(owner: owner, property: property)) { known in
      known ?? .value(old: old)
    }
  }

  func tellDeletion(of object: ObjectID) {
    guard observatory.hasPropertyObservers else { return }
    guard gathered != nil else { return listener?(object, .deletion) ?? () }
    gathered?.deleted.append(object)
  }

  /// What was gathered, in no order; nothing of properties that went with their owners.
  func takeGathered() -> [OwedReport] {
    guard let gathered else { return [] }
    self.gathered = nil
    let deletions = gathered.deleted.map {
      OwedReport(object: $0, property: nil, report: .invalidated(name: "invalidated"))
    }
    return deletions
      + gathered.changes.filter { reader.exists($0.key.owner) }.map { key, change in
        OwedReport(
          object: key.owner, property: key.property.id, report: report(change, key))
      }
  }

  private func report(
    _ change: GatheredTellings.Change, _ key: GatheredTellings.Key
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
