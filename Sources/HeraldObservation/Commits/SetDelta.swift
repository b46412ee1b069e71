package import HeraldModel
import HeraldQuery

/// The net change of one set, by value.
package struct SetDelta: Sendable, Equatable {
  /// Values that are in the set now and were not before.
  package var inserted: Set<Value>
  /// Values that were in the set before and are not now.
  package var removed: Set<Value>

  package init(inserted: Set<Value> = [], removed: Set<Value> = []) {
    self.inserted = inserted
    self.removed = removed
  }

  /// Whether nothing changed: a value that was removed and inserted again does not count.
  package var isEmpty: Bool { inserted.isEmpty && removed.isEmpty }

  /// Records the insertion of a value that was absent.
  package mutating func insert(_ value: Value) {
    if removed.remove(value) == nil { inserted.insert(value) }
  }

  /// Records the removal of a value that was present.
  package mutating func remove(_ value: Value) {
    if inserted.remove(value) == nil { removed.insert(value) }
  }

  package mutating func merge(_ later: SetDelta) {
    for value in later.removed { remove(value) }
    for value in later.inserted { insert(value) }
  }
}

extension SetDelta {
  /// Returns the deleted and inserted rows of a set. The old positions are computed from the new ones,
  /// since a set is sorted. O(changes · log rows).
  func changeSet(
    of property: PropertyID, _ owner: ObjectID, _ reader: any ObjectReader
  ) -> ChangeSet {
    ChangeSet(
      positionsOfRemoved: removed.map { reader.position(of: $0, inSet: property, of: owner).index },
      insertions: inserted.map { reader.position(of: $0, inSet: property, of: owner).index })
  }
}
