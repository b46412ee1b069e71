import HeraldModel
import HeraldQuery

/// A live view of a set. A set is sorted by value, so the view holds only the number of rows, and an
/// index from objects to the lists and maps that link to them.
struct SetView {
  private(set) var count: Int
  /// The lists and maps that link to each object; empty where changes of objects are not reported.
  private(set) var holders: [ObjectID: Set<Value>] = [:]
  let leadsToObjects: Bool

  /// Creates a view without rows.
  init() {
    count = 0
    leadsToObjects = false
  }

  /// Reads the set. O(1), for values of any type O(n).
  init(_ location: CollectionLocation, watchesObjects: Bool, _ reader: any ObjectReader) {
    count = reader.listCount(location.property, of: location.owner)
    leadsToObjects = if case .any = location.element { watchesObjects } else { false }
    guard leadsToObjects else { return }
    reader.forEachElement(location.property, of: location.owner) { value in
      enter(value)
      return true
    }
  }

  /// Advances the rows to `reader`'s version and returns what changed. O(changes · log n).
  mutating func advance(
    _ location: CollectionLocation, _ change: SetDelta, _ watch: RowWatch?,
    _ changes: PendingChanges,
    _ reader: any ObjectReader
  ) -> ChangeSet {
    count += change.inserted.count - change.removed.count
    for value in change.removed { leave(value) }
    for value in change.inserted { enter(value) }
    let modified = modified(location, watch, changes, reader)
    return change.changeSet(of: location.property, location.owner, reader).modifying(modified)
  }

  /// Returns the rows whose objects changed, unordered.
  private func modified(
    _ location: CollectionLocation, _ watch: RowWatch?, _ changes: PendingChanges,
    _ reader: any ObjectReader
  ) -> [Int] {
    guard let watch else { return [] }
    var rows: Set<Int> = []
    for object in watch.modifiedObjects(changes, reader) {
      for value in [.link(object)] + (holders[object] ?? []) {
        let found = reader.position(of: value, inSet: location.property, of: location.owner)
        if found.isPresent { rows.insert(found.index) }
      }
    }
    return Array(rows)
  }

  private mutating func enter(_ value: Value) {
    guard leadsToObjects, value.nestedCount != nil else { return }
    value.forEachLink { holders[$0, default: []].insert(value) }
  }

  private mutating func leave(_ value: Value) {
    guard leadsToObjects, value.nestedCount != nil else { return }
    value.forEachLink { object in
      holders[object]?.remove(value)
      if holders[object]?.isEmpty ?? false { holders[object] = nil }
    }
  }

  func leads(to object: ObjectID, _ location: CollectionLocation, _ reader: any ObjectReader)
    -> Bool
  {
    holders[object] != nil
      || reader.position(of: .link(object), inSet: location.property, of: location.owner).isPresent
  }
}
