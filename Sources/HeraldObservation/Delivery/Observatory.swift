package import HeraldModel
package import HeraldQuery

/// The observers of one session, which turns commit records into reports.
///
/// `take` accepts commit records in version order, and rounds return reports. In between, each token has
/// a state (`Observer.State`): a record marks the tokens that it may concern, and a token's view is
/// advanced over all records since when its report is requested. Not thread-safe: it belongs to one
/// session.
package final class Observatory {
  var observers = ObserverTable()
  /// Store tokens, in order of registration: few, and served first.
  var storeObservers: [Observer] = []
  var interest = Interest()
  /// Property observers with a pending report: notified before all but store tokens.
  var pendingProperties = TokenBitset()
  /// The other tokens with a pending report, `initial` included.
  var pendingTokens = TokenBitset()
  /// The number of live property observers; at 0, their lookups are skipped.
  var propertyObserverCount = 0
  /// Counts registrations, records and rounds, to tell what preceded a round.
  var clock = 0
  /// The number of the first record in `log`, which holds the records pending for some token.
  var firstLogged = 0
  var log: [CommitRecord] = []
  /// Merged records of the log, by the number of the first.
  var pending: [Int: PendingChanges] = [:]
  /// The merged records returned last, which most tokens share.
  var lastPending: (number: Int, changes: PendingChanges)?
  var lastStamp = 0
  /// Observers of nested collections that await `initial`; their paths may change until then.
  var awaitingNested: [Observer] = []
  /// The changes behind the last report; nil for a first report.
  var reported: PendingChanges?
  /// The path of the nested collection of the last report.
  package internal(set) var reportedPath: [ValueStep]?
  /// The last commit taken, for `why`.
  var lastTaken: LastTaken?
  /// The reports withheld from silenced tokens, until `takeSilencedReports`.
  var silencedReports: [(handler: SilenceHandler, report: Report)] = []
  /// The undelivered last reports of failed observers.
  var failures: [Due] = []
  /// Why tokens ended, until they are forgotten.
  var ends: [TokenID: TokenEnd] = [:]
  /// Interrupts the scans of first calls.
  package var interruption: Interruption?
  /// A clock in nanoseconds; without one, no times are recorded.
  package var nanoseconds: (() -> Int)?
  private var nextID = 0

  package init() {}

  /// Adds an observer. The `initial` of a collection is pending at once; its view is built when that is
  /// delivered, in one scan. `handler` is returned with each report.
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
      awaitingNested.append(observer)
    case .collectionResults(let owner, let property, let query, let filter):
      let source = ResultsSubject.Source(owner: owner, property: property)
      let subject = ResultsSubject(query, of: source, filter)
      awaitInitial(Observer(id, .results(subject), .awaitingInitial(since: clock)))
    case .property(let object, let property):
      observe(PropertySubject(object, .property(property)), id)
    case .invalidated(let object, let name):
      observe(PropertySubject(object, .invalidated(name: name)), id)
    case .projection(let object, let fields, let keyPaths):
      let observed = keyPaths.map { names in fields.filter { names.contains($0.name) } } ?? fields
      observers.insert(observe(object, observed, id))
    }
    let observer = observers[id]
    observer?.handler = handler
    observer?.since = lastTaken?.changes.record.lastVersion ?? 0
    return id
  }

  private func awaitInitial(_ observer: Observer) {
    observers.insert(observer)
    pendingTokens.insert(observer.id.rawValue)
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
    let watches = Set(fields.map(\.path.withWholeProperties)).map { interest.watch($0) }
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

  /// Ends an observer, which receives nothing more, even in the current round. Does nothing for a dead
  /// one.
  package func invalidate(_ token: TokenID) {
    if let observer = observers[token] { end(observer, .invalidated) }
    if !failures.isEmpty { failures.removeAll { $0.token == token } }
  }

  /// Ends every observer.
  package func invalidateAll() {
    for observer in observers.all { end(observer, .invalidated) }
    failures = []
  }

  /// Ends an observer whose token was released, and forgets why it ended.
  package func forget(_ token: TokenID) {
    invalidate(token)
    ends[token] = nil
  }

  /// Notifies an observer outside of rounds: at the assignment of a property, in a transaction that will
  /// commit `version`.
  package func tell(_ token: TokenID, _ report: Report, of version: Int) throws {
    guard let observer = observers[token] else { return }
    observer.account.note(report, versions: version...version)
    try observer.handler?(report)
  }

  /// Forgets the deliveries for a version whose transaction was rolled back.
  package func forgetDeliveries(of version: Int) {
    guard hasPropertyObservers else { return }
    for observer in observers.all where observer.account.lastVersions.upperBound >= version {
      observer.account.forgetVersions()
    }
  }

  /// Whether the observer can still receive reports: false after `deleted`, after an update with
  /// `ownerDeleted`, and after `invalidate`.
  package func isLive(_ token: TokenID) -> Bool { observers[token] != nil }

  /// Whether an observer's first call is pending.
  package func awaitsInitial(_ token: TokenID) -> Bool { observers[token]?.awaitsInitial ?? false }

  /// Whether a round may return a report. O(store tokens).
  package var hasPending: Bool { !isNothingPending || hasPendingStoreReport || !failures.isEmpty }

  var isNothingPending: Bool { pendingTokens.isEmpty && pendingProperties.isEmpty }

  package var hasPendingStoreReport: Bool {
    storeObservers.contains { observer in
      guard case .store(let subject) = observer.subject else { return false }
      return subject.changedSince != nil || subject.refreshSince != nil
    }
  }

  // MARK: Property observers

  /// Whether any property, or the deletion of any object, is observed.
  package var hasPropertyObservers: Bool { propertyObserverCount > 0 }

  /// Returns the observers of a property that the writer notifies at once, in order of registration.
  /// O(1) where no property is observed.
  package func propertyTokens(on object: ObjectID, _ property: PropertyID) -> [TokenID] {
    tokens(on: object) { $0.property == property }
  }

  /// Returns the observers of an object's deletion, in order of registration.
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
  /// The tokens that the commit silenced.
  var silenced: Set<TokenID>
  /// Whether it was taken together with earlier commits, merged into one.
  var isOneOfSeveral = false
}
