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
    /// Rows of a list that went, in the space before the statement.
    case removed(ListChange)
    case replaced(Set<Int>)
    case setting
  }
  fileprivate var changes: [Key: Change] = [:]
  fileprivate var deleted: [ObjectID] = []

  fileprivate mutating func note(_ key: Key, _ change: (Change?) -> Change) {
    changes[key] = change(changes[key])
  }
}

extension OpenWrite {
  /// Tells of rows that went with the object that they linked to, ascending; `count` is how many there
  /// were.
  func tellRemoved(
    _ removed: [Int], of count: Int, _ property: PropertySchema, _ owner: ObjectID
  ) {
    guard observatory.hasPropertyObservers else { return }
    guard gathered != nil else { return tellRows(property, of: owner, .removal, removed) }
    gathered?.note(GatheredTellings.Key(owner: owner, property: property)) { known in
      var list = ListChange(oldCount: count)
      if case .removed(let earlier)? = known { list = earlier }
      for row in removed.reversed() { list.remove(at: row, old: .null) }
      return .removed(list)
    }
  }

  /// Tells of rows whose link became nil, ascending.
  func tellReplaced(_ replaced: [Int], _ property: PropertySchema, _ owner: ObjectID) {
    guard observatory.hasPropertyObservers else { return }
    guard gathered != nil else { return tellRows(property, of: owner, .replacement, replaced) }
    gathered?.note(GatheredTellings.Key(owner: owner, property: property)) { known in
      guard case .replaced(let earlier)? = known else { return .replaced(Set(replaced)) }
      return .replaced(earlier.union(replaced))
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
    return switch change {
    case .value(let old):
      .property(name: name, old: old, new: reader.value(key.property.id, of: key.owner))
    case .removed(let list):
      .propertyRows(name: name, kind: .removal, rows: list.changeSet().deletions)
    case .replaced(let rows):
      .propertyRows(name: name, kind: .replacement, rows: rows.sorted())
    case .setting: .propertyRows(name: name, kind: .setting, rows: [])
    }
  }
}
