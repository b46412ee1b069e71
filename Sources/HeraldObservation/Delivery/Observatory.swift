package import HeraldModel
package import HeraldQuery

/// From commit records to what each observer of one session is told.
///
/// Commit records come in with `take`, in version order; reports go out in rounds. Between the two
/// lies a state for each token (`Observer.State`): a record marks those that it may concern, and
/// a token's view is brought up to date when its report is asked for, from all the records since.
/// Belongs to one session and is used by one thread at a time.
package final class Observatory {
  var observers = ObserverTable()
  /// Store tokens, in order of registration: few, and served first.
  var storeObservers: [Observer] = []
  var interest = Interest()
  /// Property observers that are owed a report: served before all but store tokens.
  var owingProperties = TokenBits()
  /// Of the other tokens, those that await their initial or are owed a report.
  var owing = TokenBits()
  /// How many property observers live: without any, nothing is looked up for them.
  var propertyObserverCount = 0
  /// Counts registrations, records and rounds: what came before a round has a lower one.
  var clock = 0
  /// The records that somebody is owed, the first with this number.
  var firstLogged = 0
  var log: [CommitRecord] = []
  /// The log from a number on, as one record.
  var pending: [Int: PendingChanges] = [:]
  /// What was asked for last: most tokens are owed the same.
  var lastPending: (number: Int, changes: PendingChanges)?
  var lastStamp = 0
  /// Of those that await their initial, the ones inside values, which may be shifted until then.
  var awaitingInside: [Observer] = []
  /// What the last report was made of; nil where it was a first one.
  var reported: PendingChanges?
  /// Where the collection inside a value stands that the last report tells of.
  package internal(set) var reportedPath: [ValueStep]?
  /// For those who ask why the last commit did, or did not, reach a token.
  var lastTaken: LastTaken?
  /// What silenced tokens were not told, until it is taken.
  var silencedReports: [(handler: SilenceHandler, report: Report)] = []
  /// The last reports of observers whose views could no longer be kept, until they are delivered.
  var failures: [Due] = []
  /// Why tokens ended, until they are let go of.
  var ends: [TokenID: TokenEnd] = [:]
  /// Stops the scans of first calls.
  package var interruption: Interruption?
  /// Nanoseconds of some clock; without one no time is accounted for.
  package var nanoseconds: (() -> Int)?
  private var nextID = 0

  package init() {}

  /// Adds an observer. A collection owes its `initial`; the view is built when that is delivered,
  /// from the reader then, in one scan. `handler` is handed out with each report.
  package func register(
    _ target: ObservedTarget, _ handler: ReportHandler? = nil
  ) -> TokenID {
    let id = TokenID(rawValue: nextID)
    nextID += 1
    clock += 1
    switch target {
    case .store:
      let observer = Observer(id, .store(StoreSubject()), .idle)
      observers.insert(observer)
      storeObservers.append(observer)
    case .object(let object, let filter):
      observers.insert(observe(object, filter, id))
    case .results(let query, let filter):
      awaitInitial(
        Observer(id, .results(ResultsSubject(query, filter)), .awaitingInitial(since: clock)))
    case .collection(let owner, let property, let filter):
      let subject = CollectionSubject(owner: owner, property: property, filter)
      awaitInitial(Observer(id, .collection(subject), .awaitingInitial(since: clock)))
    case .inside(let owner, let property, let steps, let filter):
      let subject = CollectionSubject(
        owner: owner, property: property, inside: steps, filter)
      let observer = Observer(id, .collection(subject), .awaitingInitial(since: clock))
      awaitInitial(observer)
      awaitingInside.append(observer)
    case .collectionResults(let owner, let property, let query, let filter):
      let source = ResultsSubject.Source(owner: owner, property: property)
      let subject = ResultsSubject(query, of: source, filter)
      awaitInitial(Observer(id, .results(subject), .awaitingInitial(since: clock)))
    case .property(let object, let property):
      observe(PropertySubject(object, .property(property)), id)
    case .invalidated(let object, let name):
      observe(PropertySubject(object, .invalidated(name: name)), id)
    case .projection(let object, let fields, let keyPaths):
      let told = keyPaths.map { names in fields.filter { names.contains($0.name) } } ?? fields
      observers.insert(observe(object, told, id))
    }
    let observer = observers[id]
    observer?.handler = handler
    observer?.since = lastTaken?.changes.record.lastVersion ?? 0
    return id
  }

  private func awaitInitial(_ observer: Observer) {
    observers.insert(observer)
    owing.insert(observer.id.rawValue)
  }

  private func observe(_ subject: PropertySubject, _ id: TokenID) {
    let observer = Observer(id, .property(subject), .idle)
    observers.insert(observer)
    interest.add(observer, toPropertiesOf: subject.object)
    propertyObserverCount += 1
  }

  private func observe(
    _ object: ObjectID, _ fields: [ProjectionField], _ id: TokenID
  ) -> Observer {
    let watches = Set(fields.map(\.path.withoutPlaces)).map { interest.watch($0) }
    let subject = ProjectionSubject(object, fields, watches)
    let observer = Observer(id, .projection(subject), .idle)
    for watch in watches { watch.objects[object.number, default: []].append(observer) }
    _ = interest.add(observer, to: object)
    return observer
  }

  private func observe(_ object: ObjectID, _ filter: ObjectFilter, _ id: TokenID) -> Observer {
    var watches: [PathWatch] = []
    if case .keyPaths(let paths, _) = filter {
      for path in Set(paths) { watches.append(interest.watch(path)) }
    }
    let observer = Observer(id, .object(ObjectSubject(object, filter, watches)), .idle)
    for watch in watches { watch.objects[object.number, default: []].append(observer) }
    _ = interest.add(observer, to: object)
    return observer
  }

  /// Stops an observer; it is not called again, not even in the round under way. Does nothing for
  /// one that is dead.
  package func invalidate(_ token: TokenID) {
    if let observer = observers[token] { end(observer, .invalidated) }
    if !failures.isEmpty { failures.removeAll { $0.token == token } }
  }

  /// Stops every observer.
  package func invalidateAll() {
    for observer in observers.all { end(observer, .invalidated) }
    failures = []
  }

  /// Stops an observer that nobody can ask about any more.
  package func forget(_ token: TokenID) {
    invalidate(token)
    ends[token] = nil
  }

  /// Tells an observer something outside of rounds: at the assignment of a property, in a write that is
  /// to lead to a version.
  package func tell(_ token: TokenID, _ report: Report, of version: Int) throws {
    guard let observer = observers[token] else { return }
    observer.account.note(report, versions: version...version)
    try observer.handler?(report)
  }

  /// What was told of a version will not come about: its write was taken back.
  package func forgetTold(of version: Int) {
    guard hasPropertyObservers else { return }
    for observer in observers.all where observer.account.lastVersions.upperBound >= version {
      observer.account.forgetVersions()
    }
  }

  /// Whether the observer can still be told something: false after `deleted`, after the update
  /// with `ownerDeleted`, and after `invalidate`.
  package func isLive(_ token: TokenID) -> Bool { observers[token] != nil }

  /// Whether an observer's first call is still to come.
  package func awaitsInitial(_ token: TokenID) -> Bool { observers[token]?.awaitsInitial ?? false }

  /// Whether a round may have something to tell. O(store tokens).
  package var owes: Bool { !isNothingOwed || owesStore || !failures.isEmpty }

  var isNothingOwed: Bool { owing.isEmpty && owingProperties.isEmpty }

  package var owesStore: Bool {
    storeObservers.contains { observer in
      guard case .store(let subject) = observer.subject else { return false }
      return subject.changedSince != nil || subject.refreshSince != nil
    }
  }

  // MARK: Property observers

  /// Whether any property, or the end of any object, is observed.
  package var hasPropertyObservers: Bool { propertyObserverCount > 0 }

  /// Those who observe a property, in order of registration: whoever writes it tells them at once.
  /// O(1) where nobody observes properties.
  package func propertyTokens(on object: ObjectID, _ property: PropertyID) -> [TokenID] {
    tokens(on: object) { $0.property == property }
  }

  /// Those who observe the end of an object, in order of registration.
  package func invalidationTokens(on object: ObjectID) -> [TokenID] {
    tokens(on: object) { $0.property == nil }
  }

  private func tokens(
    on object: ObjectID, _ isWanted: (PropertySubject) -> Bool
  ) -> [TokenID] {
    guard hasPropertyObservers, let interest = interest.classes[object.classID] else { return [] }
    return interest.observedProperties[object.number].filter { observer in
      if case .property(let subject) = observer.subject { isWanted(subject) } else { false }
    }.map(\.id)
  }
}

/// The last commit that was taken.
struct LastTaken {
  var changes: PendingChanges
  /// Whom it was not to reach.
  var silenced: Set<TokenID>
  /// Whether others were taken with it, as one.
  var isOneOfSeveral = false
}
