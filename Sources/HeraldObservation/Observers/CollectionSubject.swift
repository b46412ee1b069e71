import HeraldModel
import HeraldQuery

/// An observed collection and, after the first call, its live rows.
final class CollectionSubject: Subject {
  final class Live {
    private(set) var location: CollectionLocation
    fileprivate(set) var view: CollectionView
    /// Nil for plain values, whose rows change only by replacement.
    let rowWatch: RowWatch?

    init(_ location: CollectionLocation, _ view: CollectionView, _ rowWatch: RowWatch?) {
      self.location = location
      self.view = view
      self.rowWatch = rowWatch
    }

    /// Starts backlinks whose origin class was just declared: without rows, since no link can exist yet.
    fileprivate func begin(_ location: CollectionLocation) {
      self.location = location
      view = .backlinks(BacklinksView(emptyAt: location))
    }
  }

  let collection: ObjectProperty
  let filter: RowFilter
  private(set) var live: Live?
  /// Whether the owner, or the value that contained the collection, was deleted before the first call.
  private(set) var isOrphan = false
  /// The path to a list or a map nested in a value of the property; nil for the property itself. Kept up
  /// to date until the first call, after which the view does so.
  private var inside: [ValueStep]?

  init(_ collection: ObjectProperty, inside: [ValueStep]? = nil, _ filter: RowFilter) {
    self.collection = collection
    self.inside = inside
    self.filter = filter
  }

  private var owner: ObjectID { collection.object }

  var hasRows: Bool { true }

  var observedProperty: ObjectProperty? { collection }

  func register(_ observer: Observer, _ interest: Interest) {
    if inside != nil { interest.add(observer, awaitingNested: self) }
  }

  /// Updates the path of a nested collection that awaits its first call.
  func follow(_ changes: PendingChanges, _ reader: any ObjectReader) {
    guard
      let done = changes.change(of: owner.classID)?.inside(collection.property, owner.number)
    else { return }
    let location = CollectionLocation(collection, inside: inside, reader.schema)
    var view = NestedView(location, before: done, reader)
    isOrphan = isOrphan || !view.follow(done, location, reader)
    inside = view.path
  }

  func begin(_ observer: Observer, _ interest: Interest, _ reader: any ObjectReader) -> Int? {
    let location = CollectionLocation(collection, inside: inside, reader.schema)
    let view =
      isOrphan
      ? CollectionView.inside(NestedView(lostFrom: location))
      : CollectionView(location, watchesObjects: filter != .keyPaths([]), reader)
    let rowWatch: RowWatch? =
      switch location.element {
      case .objects(let classID): interest.watch(filter, of: classID, reader.schema)
      case .any: interest.watch(filter, of: nil, reader.schema)
      case .values: nil
      }
    interest.add(observer, to: rowWatch)
    interest.add(observer, to: location)
    live = Live(location, view, rowWatch)
    isOrphan = isOrphan || !reader.exists(owner) || location.leadsNowhere(reader)
    return view.count
  }

  func learn(_ schema: Schema, _ observer: Observer, _ interest: Interest) {
    guard let live, let location = live.location.learned(schema) else { return }
    interest.remove(observer, from: live.location)
    live.begin(location)
    interest.add(observer, to: location)
  }

  func depends(on losses: SchemaLosses, _ schema: Schema) -> Bool {
    if losses.contains(collection.property, of: owner.classID) { return true }
    guard let origin = live?.location.origin else { return false }
    return losses.contains(origin.property, of: origin.classID)
  }

  func leave(_ observer: Observer, _ interest: Interest) {
    guard let live else { return }
    interest.remove(observer, from: live.location)
    interest.release(live.rowWatch)
    self.live = nil
  }

  /// O(changes · log rows).
  func report(_ changes: PendingChanges, _ reader: any ObjectReader) -> Report? {
    guard let live else { return nil }
    if changes.change(of: owner.classID)?.deleted[owner.number] != nil {
      return deletion(ofOwner: true)
    }
    return live.view.advance(live.location, live.rowWatch, changes, reader)
  }

  func deletion(ofOwner ownerDeleted: Bool) -> Report? {
    guard let live, ownerDeleted || live.view.count > 0 else { return nil }
    return live.view.deletion(ofOwner: ownerDeleted)
  }

  var nested: NestedView? {
    if case .inside(let view)? = live?.view { view } else { nil }
  }

  var rowWatch: RowWatch? { live?.rowWatch }

  func objects(at positions: Range<Int>, _ reader: any ObjectReader) -> [ObjectID]? {
    live.flatMap { $0.view.objects($0.location, at: positions, reader) }
  }

  func violations(_ reader: any ObjectReader) -> [String] {
    live.map { $0.view.violations($0.location, reader) } ?? ["no view"]
  }
}

extension CollectionLocation {
  /// Whether the path of a nested collection no longer leads to a list or a map.
  fileprivate func leadsNowhere(_ reader: any ObjectReader) -> Bool {
    isInside && part(at: inside, reader)?.nestedCount == nil
  }
}
