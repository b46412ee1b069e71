import HeraldModel
import HeraldQuery

/// The keys of a map, and which of them hold links to which object.
struct MapView {
  let place: CollectionPlace
  private(set) var keys = KeySet()
  /// Nil where no change of an object is told.
  private(set) var holders: [ObjectID: KeySet]?

  /// O(n).
  init(_ place: CollectionPlace, holdsLinks: Bool, _ reader: any ObjectReader) {
    self.place = place
    if holdsLinks { holders = [:] }
    var index = 0
    reader.forEachElement(place.property, of: place.owner) { value in
      let key = reader.mapKey(place.property, of: place.owner, at: index)
      keys.insert(key)
      enter(key, value)
      index += 1
      return true
    }
  }

  var count: Int { keys.count }

  var ownerDeletion: MapChangeSet { MapChangeSet(deletions: keys.inKeyOrder) }

  /// Brings the keys to `reader`'s version and answers what changed. O(changes · log n).
  mutating func advance(
    _ change: MapChange, _ watch: RowWatch?, _ changes: PendingChanges,
    _ reader: any ObjectReader
  ) -> MapChangeSet {
    var modified = KeySet(change.modified.keys)
    for (key, old) in change.restored where value(key, reader) != old { modified.insert(key) }
    apply(change, reader)
    if let watch, let holders {
      for object in watch.modifiedObjects(changes, reader) {
        if let keys = holders[object] { modified.formUnion(keys) }
      }
      modified.subtract(change.inserted)
    }
    return MapChangeSet(
      deletions: change.removed.keys.inKeyOrder, insertions: change.inserted.inKeyOrder,
      modifications: modified.inKeyOrder)
  }

  private mutating func apply(_ change: MapChange, _ reader: any ObjectReader) {
    keys.subtract(change.removed.keys)
    keys.formUnion(change.inserted)
    guard holders != nil else { return }
    change.forEachFormerValue { key, value in leave(key, value) }
    change.forEachNewKey { key in
      if let value = value(key, reader) { enter(key, value) }
    }
  }

  private func value(_ key: String, _ reader: any ObjectReader) -> Value? {
    reader.mapValue(forKey: key, place.property, of: place.owner)
  }

  private mutating func enter(_ key: String, _ value: Value) {
    guard holders != nil else { return }
    value.forEachLink { holders?[$0, default: KeySet()].insert(key) }
  }

  private mutating func leave(_ key: String, _ value: Value) {
    value.forEachLink { target in
      holders?[target]?.remove(key)
      if holders?[target]?.isEmpty ?? false { holders?[target] = nil }
    }
  }
}
