import HeraldModel
import HeraldQuery

/// The state of an observed collection between two calls.
enum CollectionView {
  case list(ListView)
  case set(SetView)
  case map(MapView)
  case backlinks(BacklinksView)

  /// Reads the collection. O(n), for lists of plain values and for sets O(1).
  init(_ location: CollectionLocation, watchesObjects: Bool, _ reader: any ObjectReader) {
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
    }
  }

  /// The last report: every row is deleted, `ownerDeleted` with the object that held them.
  func deletion(ofOwner ownerDeleted: Bool) -> Report {
    switch self {
    case .list, .set, .backlinks:
      .update(ChangeSet(deletions: Array(0..<count)), ownerDeleted: ownerDeleted)
    case .map(let view): .mapUpdate(view.ownerDeletion, ownerDeleted: ownerDeleted)
    }
  }

  /// The report of no change.
  var nothing: Report {
    switch self {
    case .list, .set, .backlinks: .update(ChangeSet(), ownerDeleted: false)
    case .map: .mapUpdate(MapChangeSet(), ownerDeleted: false)
    }
  }

  /// Returns the objects in some rows of a list of links or backlinks; nil for others.
  func objects(
    _ location: CollectionLocation, at positions: Range<Int>, _ reader: any ObjectReader
  ) -> [ObjectID]? {
    switch self {
    case .list(let list):
      guard case .objects(let classID) = location.element else { return nil }
      if case .objects(let sequence) = list.rows {
        return sequence.objects(of: classID, at: positions)
      }
      let count = reader.listCount(location.property, of: location.owner)
      return positions.clamped(to: 0..<count).map { position in
        let element = reader.listElement(location.property, of: location.owner, at: position)
        return ObjectID(classID, list.number(element))
      }
    case .backlinks(let backlinks):
      guard let origin = location.origin else { return [] }
      return backlinks.rows.objects(of: origin.classID, at: positions)
    case .set, .map: return nil
    }
  }

  /// Whether an object is a row, or a row links to it.
  func leads(
    to object: ObjectID, _ location: CollectionLocation, _ reader: any ObjectReader
  ) -> Bool {
    switch self {
    case .list(let view): view.leads(to: object)
    case .set(let view): view.leads(to: object, location, reader)
    case .map(let view): view.holders?[object] != nil
    case .backlinks(let view): view.rows.contains(object.number)
    }
  }

  /// Advances the rows to `reader`'s version and returns the report; nil where there is nothing to
  /// report. O(changes · log rows).
  mutating func advance(
    _ location: CollectionLocation, _ watch: RowWatch?, _ changes: PendingChanges,
    _ reader: any ObjectReader
  ) -> Report? {
    let change = changes.change(of: location.owner.classID)
    let (property, number) = (location.property, location.owner.number)
    let changeSet: ChangeSet
    switch self {
    case .list(var view):
      self = .placeholder
      let list = change?[property].lists[number]
      if let list { view.apply(list, reader) }
      let modified = view.modified(watch, changes, reader)
      self = .list(view)
      changeSet =
        list?.changeSet(modified: modified)
        ?? ChangeSet(modifications: modified, modificationsNew: modified)
    case .set(var view):
      self = .placeholder
      let set = change?[property].sets[number] ?? SetDelta()
      changeSet = view.advance(location, set, watch, changes, reader)
      self = .set(view)
    case .map(var view):
      self = .placeholder
      let map = change?[property].maps[number] ?? MapDelta()
      let keys = view.advance(map, watch, changes, reader)
      self = .map(view)
      return keys.isEmpty ? nil : .mapUpdate(keys, ownerDeleted: false)
    case .backlinks(var view):
      self = .placeholder
      changeSet = view.advance(watch, changes, reader)
      self = .backlinks(view)
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

extension OrderedSequence {
  fileprivate func objects(of classID: ClassID, at positions: Range<Int>) -> [ObjectID] {
    positions.clamped(to: 0..<count).map { ObjectID(classID, number(at: $0)) }
  }
}
