import HeraldModel
import HeraldQuery

/// An observed collection: which one, and, once the first call was made, its live rows.
final class CollectionSubject {
  final class Live {
    private(set) var place: CollectionPlace
    private(set) var view: CollectionView
    /// Nil for plain values, whose rows change only by being replaced.
    let rowWatch: RowWatch?

    init(_ place: CollectionPlace, _ view: CollectionView, _ rowWatch: RowWatch?) {
      self.place = place
      self.view = view
      self.rowWatch = rowWatch
    }

    fileprivate func advance(_ changes: PendingChanges, _ reader: any ObjectReader) -> Report? {
      view.advance(place, rowWatch, changes, reader)
    }

    /// Backlinks begin: nothing can have linked by a property that was not there.
    func begin(_ place: CollectionPlace) {
      self.place = place
      view = .backlinks(BacklinksView(emptyAt: place))
    }
  }

  let owner: ObjectID
  let property: PropertyID
  /// The way to a list or a map inside a value of the property; nil for the property itself. Where
  /// it stands when the first call is made, and until then.
  var inside: [ValueStep]?
  let filter: RowFilter
  var live: Live?
  /// The owner was gone when the first call was made, or the value that it was inside of.
  var isOrphan = false

  init(owner: ObjectID, property: PropertyID, inside: [ValueStep]? = nil, _ filter: RowFilter) {
    self.owner = owner
    self.property = property
    self.inside = inside
    self.filter = filter
  }

  /// Brings the rows to `reader`'s version and answers what that tells; nil for nothing.
  /// O(changes · log rows).
  func advance(_ changes: PendingChanges?, _ reader: any ObjectReader) -> Report? {
    guard let live else { return nil }
    let change = changes?.change(of: owner.classID)
    if isOrphan || change?.deleted[owner.number] != nil { return live.view.deletion(ofOwner: true) }
    guard let changes else { return nil }
    return live.advance(changes, reader)
  }
}

/// What is kept of a collection between two calls.
enum CollectionView {
  case list(ListView)
  case set(SetView)
  case map(MapView)
  case backlinks(BacklinksView)
  case inside(InsideView)

  /// O(n), for lists of plain values and for sets O(1).
  init(_ place: CollectionPlace, watchesObjects: Bool, _ reader: any ObjectReader) {
    if place.isInside {
      self = .inside(InsideView(place, reader))
      return
    }
    switch place.shape {
    case .single, .list:
      self = .list(ListView(place, watchesObjects: watchesObjects, reader))
    case .set: self = .set(SetView(place, watchesObjects: watchesObjects, reader))
    case .map:
      let holdsLinks = if case .values = place.element { false } else { watchesObjects }
      self = .map(MapView(place, holdsLinks: holdsLinks, reader))
    case .backlinks: self = .backlinks(BacklinksView(place, reader))
    }
  }

  /// In place of a view that is being changed, which then is not copied.
  private static var nothing: CollectionView { .set(SetView()) }

  var count: Int {
    switch self {
    case .list(let view): view.count
    case .set(let view): view.count
    case .map(let view): view.count
    case .backlinks(let view): view.count
    case .inside(let view): view.count
    }
  }

  /// Where a collection inside a value stands; nil for the others.
  var insidePath: [ValueStep]? { if case .inside(let view) = self { view.path } else { nil } }

  /// What the last call tells: every row is gone, maybe with the object that held them.
  func deletion(ofOwner ownerDeleted: Bool) -> Report {
    switch self {
    case .list, .set, .backlinks:
      .update(ChangeSet(deletions: Array(0..<count)), ownerDeleted: ownerDeleted)
    case .map(let view): .mapUpdate(view.ownerDeletion, ownerDeleted: ownerDeleted)
    case .inside(let view): view.deletion
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
      self = .nothing
      let list = change?.lists[property]?[number]
      if let list { view.apply(list, reader) }
      let modified = view.modified(watch, changes, reader)
      self = .list(view)
      told =
        list?.changeSet(modified: modified)
        ?? ChangeSet(modifications: modified, modificationsNew: modified)
    case .set(var view):
      self = .nothing
      let set = change?.sets[property]?[number] ?? SetChange()
      told = view.advance(place, set, watch, changes, reader)
      self = .set(view)
    case .map(var view):
      self = .nothing
      let map = change?.maps[property]?[number] ?? MapChange()
      let keys = view.advance(map, watch, changes, reader)
      self = .map(view)
      return keys.isEmpty ? nil : .mapUpdate(keys, ownerDeleted: false)
    case .backlinks(var view):
      self = .nothing
      told = view.advance(watch, changes, reader)
      self = .backlinks(view)
    case .inside(var view):
      let report = view.advance(place, watch, changes, reader)
      self = .inside(view)
      return report
    }
    return told.isEmpty ? nil : .update(told, ownerDeleted: false)
  }
}

extension ListView {
  /// The rows, ascending, whose objects changed.
  fileprivate func modified(
    _ watch: RowWatch?, _ changes: PendingChanges, _ reader: any ObjectReader
  ) -> [Int] {
    guard let watch else { return [] }
    switch rows {
    case .values: return []
    case .links(let linked): return linked.positions(of: watch.modifiedObjects(changes, reader))
    case .objects:
      let numbers = watch.modified(changes, reader)
      return numbers.isEmpty ? [] : positions(of: numbers)
    }
  }
}
