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
  /// The place of a nested collection; nil for a property. Up to date from the first report on.
  private(set) var place: NestedPlace?
  /// A query of the elements, which its owner follows; nil for the elements themselves.
  private let query: BoundQuery?
  /// What the query reads besides the elements; nil before the first report, and for most queries.
  private var reads: FollowedReads<BoundQuery>?

  init(_ collection: ObjectProperty, _ filter: RowFilter, for query: BoundQuery? = nil) {
    self.collection = collection
    self.filter = filter
    self.query = query
  }

  init(_ place: NestedPlace, _ filter: RowFilter, for query: BoundQuery? = nil) {
    collection = ObjectProperty(object: place.collection, property: .elements)
    self.place = place
    self.filter = filter
    self.query = query
  }

  private var owner: ObjectID { collection.object }

  /// The property, or the one with the value that contains the collection.
  var root: ObjectProperty {
    guard let holder = place?.holders.first else { return collection }
    return ObjectProperty(object: holder.owner, property: holder.property)
  }

  var hasRows: Bool { true }

  var observedProperty: ObjectProperty? { collection }

  var nestedPlace: NestedPlace? { live == nil ? nil : place }

  /// Leaves the subscriptions to `begin`, which knows what the rows depend on.
  func register(_ observer: Observer, _ interest: Interest) {}

  func begin(_ observer: Observer, _ interest: Interest, _ reader: any ObjectReader) -> Int? {
    let location = CollectionLocation(collection, reader.schema)
    let view = CollectionView(location, watchesObjects: filter != .keyPaths([]), reader)
    let rowWatch: RowWatch? =
      switch location.element {
      case .objects(let classID): interest.watch(filter, of: classID, reader.schema)
      case .any: interest.watch(filter, of: nil, reader.schema)
      case .values: nil
      }
    interest.add(observer, to: rowWatch)
    interest.add(observer, to: location)
    live = Live(location, view, rowWatch)
    if let query, !query.reads.isEmpty {
      reads = FollowedReads(query.atPresent(reader), for: observer, interest, reader)
    }
    isOrphan = !reader.exists(owner)
    if !isOrphan { place = place.map(reader.relocated) }
    return view.count
  }

  func learn(_ schema: Schema, _ observer: Observer, _ interest: Interest) {
    guard let live, let location = live.location.learned(schema) else { return }
    interest.remove(observer, from: live.location)
    live.begin(location)
    interest.add(observer, to: location)
  }

  func depends(on losses: SchemaLosses, _ schema: Schema) -> Bool {
    if losses.contains(root.property, of: root.object.classID) { return true }
    if reads?.query.reads.contains(where: { $0.depends(on: losses) }) ?? false { return true }
    guard let origin = live?.location.origin else { return false }
    return losses.contains(origin.property, of: origin.classID)
  }

  func leave(_ observer: Observer, _ interest: Interest) {
    guard let live else { return }
    interest.remove(observer, from: live.location)
    interest.remove(observer, from: live.rowWatch)
    interest.release(live.rowWatch)
    reads?.leave()
    reads = nil
    self.live = nil
  }

  /// O(changes · log rows).
  func report(_ changes: PendingChanges, _ reader: any ObjectReader) -> Report? {
    guard let live else { return nil }
    if changes.change(of: owner.classID)?.deleted[owner.number] != nil {
      return deletion(ofOwner: true)
    }
    place?.shift(changes)
    // What several commits shifted is not always found from the merged changes.
    place = place.map(reader.relocated)
    let report = live.view.advance(live.location, live.rowWatch, changes, reader)
    guard let reads else { return report }
    do throws(QueryError) {
      let isOther = try reads.advance(changes, reader) != nil
      return report ?? (isOther ? live.view.nothing : nil)
    } catch {
      return .collection(.error(.cannotContinue(error.message)))
    }
  }

  func deletion(ofOwner ownerDeleted: Bool) -> Report? {
    guard let live, ownerDeleted || live.view.count > 0 else { return nil }
    return live.view.deletion(ofOwner: ownerDeleted)
  }

  var rowWatch: RowWatch? { live?.rowWatch }

  func objects(at positions: Range<Int>, _ reader: any ObjectReader) -> [ObjectID]? {
    live.flatMap { $0.view.objects($0.location, at: positions, reader) }
  }

  func violations(_ reader: any ObjectReader) -> [String] {
    live.map { $0.view.violations($0.location, reader) } ?? ["no view"]
  }
}

extension NestedPlace {
  /// Updates the rows of the lists that contain the collection.
  fileprivate mutating func shift(_ changes: PendingChanges) {
    for index in holders.indices {
      let (owner, property) = (holders[index].owner, holders[index].property)
      guard case .row(let row)? = holders[index].step,
        let list = changes.change(of: owner.classID)?[property].lists[owner.number],
        let newRow = list.newIndex(ofOld: row)
      else { continue }
      holders[index].step = .row(newRow)
    }
  }
}
