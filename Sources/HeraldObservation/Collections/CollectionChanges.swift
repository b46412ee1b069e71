package import HeraldModel

/// What happened to one set, net, by value.
package struct SetChange: Sendable, Equatable {
  /// Values that are there now and were not before.
  package var inserted: Set<Value>
  /// Values that were there before and are not now.
  package var removed: Set<Value>

  package init(inserted: Set<Value> = [], removed: Set<Value> = []) {
    self.inserted = inserted
    self.removed = removed
  }

  /// What was removed and inserted again is where it was.
  package var isEmpty: Bool { inserted.isEmpty && removed.isEmpty }

  /// Notes that a value was inserted that was not there.
  package mutating func insert(_ value: Value) {
    if removed.remove(value) == nil { inserted.insert(value) }
  }

  /// Notes that a value was removed that was there.
  package mutating func remove(_ value: Value) {
    if inserted.remove(value) == nil { removed.insert(value) }
  }

  package mutating func merge(_ later: SetChange) {
    for value in later.removed { remove(value) }
    for value in later.inserted { insert(value) }
  }
}

/// What happened to one map, net, by key.
package struct MapChange: Sendable, Equatable {
  /// Keys that are there now and were not before.
  package var inserted: KeySet
  /// Keys that were there before and are not now, with their values then.
  package var removed: MapEntries
  /// Keys that were and are there, whose value changed, with their values before.
  package var modified: MapEntries
  /// Keys that one commit removed and a later one set again, with their values before: modified
  /// where the value differs. A change of one commit has none.
  package internal(set) var restored: MapEntries = [:]

  package init(
    inserted: KeySet = [], removed: MapEntries = [:], modified: MapEntries = [:]
  ) {
    self.inserted = inserted
    self.removed = removed
    self.modified = modified
  }

  package var isEmpty: Bool {
    inserted.isEmpty && removed.isEmpty && modified.isEmpty && restored.isEmpty
  }

  /// Notes that a key now holds `new`; `old` is what it held just before, nil where it was absent.
  package mutating func set(_ key: String, old: Value?, new: Value) {
    guard let old else {
      if let first = removed.removeValue(forKey: key) {
        if first != new { modified[key] = first }
      } else {
        inserted.insert(key)
      }
      return
    }
    if inserted.contains(key) { return }
    let first = modified[key] ?? old
    modified[key] = first == new ? nil : first
  }

  /// Notes that a key that held `old` is gone.
  package mutating func remove(_ key: String, old: Value) {
    if inserted.remove(key) != nil { return }
    let changed = modified.removeValue(forKey: key)
    removed[key] = changed ?? restored.removeValue(forKey: key) ?? old
  }

  /// Adds a later commit's change. Values are not compared end to end, so a value that changed and
  /// changed back in another commit stays a modification.
  package mutating func merge(_ later: MapChange) {
    for (key, old) in later.removed { remove(key, old: old) }
    for (key, old) in later.modified
    where !inserted.contains(key) && restored[key] == nil && modified[key] == nil {
      modified[key] = old
    }
    for key in later.inserted {
      if let first = removed.removeValue(forKey: key) {
        restored[key] = first
      } else {
        inserted.insert(key)
      }
    }
    for (key, old) in later.restored where !inserted.contains(key) && restored[key] == nil {
      restored[key] = modified.removeValue(forKey: key) ?? old
    }
  }

  /// What a key held before, where that is gone.
  func formerValue(forKey key: String) -> Value? { removed[key] ?? modified[key] ?? restored[key] }

  /// The keys that were there before and hold another value now, or none, with their values then.
  func forEachFormerValue(_ body: (String, Value) -> Void) {
    for (key, value) in removed { body(key, value) }
    for (key, value) in modified { body(key, value) }
    for (key, value) in restored { body(key, value) }
  }

  /// The keys that hold a value now that they may not have held before.
  func forEachNewKey(_ body: (String) -> Void) {
    for key in inserted { body(key) }
    for key in modified.keys { body(key) }
    for key in restored.keys { body(key) }
  }
}
