import HeraldModel
import HeraldQuery

/// An observed collection and, after the first call, its live rows.
final class CollectionSubject {
  final class Live {
    private(set) var location: CollectionLocation
    private(set) var view: CollectionView
    /// Nil for plain values, whose rows change only by replacement.
    let rowWatch: RowWatch?

    init(_ location: CollectionLocation, _ view: CollectionView, _ rowWatch: RowWatch?) {
      self.location = location
      self.view = view
      self.rowWatch = rowWatch
    }

    fileprivate func advance(_ changes: PendingChanges, _ reader: any ObjectReader) -> Report? {
      view.advance(location, rowWatch, changes, reader)
    }

    /// Starts backlinks whose origin class was just declared: without rows, since no link can exist yet.
    func begin(_ location: CollectionLocation) {
      self.location = location
      view = .backlinks(BacklinksView(emptyAt: location))
    }
  }

  let owner: ObjectID
  let property: PropertyID
  /// The path to a list or a map nested in a value of the property; nil for the property itself. Kept up
  /// to date until the first call, after which the view does so.
  var inside: [ValueStep]?
  let filter: RowFilter
  var live: Live?
  /// Whether the owner, or the value that contained the collection, was deleted before the first call.
  var isOrphan = false

  init(owner: ObjectID, property: PropertyID, inside: [ValueStep]? = nil, _ filter: RowFilter) {
    self.owner = owner
    self.property = property
    self.inside = inside
    self.filter = filter
  }

  /// Advances the rows to `reader`'s version and returns the report; nil where there is placeholder to
  /// report. O(changes · log rows).
  func advance(_ changes: PendingChanges?, _ reader: any ObjectReader) -> Report? {
    guard let live else { return nil }
    let change = changes?.change(of: owner.classID)
    if isOrphan || change?.deleted[owner.number] != nil { return live.view.deletion(ofOwner: true) }
    guard let changes else { return nil }
    return live.advance(changes, reader)
  }
}

/// The state of an observed collection between two calls.
enum CollectionView {
  case list(ListView)
  case set(SetView)
  case map(MapView)
  case backlinks(BacklinksView)
  case inside(NestedView)

  /// Reads the collection. O(n), for lists of plain values and for sets O(1).
  init(_ location: CollectionLocation, watchesObjects: Bool, _ reader: any ObjectReader) {
    if location.isInside {
      self = .inside(NestedView(location, reader))
      return
    }
    switch location.shape {
    case .single, .list:
      self = .list(ListView(location, watchesObjects: watchesObjects, reader))
    case .set: self = .set(SetView(location, watchesObjects: watchesObjects, reader))
    case .map:
      let holdsLinks = if case .values = location.element { false } else { watchesObjects }
      self = .map(MapView(location, holdsLinks: holdsLinks, reader))
    case .backlinks: self = .backlinks(BacklinksView(location, reader))
    }
  }

  /// A placeholder for a view that is being changed, so that mutating it does not copy it.
  private static var placeholder: CollectionView { .set(SetView()) }

  var count: Int {
    switch self {
    case .list(let view): view.count
    case .set(let view): view.count
    case .map(let view): view.count
    case .backlinks(let view): view.count
    case .inside(let view): view.count
    }
  }

  /// The path of a nested collection; nil for the others.
  var nestedPath: [ValueStep]? { if case .inside(let view) = self { view.path } else { nil } }

  /// The last report: every row is deleted, `ownerDeleted` with the object that held them.
  func deletion(ofOwner ownerDeleted: Bool) -> Report {
    switch self {
    case .list, .set, .backlinks:
      .update(ChangeSet(deletions: Array(0..<count)), ownerDeleted: ownerDeleted)
    case .map(let view): .mapUpdate(view.ownerDeletion, ownerDeleted: ownerDeleted)
    case .inside(let view): view.deletion
    }
  }

  fileprivate mutating func advance(
    _ location: CollectionLocation, _ watch: RowWatch?, _ changes: PendingChanges,
    _ reader: any ObjectReader
  ) -> Report? {
    let change = changes.change(of: location.owner.classID)
    let (property, number) = (location.property, location.owner.number)
    let changeSet: ChangeSet
    switch self {
    case .list(var view):
      self = .placeholder
      let list = change?.lists[property]?[number]
      if let list { view.apply(list, reader) }
      let modified = view.modified(watch, changes, reader)
      self = .list(view)
      changeSet =
        list?.changeSet(modified: modified)
        ?? ChangeSet(modifications: modified, modificationsNew: modified)
    case .set(var view):
      self = .placeholder
      let set = change?.sets[property]?[number] ?? SetChange()
      changeSet = view.advance(location, set, watch, changes, reader)
      self = .set(view)
    case .map(var view):
      self = .placeholder
      let map = change?.maps[property]?[number] ?? MapChange()
      let keys = view.advance(map, watch, changes, reader)
      self = .map(view)
      return keys.isEmpty ? nil : .mapUpdate(keys, ownerDeleted: false)
    case .backlinks(var view):
      self = .placeholder
      changeSet = view.advance(watch, changes, reader)
      self = .backlinks(view)
    case .inside(var view):
      let report = view.advance(location, watch, changes, reader)
      self = .inside(view)
      return report
    }
    return changeSet.isEmpty ? nil : .update(changeSet, ownerDeleted: false)
  }
}

extension ListView {
  /// The positions, ascending, of the rows whose objects changed.
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
