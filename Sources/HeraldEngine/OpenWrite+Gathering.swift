import HeraldModel
import HeraldObservation
import HeraldStorage

/// What a statement that deletes several objects does to the collections that linked to them: told
/// once for each collection, when all are gone (observation 8.2).
struct GatheredRows {
  fileprivate struct Key: Hashable {
    var owner: ObjectID
    var property: PropertySchema
  }
  fileprivate enum Rows {
    /// Rows of a list that went, in the space before the statement.
    case removed(ListChange)
    case replaced(Set<Int>)
    case setting
  }
  fileprivate var order: [Key] = []
  fileprivate var rows: [Key: Rows] = [:]

  fileprivate mutating func note(_ key: Key, _ change: (Rows?) -> Rows) {
    if rows[key] == nil { order.append(key) }
    rows[key] = change(rows[key])
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
    gathered?.note(GatheredRows.Key(owner: owner, property: property)) { known in
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
    gathered?.note(GatheredRows.Key(owner: owner, property: property)) { known in
      guard case .replaced(let earlier)? = known else { return .replaced(Set(replaced)) }
      return .replaced(earlier.union(replaced))
    }
  }

  func tellSetting(_ property: PropertySchema, _ owner: ObjectID) {
    guard observatory.hasPropertyObservers else { return }
    guard gathered != nil else { return tellRows(property, of: owner, .setting) }
    gathered?.note(GatheredRows.Key(owner: owner, property: property)) { _ in .setting }
  }

  /// Tells what was gathered; nothing of collections that went with their owners.
  func tellGathered() {
    guard let gathered else { return }
    self.gathered = nil
    for key in gathered.order where reader.exists(key.owner) {
      switch gathered.rows[key] {
      case .removed(let list)?:
        tellRows(key.property, of: key.owner, .removal, list.changeSet().deletions)
      case .replaced(let rows)?:
        tellRows(key.property, of: key.owner, .replacement, rows.sorted())
      case .setting?: tellRows(key.property, of: key.owner, .setting)
      case nil: break
      }
    }
  }
}
