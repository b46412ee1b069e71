import HeraldModel
import HeraldQuery

/// The rows of a set. They are where their values belong, so that nothing but their number needs to
/// be known, and which of the lists and maps among them lead to which object.
struct SetView {
  private(set) var count: Int
  /// Empty where no change of an object is told.
  private(set) var holders: [ObjectID: Set<Value>] = [:]
  let leadsToObjects: Bool

  /// No rows.
  init() {
    count = 0
    leadsToObjects = false
  }

  /// O(1), of values of any type O(n).
  init(_ place: CollectionPlace, watchesObjects: Bool, _ reader: any ObjectReader) {
    count = reader.listCount(place.property, of: place.owner)
    leadsToObjects = if case .any = place.element { watchesObjects } else { false }
    guard leadsToObjects else { return }
    reader.forEachElement(place.property, of: place.owner) { value in
      enter(value)
      return true
    }
  }

  /// Brings the rows to `reader`'s version and answers what changed. O(changes · log n).
  mutating func advance(
    _ place: CollectionPlace, _ change: SetChange, _ watch: RowWatch?, _ changes: PendingChanges,
    _ reader: any ObjectReader
  ) -> ChangeSet {
    count += change.inserted.count - change.removed.count
    for value in change.removed { leave(value) }
    for value in change.inserted { enter(value) }
    let modified = modified(place, watch, changes, reader)
    return change.shift(of: place.property, place.owner, reader).changeSet(modified: modified)
  }

  /// The rows whose objects changed, in no order.
  private func modified(
    _ place: CollectionPlace, _ watch: RowWatch?, _ changes: PendingChanges,
    _ reader: any ObjectReader
  ) -> [Int] {
    guard let watch else { return [] }
    var rows: Set<Int> = []
    for object in watch.modifiedObjects(changes, reader) {
      for value in [.link(object)] + (holders[object] ?? []) {
        let found = reader.place(of: value, inSet: place.property, of: place.owner)
        if found.isPresent { rows.insert(found.index) }
      }
    }
    return Array(rows)
  }

  private mutating func enter(_ value: Value) {
    guard leadsToObjects, value.partCount != nil else { return }
    value.forEachLink { holders[$0, default: []].insert(value) }
  }

  private mutating func leave(_ value: Value) {
    guard leadsToObjects, value.partCount != nil else { return }
    value.forEachLink { object in
      holders[object]?.remove(value)
      if holders[object]?.isEmpty ?? false { holders[object] = nil }
    }
  }

  func leads(to object: ObjectID, _ place: CollectionPlace, _ reader: any ObjectReader) -> Bool {
    holders[object] != nil
      || reader.place(of: .link(object), inSet: place.property, of: place.owner).isPresent
  }
}
