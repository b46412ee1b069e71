import HeraldModel
import HeraldQuery

/// The subscriptions of a session: an index from the contents of a commit record to the watches and
/// observers that it concerns, so that unaffected observers cost nothing.
final class Interest {
  /// The subscriptions to one class; a reference type, since each record passes it around.
  final class ClassInterest {
    /// Watches of paths that have the property as a step.
    @exclusivity(unchecked) var properties: [PropertyID: [PathWatch]] = [:]
    /// Watches of paths with a backlinks step to the class: creation and deletion of its objects count.
    @exclusivity(unchecked) var origins: [PathWatch] = []
    /// Watches of collections whose rows reach the class: a change of any property counts.
    @exclusivity(unchecked) var deep: [DeepWatch] = []
    /// Observers of results of the class: creation and deletion count.
    @exclusivity(unchecked) var rows = ObserverList()
    /// Groups of such observers of which each change concerns only some.
    @exclusivity(unchecked) var groups: [PredicateIndex.Key: PredicateIndex] = [:]
    /// Observed objects, with key paths or as projections.
    @exclusivity(unchecked) var objects = ObserversByObject()
    /// Observers of collections, and of results of collections, by the owning object.
    @exclusivity(unchecked) var collections = ObserversByObject()
    /// Observers of backlinks through a property of the class, by the linked object.
    @exclusivity(unchecked) var backlinks: [PropertyID: ObserversByObject] = [:]
    /// Observers of single properties, by object.
    @exclusivity(unchecked) var observedProperties = ObserversByObject()

    /// Whether no object, collection or backlinks are observed.
    var hasOnlyRows: Bool { objects.isEmpty && collections.isEmpty && backlinks.isEmpty }
  }

  @exclusivity(unchecked) private(set) var classes: [ClassID: ClassInterest] = [:]
  /// Every observer by its token, but those of `objectTokens`.
  let observers = TokenPages<Observer>()
  /// Observers of objects without key paths.
  let objectTokens = ObjectTokens()
  /// The observed results that have no observer now.
  let foldedFilters = FoldedFilters()
  /// Observers of the store, in order of registration, which are served first.
  @exclusivity(unchecked) var stores: [(observer: Observer, subject: StoreSubject)] = []
  /// Observers that follow each of several commits on its own.
  @exclusivity(unchecked) var following: [Observer] = []
  /// The number of live property observers; at 0, their lookups are skipped.
  @exclusivity(unchecked) private(set) var propertyObserverCount = 0
  @exclusivity(unchecked) var paths: [PropertyPath: PathWatch] = [:]
  @exclusivity(unchecked) var deep: [DeepWatch.Key: DeepWatch] = [:]
  /// The watches that results share.
  @exclusivity(unchecked) var ofResults: [ResultsWatches.Key: ResultsWatches] = [:]
  /// The shapes of queries, of which observers keep the rest.
  @exclusivity(unchecked) var shapes = QueryShapes()
  /// The sets of rows of views that began since the last record, by their fingerprints.
  @exclusivity(unchecked) private var rowSets: [Int: CreationRows.Storage] = [:]
  /// What changes of single values concern, and what was found last of it.
  @exclusivity(unchecked) var valueSubscribers: [ValueKey: ValueSubscribers] = [:]
  @exclusivity(unchecked) var lastValueSubscribers: ValueSubscribers?
  /// How many of these there were.
  @exclusivity(unchecked) var valueSubscribersCount = 0
  /// The watches that were evaluated for records, and may hold cached results.
  @exclusivity(unchecked) var evaluated: (paths: [PathWatch], deep: [DeepWatch]) = ([], [])

  struct ValueKey: Hashable {
    let classID: ClassID
    let property: PropertyID
  }

  /// Returns the subscriptions to a class, creating them on first use, to change them.
  func interest(in classID: ClassID) -> ClassInterest {
    forgetValueSubscribers()
    if let known = classes[classID] { return known }
    let new = ClassInterest()
    classes[classID] = new
    return new
  }

  /// Lets the rows of a new view share the set of another one with the same rows. O(blocks).
  func share(_ rows: CreationRows) {
    guard let fingerprint = rows.fingerprint else { return }
    if let known = rowSets[fingerprint] {
      rows.share(known)
    } else {
      rowSets[fingerprint] = rows.storage
    }
  }

  /// Forgets the sets of rows of views, before a record changes them.
  func forgetRowSets() { if !rowSets.isEmpty { rowSets = [:] } }

  // MARK: Observers

  func add(_ observer: Observer, toRowsOf classID: ClassID) {
    interest(in: classID).rows.append(observer)
  }

  func remove(_ observer: Observer, fromRowsOf classID: ClassID) {
    forgetValueSubscribers()
    classes[classID]?.rows.remove(observer)
  }

  /// Adds an observer of results whose rows lie in an interval, and returns its group.
  func add(
    _ observer: Observer, _ live: LiveResults, _ span: ValueInterval
  ) -> PredicateIndex {
    let (classID, paths) = (live.view.query.classID, live.watches.distinctPaths)
    let deep = live.watches.rows.deep
    let watches = paths.map { ObjectIdentifier($0) } + (deep.map { [ObjectIdentifier($0)] } ?? [])
    let key = PredicateIndex.Key(
      classID: classID, property: span.property, watches: Set(watches))
    let group: PredicateIndex
    if let known = classes[classID]?.groups[key] {
      group = known
    } else {
      group = PredicateIndex(key, paths, deep)
      for watch in paths { watch.groups.append(group) }
      deep?.groups.append(group)
      interest(in: classID).groups[key] = group
    }
    group.insert(observer, span)
    return group
  }

  func remove(_ member: IntervalIndex.Member, from group: PredicateIndex, _ span: ValueInterval) {
    group.remove(member, span)
    guard group.spans.isEmpty else { return }
    forgetValueSubscribers()
    classes[group.key.classID]?.groups[group.key] = nil
    for watch in group.paths { watch.groups.removeAll { $0 === group } }
    group.deep?.groups.removeAll { $0 === group }
  }

  /// Adds an observer to an object, and to the watches of the paths that it observes.
  func add(_ observer: Observer, to object: ObjectID, _ watches: [PathWatch]) {
    for watch in watches { watch.objects.add(observer, object.number) }
    interest(in: object.classID).objects.add(observer, object.number)
  }

  func remove(_ observer: Observer, from object: ObjectID, _ watches: [PathWatch]) {
    forgetValueSubscribers()
    for watch in watches {
      watch.objects.remove(observer, object.number)
      release(watch)
    }
    classes[object.classID]?.objects.remove(observer, object.number)
  }

  func add(_ observer: Observer, to location: CollectionLocation) {
    let owner = location.owner
    interest(in: owner.classID).collections.add(observer, owner.number)
    guard let origin = location.origin else { return }
    interest(in: origin.classID).backlinks[origin.property, default: ObserversByObject()].add(
      observer, owner.number)
  }

  func remove(_ observer: Observer, from location: CollectionLocation) {
    forgetValueSubscribers()
    let owner = location.owner
    classes[owner.classID]?.collections.remove(observer, owner.number)
    guard let origin = location.origin else { return }
    classes[origin.classID]?.backlinks[origin.property]?.remove(observer, owner.number)
    if classes[origin.classID]?.backlinks[origin.property]?.isEmpty ?? false {
      classes[origin.classID]?.backlinks[origin.property] = nil
    }
  }

  func add(_ observer: Observer, toPropertiesOf object: ObjectID) {
    interest(in: object.classID).observedProperties.add(observer, object.number)
    propertyObserverCount += 1
  }

  func remove(_ observer: Observer, fromPropertiesOf object: ObjectID) {
    classes[object.classID]?.observedProperties.remove(observer, object.number)
    propertyObserverCount -= 1
  }
}
