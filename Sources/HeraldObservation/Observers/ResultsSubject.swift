import HeraldModel
import HeraldQuery

/// Observed results: the query and, after the first call, its live view.
final class ResultsSubject: Subject {
  /// The query, as it was bound last.
  private(set) var query: BoundQuery
  let filter: RowFilter
  /// The collection that the query reads; nil for all objects of its class.
  let observedProperty: ObjectProperty?
  @exclusivity(unchecked) private(set) var live: LiveResults? {
    didSet { liveReference = live.map { Unmanaged.passUnretained($0) } }
  }
  /// The same for a report, at whose end it is still there, without counting references.
  @exclusivity(unchecked) private var liveReference: Unmanaged<LiveResults>?
  /// Whether the owner of the collection was deleted before the first call.
  @exclusivity(unchecked) private(set) var isOrphan = false
  /// Whether changes of single objects may be found by the interval that contains one of their values.
  private let isIndexed: Bool
  /// What the query reads besides its rows; nil before the first call, and for most queries.
  @exclusivity(unchecked) private(set) var reads: FollowedReads<BoundQuery>?

  init(
    _ query: BoundQuery, of source: ObjectProperty? = nil, _ filter: RowFilter,
    isIndexed: Bool = true
  ) {
    self.query = query
    self.filter = filter
    // The interval of a query with reads differs from time to time.
    self.isIndexed = isIndexed && query.reads.isEmpty
    observedProperty = source
  }

  /// Results that have begun already.
  init(_ live: LiveResults, _ filter: RowFilter) {
    query = live.view.query
    self.filter = filter
    observedProperty = nil
    isIndexed = true
    self.live = live
    liveReference = Unmanaged.passUnretained(live)
  }

  var hasRows: Bool { true }

  /// Leaves the subscriptions to `begin`, which knows what the rows depend on.
  func register(_ observer: Observer, _ interest: Interest) {}

  func begin(_ observer: Observer, _ interest: Interest, _ reader: any ObjectReader) -> Int? {
    // The session may have advanced since the registration.
    query = query.atPresent(reader)
    let location = observedProperty.map { CollectionLocation($0, reader.schema) }
    let view = ResultsView(query, of: location.map { CollectionRows($0, reader) }, reader)
    if reader.isInterrupted { return nil }
    if let rows = view.creationRows { interest.share(rows) }
    let live = LiveResults(
      view, interest.watches(of: query, filter, reader.schema),
      shown: filter.shown(reader.schema))
    self.live = live
    if !query.reads.isEmpty { reads = FollowedReads(query, for: observer, interest, reader) }
    if location == nil, isIndexed, let span = query.predicate.span {
      live.predicateIndex = interest.add(observer, live, span)
      return view.count
    }
    interest.add(observer, to: live.watches.every)
    if let location {
      interest.add(observer, to: location)
      isOrphan = !reader.exists(location.owner)
    } else {
      interest.add(observer, toRowsOf: query.classID)
    }
    return view.count
  }

  func learn(_ schema: Schema, _ observer: Observer, _ interest: Interest) {
    live?.shown = filter.shown(schema)
    guard let rows = live?.view.collection, let known = rows.location,
      let location = known.learned(schema)
    else { return }
    interest.remove(observer, from: known)
    rows.begin(location)
    interest.add(observer, to: location)
  }

  func depends(on losses: SchemaLosses, _ schema: Schema) -> Bool {
    if losses.classes.contains(query.classID) { return true }
    if let source = observedProperty, losses.contains(source.property, of: source.object.classID) {
      return true
    }
    return query.dependencies.contains { $0.depends(on: losses) }
      || query.reads.contains { $0.depends(on: losses) }
  }

  func leave(_ observer: Observer, _ interest: Interest) {
    guard let live else { return }
    self.live = nil
    reads?.leave()
    reads = nil
    if let group = live.predicateIndex, let span = query.predicate.span {
      interest.remove(IntervalIndex.Member(observer), from: group, span)
    } else if let location = live.view.collection?.location {
      interest.remove(observer, from: location)
    } else {
      interest.remove(observer, fromRowsOf: query.classID)
    }
    if live.predicateIndex == nil { interest.remove(observer, from: live.watches.every) }
    interest.release(live.watches)
  }

  /// O(changes · log rows).
  func report(_ changes: PendingChanges, _ reader: any ObjectReader) -> Report? {
    guard let liveReference else { return nil }
    if let owner = observedProperty?.object,
      changes.change(of: owner.classID)?.deleted[owner.number] != nil
    {
      return deletion(ofOwner: true)
    }
    if reads != nil { return report(rereading: changes, reader) }
    return liveReference._withUnsafeGuaranteedRef { $0.report(changes, reader) }
  }

  /// The same for a query with reads.
  private func report(rereading changes: PendingChanges, _ reader: any ObjectReader) -> Report? {
    guard let live else { return nil }
    do throws(QueryError) {
      return live.report(changes, reader, try reread(changes, reader))
    } catch {
      return .collection(.error(.cannotContinue(error.message)))
    }
  }

  /// Returns the query with what it reads now; nil where that is what it was. Errors: those of binding it.
  private func reread(
    _ changes: PendingChanges, _ reader: any ObjectReader
  ) throws(QueryError) -> BoundQuery? {
    guard let live, let reads, let new = try reads.advance(changes, reader) else { return nil }
    query = new
    live.watches = reads.watches(instead: live.watches, filter, reader.schema)
    return new
  }

  /// Advances the view for who needs to know which rows are affected, and not where. Errors: those of binding the query.
  func advanceMembers(
    _ changes: PendingChanges, _ reader: any ObjectReader
  ) throws(QueryError) -> (left: [Int], entered: [(member: Int, object: ObjectNumber)])? {
    try live?.advanceMembers(changes, reader, reread(changes, reader))
  }

  /// Advances the view of rows in sections; see `LiveResults`. Errors: those of binding the query.
  func changeSet(
    ofSections changes: PendingChanges, _ reader: any ObjectReader,
    _ separated: (RowChanges) -> Set<ObjectNumber>
  ) throws(QueryError) -> ChangeSet {
    guard let live else { return ChangeSet() }
    return live.changeSet(ofSections: changes, reader, try reread(changes, reader), separated)
  }

  func deletion(ofOwner ownerDeleted: Bool) -> Report? {
    guard let live, ownerDeleted || live.view.count > 0 else { return nil }
    let rows = ChangeSet(deletions: Array(0..<live.view.count))
    return .update(rows, ownerDeleted: ownerDeleted)
  }

  var rowWatch: RowWatch? { live?.watches.rows }

  var rowCount: Int? { live?.view.count }

  func objects(at positions: Range<Int>, _ reader: any ObjectReader) -> [ObjectID]? {
    live?.view.objects(at: positions)
  }

  func violations(_ reader: any ObjectReader) -> [String] {
    live?.view.violations(reader) ?? ["no view"]
  }
}

extension ResultsView {
  fileprivate func objects(at positions: Range<Int>) -> [ObjectID] {
    positions.clamped(to: 0..<count).map { position in
      let row = rows.number(at: position)
      return ObjectID(query.classID, collection?.object(of: row) ?? row)
    }
  }
}

extension StoredRead {
  func depends(on losses: SchemaLosses) -> Bool {
    dependencies.contains { dependency in
      switch dependency {
      case .path(let path, from: _): path.depends(on: losses)
      case .population(let classID): losses.classes.contains(classID)
      }
    }
  }
}
