package import HeraldModel
import HeraldQuery

/// The net change of one map, by key.
package struct MapDelta: Sendable, Equatable {
  /// Keys that are in the map now and were not before.
  package var inserted: KeySet
  /// Keys that were in the map before and are not now, with their previous values.
  package var removed: MapEntries
  /// Keys before and now whose value changed, with their previous values.
  package var modified: MapEntries
  /// Keys that one commit removed and a later one set again, with their previous values; modified where
  /// the value differs. Empty for one commit.
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

  /// Records that a key was set to `new`; `old` is its value just before, nil where it was absent.
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

  /// Records that the nested collection of a key, to which `value` refers, may have changed.
  package mutating func touch(_ key: String, _ value: Value) {
    if !inserted.contains(key), modified[key] == nil { modified[key] = value }
  }

  /// Records the removal of a key, whose value was `old`.
  package mutating func remove(_ key: String, old: Value) {
    if inserted.remove(key) != nil { return }
    let changed = modified.removeValue(forKey: key)
    removed[key] = changed ?? restored.removeValue(forKey: key) ?? old
  }

  /// Merges a later commit's change. A value that another commit changed back stays a modification
  /// (observation 4.5).
  package mutating func merge(_ later: MapDelta) {
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

  /// Returns the previous value of a key that was removed or changed.
  package func previousValue(forKey key: String) -> Value? {
    removed[key] ?? modified[key] ?? restored[key]
  }

  /// Calls `body` with each previous key that has another value now, or none, and its previous value.
  package func forEachPreviousValue(_ body: (String, Value) -> Void) {
    for (key, value) in removed { body(key, value) }
    for (key, value) in modified { body(key, value) }
    for (key, value) in restored { body(key, value) }
  }

  /// Calls `body` with each key whose current value may be new.
  func forEachNewKey(_ body: (String) -> Void) {
    for key in inserted { body(key) }
    for key in modified.keys { body(key) }
    for key in restored.keys { body(key) }
  }
}

extension MapDelta {
  /// Returns the deleted and inserted rows of a map, which is sorted by key. O(changes · log rows).
  func changeSet(
    of property: PropertyID, _ owner: ObjectID, _ reader: any ObjectReader
  ) -> ChangeSet {
    ChangeSet(
      positionsOfRemoved: removed.keys.map {
        reader.position(ofKey: $0, inMap: property, of: owner).index
      },
      insertions: inserted.map { reader.position(ofKey: $0, inMap: property, of: owner).index })
  }
}
