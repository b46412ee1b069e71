import HeraldModel
import HeraldQuery

/// An observed collection: which one, and, once the first call was made, its live rows.
final class CollectionSubject {
  struct Live {
    let place: CollectionPlace
    var view: CollectionView
    /// Nil for plain values, whose rows change only by being replaced.
    let rowWatch: RowWatch?
  }

  let owner: ObjectID
  let property: PropertyID
  let filter: RowFilter
  var live: Live?
  /// The owner was gone when the first call was made.
  var isOrphan = false

  init(owner: ObjectID, property: PropertyID, _ filter: RowFilter) {
    self.owner = owner
    self.property = property
    self.filter = filter
  }

  /// Brings the rows to `reader`'s version and answers what that tells; nil for nothing.
  /// O(changes · log rows).
  func advance(_ changes: PendingChanges?, _ reader: any ObjectReader) -> Report? {
    guard var live else { return nil }
    let change = changes?.change(of: owner.classID)
    if isOrphan || change?.deleted[owner.number] != nil { return live.view.deletion(ofOwner: true) }
    guard let changes else { return nil }
    // The view must have one owner while it is changed.
    self.live = nil
    defer { self.live = live }
    let (place, watch) = (live.place, live.rowWatch)
    return live.view.advance(place, watch, changes, reader)
  }
}

/// What is kept of a collection between two calls.
enum CollectionView {
  case list(ListView)
  /// The rows are where their values belong: nothing but their number needs to be known.
  case set(count: Int)
  case map(MapView)
  case backlinks(BacklinksView)

  /// O(n), for lists of plain values and for sets O(1).
  init(_ place: CollectionPlace, watchesObjects: Bool, _ reader: any ObjectReader) {
    switch place.shape {
    case .single, .list:
      let ofObjects = if case .objects = place.element { watchesObjects } else { false }
      self = .list(
        ListView(owner: place.owner, property: place.property, ofObjects: ofObjects, reader))
    case .set: self = .set(count: reader.listCount(place.property, of: place.owner))
    case .map:
      let holdsLinks = if case .values = place.element { false } else { watchesObjects }
      self = .map(MapView(place, holdsLinks: holdsLinks, reader))
    case .backlinks: self = .backlinks(BacklinksView(place, reader))
    }
  }

  var count: Int {
    switch self {
    case .list(let view): view.count
    case .set(let count): count
    case .map(let view): view.count
    case .backlinks(let view): view.count
    }
  }

  /// What the last call tells: every row is gone, maybe with the object that held them.
  func deletion(ofOwner ownerDeleted: Bool) -> Report {
    switch self {
    case .list, .set, .backlinks:
      .update(ChangeSet(deletions: Array(0..<count)), ownerDeleted: ownerDeleted)
    case .map(let view): .mapUpdate(view.ownerDeletion, ownerDeleted: ownerDeleted)
    }
  }

  fileprivate mutating func advance(
    _ place: CollectionPlace, _ watch: RowWatch?, _ changes: PendingChanges,
    _ reader: any ObjectReader
  ) -> Report? {
    let change = changes.change(of: place.owner.classID)
    let (property, number) = (place.property, place.owner.number)
    let told: ChangeSet
    switch self {
    case .list(var view):
      self = .set(count: 0)
      let list = change?.lists[property]?[number]
      if let list { view.apply(list, reader) }
      let modified = view.modified(place, watch, changes, reader)
      self = .list(view)
      told =
        list?.changeSet(modified: modified)
        ?? ChangeSet(modifications: modified, modificationsNew: modified)
    case .set(let count):
      let set = change?.sets[property]?[number] ?? SetChange()
      let shift = set.shift(of: property, place.owner, reader)
      self = .set(count: count + set.inserted.count - set.removed.count)
      told = shift.changeSet(modified: place.modifiedSetRows(watch, changes, reader))
    case .map(var view):
      self = .set(count: 0)
      let map = change?.maps[property]?[number] ?? MapChange()
      let keys = view.advance(map, watch, changes, reader)
      self = .map(view)
      return keys.isEmpty ? nil : .mapUpdate(keys, ownerDeleted: false)
    case .backlinks(var view):
      self = .set(count: 0)
      told = view.advance(watch, changes, reader)
      self = .backlinks(view)
    }
    return told.isEmpty ? nil : .update(told, ownerDeleted: false)
  }
}

extension ListView {
  /// The rows, ascending, whose objects changed.
  fileprivate func modified(
    _ place: CollectionPlace, _ watch: RowWatch?, _ changes: PendingChanges,
    _ reader: any ObjectReader
  ) -> [Int] {
    guard let watch else { return [] }
    if case .any = place.element {
      return place.rows(linkingTo: watch.modifiedObjects(changes, reader), reader)
    }
    let numbers = watch.modified(changes, reader)
    return numbers.isEmpty ? [] : positions(of: numbers)
  }
}

extension CollectionPlace {
  /// The rows of a list of values of any type that link to one of the objects. O(objects · log n),
  /// and O(n) where there are such rows.
  fileprivate func rows(
    linkingTo objects: Set<ObjectID>, _ reader: any ObjectReader
  ) -> [Int] {
    let linked = objects.filter { target in
      reader.linkCount(
        from: owner.number, origin: owner.classID, property: property, to: target) > 0
    }
    guard !linked.isEmpty else { return [] }
    var rows: [Int] = []
    var row = 0
    reader.forEachElement(property, of: owner) { element in
      var isLinking = false
      element.forEachLink { isLinking = isLinking || linked.contains($0) }
      if isLinking { rows.append(row) }
      row += 1
      return true
    }
    return rows
  }

  /// The rows of a set whose objects changed, in no order. O(changed objects · log n).
  fileprivate func modifiedSetRows(
    _ watch: RowWatch?, _ changes: PendingChanges, _ reader: any ObjectReader
  ) -> [Int] {
    guard let watch else { return [] }
    var rows: [Int] = []
    for object in watch.modifiedObjects(changes, reader) {
      let found = reader.place(of: .link(object), inSet: property, of: owner)
      if found.isPresent { rows.append(found.index) }
    }
    return rows
  }
}
