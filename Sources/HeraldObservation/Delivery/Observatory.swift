package import HeraldModel
package import HeraldQuery

/// The observers of one session, which turns commit records into reports.
///
/// `take` accepts commit records in version order, and rounds return reports. In between, each token has
/// a state (`Observer.State`): a record marks the tokens that it may concern, and a token's view is
/// advanced over all records since when its report is requested. Not thread-safe: it belongs to one
/// session.
package final class Observatory {
  /// The same as that of `registry`: what never changes is used without counting references.
  let interest: Interest
  @exclusivity(unchecked) var registry: ObserverRegistry
  @exclusivity(unchecked) var pendingRecords = PendingRecords()
  /// Without dynamic checks of exclusive access, which each marked observer would pay for.
  @exclusivity(unchecked) var queue = PendingDeliveries()
  /// Explains the last commit taken; nil before the first, and for one that nobody observed until it is explained.
  @exclusivity(unchecked) private var knownExplainer: CommitExplainer?
  /// The last commit taken, if nobody observed it and it was not explained.
  @exclusivity(unchecked) private var unobserved: CommitRecord?
  /// The changes behind the last report; nil for a first report.
  @exclusivity(unchecked) var reported: PendingChanges?
  /// The observer of the last report; once that has ended, the watch of its rows.
  @exclusivity(unchecked) package internal(set) var reportedToken: TokenID?
  @exclusivity(unchecked) var endedWatch: RowWatch?
  /// The path of the nested collection of the last report.
  @exclusivity(unchecked) package internal(set) var reportedPath: [ValueStep]?
  /// Interrupts the scans of first calls.
  @exclusivity(unchecked) package var interruption: Interruption?
  /// The object by which the program knows the session; passed to receivers.
  ///
  /// No weak reference, since an object with one is slower to retain for good: it removes itself at its end.
  @exclusivity(unchecked) package unowned(unsafe) var publicSession: AnyObject?
  @exclusivity(unchecked) private var spare: AnyObject?
  /// Observers of filters that had their first report, until they are folded.
  @exclusivity(unchecked) var begun: [Observer] = []
  /// How many filters keep their observers, apart from those notified by the last commits: the first ones, then those
  /// notified last. And how many object tokens may have an observer.
  @exclusivity(unchecked) package var unfoldedLimit = 1_024
  /// A clock in nanoseconds; without one, no times are recorded.
  @exclusivity(unchecked) package var nanoseconds: (() -> Int)?

  package init() {
    interest = Interest()
    registry = ObserverRegistry(interest)
  }

  /// Returns what a receiver has kept for the next one of the same round, and forgets it.
  package func takeSpare() -> AnyObject? { spare.take() }

  /// Keeps an object that costs much to make for the next receiver of the round.
  package func keepSpare(_ object: AnyObject?) { spare = object }

  /// The version of the last record that was taken; 0 before the first.
  @exclusivity(unchecked) private(set) var version = 0

  /// Explains the last commit taken; nil before the first.
  var explainer: CommitExplainer? {
    get {
      if let record = unobserved {
        let changes = pendingRecords.stamped(record)
        knownExplainer = CommitExplainer(changes, silenced: [], isOneOfSeveral: false)
        unobserved = nil
      }
      return knownExplainer
    }
    set {
      knownExplainer = newValue
      if let newValue { version = newValue.version }
      unobserved = nil
    }
  }

  /// Notes a commit that nobody observed, and that nobody is likely to ask about.
  func noteUnobserved(_ record: CommitRecord) {
    unobserved = record
    version = record.lastVersion
    if knownExplainer != nil { knownExplainer = nil }
  }

  /// Adds an observer. The `initial` of a collection is pending at once; its view is built when that is
  /// delivered, in one scan. Each report is returned with `receiver`.
  package func register(
    _ target: ObservedTarget, _ receiver: (any ReportReceiver)? = nil
  ) -> TokenID {
    queue.tick()
    let (id, observer) = registry.register(
      target, receiver, clock: queue.clock, since: version)
    if let observer, observer.awaitsInitial { queue.insert(observer) }
    return id
  }

  /// Ends an observer, which receives nothing more, even in the current round. Does nothing for a dead
  /// one.
  package func invalidate(_ token: TokenID) {
    // The watch of the last report is that of its observer.
    if token == reportedToken { _ = registry[token] }
    let released = registry.endFolded(token, .invalidated)
    if released != nil {
      queue.remove(filter: token)
    } else if let observer = registry[token] {
      end(observer, .invalidated)
    }
    if !queue.failures.isEmpty { queue.failures.removeAll { $0.token == token } }
  }

  /// Ends every observer.
  package func invalidateAll() {
    for token in registry.ids { invalidate(token) }
    queue.failures = []
  }

  /// Ends an observer whose token was released, and forgets why it ended.
  package func forget(_ token: TokenID) {
    invalidate(token)
    registry.forget(token)
  }

  /// Ends an observer and removes it from every list and watch.
  func end(_ observer: Observer, _ reason: TokenEnd) {
    // Last, since releasing what a block captures may end other observers.
    defer {
      observer.receiver = NoReceiver()
      observer.silenceHandler = nil
    }
    if observer.id == reportedToken { endedWatch = observer.subject.rowWatch }
    registry.end(observer, reason)
    queue.remove(observer)
  }

  /// Notifies an observer outside of rounds: at the assignment of a property, in a transaction that will
  /// commit `version`.
  package func notify(_ token: TokenID, _ report: Report, of version: Int) throws {
    guard let observer = registry[token] else { return }
    observer.account.note(report, versions: version...version)
    try observer.receiver.receive(report, of: observer.subject.observedObject, in: publicSession)
  }

  /// Forgets the deliveries for a version whose transaction was rolled back.
  package func forgetDeliveries(of version: Int) {
    guard hasPropertyObservers else { return }
    for observer in registry.allOfMore
    where observer.account.lastVersions.upperBound >= version {
      observer.account.forgetVersions()
    }
  }

  /// Whether the observer can still receive reports: false after `deleted`, after an update with
  /// `ownerDeleted`, and after `invalidate`.
  package func isLive(_ token: TokenID) -> Bool { registry.contains(token) }

  /// Whether an observer's first call is pending.
  package func awaitsInitial(_ token: TokenID) -> Bool { registry.awaitsInitial(token) }

  /// Whether an observer may have something to report, other than one of the store or of a property.
  package func isPending(_ token: TokenID) -> Bool { queue.others.contains(token.rawValue) }

  /// Whether nothing is observed.
  package var isEmpty: Bool { registry.count == 0 && !hasPropertyObservers }

  /// Whether a round may return a report.
  package var hasPending: Bool { !queue.isEmpty || !queue.stores.isEmpty || hasFailures }

  package var hasPendingStoreReport: Bool { !queue.stores.isEmpty }

  /// Whether `nextFailure` returns a report.
  package var hasFailures: Bool { !queue.failures.isEmpty }

  // MARK: Property observers

  /// Whether any property, or the deletion of any object, is observed.
  package var hasPropertyObservers: Bool { interest.propertyObserverCount > 0 }

  /// Returns the observers of a property, or of the object's deletion for nil, that the writer notifies
  /// at once, in order of registration. O(1) where no property is observed.
  package func propertyTokens(on object: ObjectID, _ property: PropertyID?) -> [TokenID] {
    guard hasPropertyObservers, let interest = interest.classes[object.classID] else { return [] }
    return interest.observedProperties[object.number].filter {
      $0.subject.observedProperty?.property == property
    }.map(\.id)
  }

  // MARK: Rows

  /// Returns the objects at some positions of observed results, a list of links or backlinks, as of the
  /// last or the current report. Positions beyond the rows are left out. Nil before the first report, and
  /// where rows are not objects or have no positions of their own (sets). `reader` is at the version of
  /// the report, since a list whose objects are not watched is read there. O(positions · log rows).
  package func objects(
    of token: TokenID, at positions: Range<Int>, _ reader: any ObjectReader
  ) -> [ObjectID]? {
    registry[token]?.subject.objects(at: positions, reader)
  }

  /// The number of rows of observed results at the session's version. Nil while a report is pending, for observers of
  /// anything else, and where the rows are not kept: of a folded filter. O(1).
  package func rowCount(of token: TokenID) -> Int? {
    guard let observer = interest.observers[token], observer.state == .idle else { return nil }
    return observer.subject.rowCount
  }

  /// Returns the values of some groups; nil for observers of anything else, and before the first report.
  package func groups(of token: TokenID, at positions: Range<Int>) -> [[Value]]? {
    registry[token]?.subject.groups(at: positions)
  }

  /// Returns the list or the map that an observer of a nested one observes; nil before the first report.
  package func nestedCollection(of token: TokenID) -> ObjectID? {
    registry[token]?.subject.nestedPlace?.collection
  }
}
