import HeraldModel
import HeraldQuery

/// A live view of a map: its keys, and an index from linked objects to keys.
struct MapView {
  let location: CollectionLocation
  private(set) var keys = KeySet()
  /// The keys whose values link to each object; nil where changes of objects are not reported.
  private(set) var holders: [ObjectID: KeySet]?
  /// The objects that the value of a key links to; keys without links have no entry.
  private var targets: [MapKey: Set<ObjectID>] = [:]

  /// Reads the map. O(n).
  init(_ location: CollectionLocation, holdsLinks: Bool, _ reader: any ObjectReader) {
    self.location = location
    if holdsLinks { holders = [:] }
    var index = 0
    reader.forEachElement(location.property, of: location.owner) { value in
      let key = reader.mapKey(location.property, of: location.owner, at: index)
      keys.insert(key)
      enter(key, value)
      index += 1
      return true
    }
  }

  var count: Int { keys.count }

  var ownerDeletion: MapChangeSet { MapChangeSet(deletions: keys.inKeyOrder) }

  /// Advances the keys to `reader`'s version and returns what changed. O(changes · log n).
  mutating func advance(
    _ change: MapDelta, _ watch: RowWatch?, _ changes: PendingChanges,
    _ reader: any ObjectReader
  ) -> MapChangeSet {
    var modified = KeySet(change.modified.keys)
    for (key, old) in change.restored
    where value(key, reader) != changes.record.whole(old, reader) {
      modified.insert(key)
    }
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

  private mutating func apply(_ change: MapDelta, _ reader: any ObjectReader) {
    keys.subtract(change.removed.keys)
    keys.formUnion(change.inserted)
    guard holders != nil else { return }
    change.forEachPreviousValue { key, _ in leave(key) }
    change.forEachNewKey { key in
      if let value = value(key, reader) { enter(key, value) }
    }
  }

  private func value(_ key: String, _ reader: any ObjectReader) -> Value? {
    reader.mapValue(forKey: key, location.property, of: location.owner)
  }

  private mutating func enter(_ key: String, _ value: Value) {
    guard holders != nil else { return }
    var linked: Set<ObjectID> = []
    value.forEachLink { linked.insert($0) }
    guard !linked.isEmpty else { return }
    for target in linked { holders?[target, default: KeySet()].insert(key) }
    targets[MapKey(key)] = linked
  }

  private mutating func leave(_ key: String) {
    for target in targets.removeValue(forKey: MapKey(key)) ?? [] {
      holders?[target]?.remove(key)
      if holders?[target]?.isEmpty ?? false { holders?[target] = nil }
    }
  }
}
