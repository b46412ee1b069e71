package import HeraldModel
package import HeraldQuery

/// An iteration over the pending deliveries of one delivery point.
///
/// A round delivers what was pending when it began. A nested round delivers what is pending by then, so
/// that the outer one finds nothing left for the same observers.
package final class Round {
  fileprivate let clock: Int
  fileprivate let isStoreOnly: Bool
  /// The next token to consider, among store tokens, property observers and the others.
  @exclusivity(unchecked) fileprivate var storeCursor = 0
  @exclusivity(unchecked) fileprivate var propertyCursor = 0
  @exclusivity(unchecked) fileprivate var cursor = 0
  /// Whether the store tokens are done; what becomes pending for them now waits for a later round.
  @exclusivity(unchecked) fileprivate var isPastStore = false

  fileprivate init(clock: Int, isStoreOnly: Bool) {
    self.clock = clock
    self.isStoreOnly = isStoreOnly
  }
}

/// A report to deliver, with its token and receiver.
package struct Due {
  package let token: TokenID
  package let report: Report
  /// The observer; nil for a folded filter.
  private let observer: Observer?
  /// The receiver of a last report, which its observer no longer holds, or of a folded filter; nil for another report.
  private let ownReceiver: (any ReportReceiver)?
  /// Whether there is one, which is known without a copy of it.
  private let hasOwnReceiver: Bool
  /// Whether it is the first report of a token that starts with `initial`.
  fileprivate let isFirst: Bool

  init(_ observer: Observer, _ report: consuming Report, isFirst: Bool = false, isLast: Bool) {
    token = observer.id
    self.observer = observer
    self.report = report
    ownReceiver = isLast ? observer.receiver : nil
    hasOwnReceiver = isLast
    self.isFirst = isFirst
  }

  /// A report for a folded filter.
  init(_ token: TokenID, _ report: consuming Report, _ receiver: any ReportReceiver) {
    self.token = token
    self.report = report
    observer = nil
    ownReceiver = receiver
    hasOwnReceiver = true
    isFirst = false
  }

  /// Calls the block of the observer. Errors: those of the block.
  package func deliver(in session: AnyObject?) throws {
    guard let observer else {
      try ownReceiver?.receive(report, of: nil, in: session)
      return
    }
    let object = observer.isOfObject ? observer.subject.observedObject : nil
    if hasOwnReceiver {
      try ownReceiver?.receive(report, of: object, in: session)
    } else {
      try observer.receiver.receive(report, of: object, in: session)
    }
  }
}

extension Observatory {
  /// Begins a round; `isStoreOnly` for store tokens only.
  package func beginRound(isStoreOnly: Bool = false) -> Round {
    defer { queue.tick() }
    return Round(clock: queue.clock, isStoreOnly: isStoreOnly)
  }

  /// Returns the next report of a round: store tokens first, then property observers, then the others,
  /// each in order of registration. Nil when the round is complete. `reader` must be at the session's
  /// version.
  ///
  /// `failure` returns an error of reading since its last call; the observer whose report was being built
  /// then ends, with the error as its last report. Errors: `interrupted` during a first call, which stays
  /// pending.
  package func next(
    in round: Round, _ reader: any ObjectReader, failure: () -> HeraldError? = { nil }
  ) throws(HeraldError) -> Due? {
    if !begun.isEmpty { foldBegun() }
    if !round.isPastStore {
      if hasPendingStoreReport, let next = nextStore(in: round) { return next }
      round.isPastStore = true
    }
    guard !round.isStoreOnly else { return nil }
    while let value = queue.properties.first(from: round.propertyCursor) {
      round.propertyCursor = value + 1
      if let next = try next(value, in: round, reader, failure) { return next }
    }
    while let value = queue.others.first(from: round.cursor) {
      round.cursor = value + 1
      guard let next = try next(value, in: round, reader, failure) else { continue }
      // Where the owner was deleted before the first call, the last report follows it at once.
      if next.isFirst, isPending(value, in: round) { round.cursor = value }
      return next
    }
    if queue.isEmpty { forgetLog() }
    return nil
  }

  /// Returns whether a round is complete, which is mostly so after its last report; false where only `next` finds out.
  package func isComplete(_ round: Round) -> Bool {
    guard round.isPastStore, queue.isEmpty, begun.isEmpty else { return false }
    forgetLog()
    return true
  }

  private func isPending(_ value: Int, in round: Round) -> Bool {
    registry[TokenID(rawValue: value)]?.isPending(before: round.clock) ?? false
  }

  /// Returns the report of one pending token; nil where it has nothing to report.
  private func next(
    _ value: Int, in round: Round, _ reader: any ObjectReader, _ failure: () -> HeraldError?
  ) throws(HeraldError) -> Due? {
    let id = TokenID(rawValue: value)
    let known = interest.observers[id]
    if known == nil {
      switch nextFolded(id, before: round.clock, reader, failure) {
      case .due(let due): return due
      case .nothing: return nil
      case .needsObserver: break
      }
    }
    guard let observer = known ?? registry[id], observer.isPending(before: round.clock) else {
      return nil
    }
    let start = nanoseconds?() ?? 0
    let isFirst = observer.awaitsInitial
    let report = isFirst ? try first(observer, reader) : self.report(observer, reader)
    let spent = (nanoseconds?() ?? 0) - start
    if let error = failure() {
      observer.account.spend(spent)
      return fail(observer, error)
    }
    if let error = report?.failure { return fail(observer, error) }
    guard let report else {
      observer.account.spend(spent)
      if observer.isLost { end(observer, observer.end(isSilenced: false)) }
      return nil
    }
    let last = version
    let first = reported?.firstVersion ?? last
    observer.note(report, versions: min(first, last)...last, nanoseconds: spent)
    let isLast = observer.isLost || report.isLast
    // Before `end`, which releases the receiver.
    let due = Due(observer, report, isFirst: isFirst, isLast: isLast)
    if isLast { end(observer, observer.end(isSilenced: false)) }
    return due
  }

  /// Returns the first report of a token. Only its scan can be interrupted, since a view cannot be
  /// advanced partially.
  private func first(
    _ observer: Observer, _ reader: any ObjectReader
  ) throws(HeraldError) -> Report {
    let state = observer.state
    if let report = reader.withInterruption(interruption, { report(observer, reader) }) {
      if observer.isFilter { begun.append(observer) }
      return report
    }
    observer.state = state
    queue.insert(observer)
    throw .interrupted
  }

  private func nextStore(in round: Round) -> Due? {
    while let value = queue.stores.first(from: round.storeCursor) {
      round.storeCursor = value + 1
      guard let index = interest.storeIndex(of: TokenID(rawValue: value)) else { continue }
      let (observer, subject) = interest.stores[index]
      guard let report = subject.takeReport(before: round.clock) else { continue }
      queue.note(store: observer.id, isPending: subject.isPending)
      observer.account.note(report, versions: version...version)
      return Due(observer, report, isLast: false)
    }
    return nil
  }
}

// MARK: - Failures

// An observer whose view can no longer be maintained receives the error as its last report, and is dead.

extension Observatory {
  /// Ends every observer, with one last report each, which `nextFailure` returns. Rounds no longer return
  /// them. O(observers).
  package func fail(_ error: HeraldError) {
    let all = registry.all
    for rank in Observer.Rank.allCases {
      for observer in all where observer.rank == rank {
        queue.failures.append(fail(observer, error))
      }
    }
  }

  /// Removes and returns the next last report of a failed observer, in the order of rounds.
  package func nextFailure() -> Due? {
    queue.failures.isEmpty ? nil : queue.failures.removeFirst()
  }

  /// Ends one observer, and returns its last report.
  func fail(_ observer: Observer, _ error: HeraldError) -> Due {
    let report: Report = observer.subject.hasRows ? .collection(.error(error)) : .error(error)
    let due = Due(observer, report, isLast: true)
    end(observer, .failed(error))
    return due
  }
}
