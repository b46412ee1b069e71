package import HeraldModel
package import HeraldQuery

/// One delivery point under way: who is next, and since when something must have been owed.
///
/// A round tells what was owed before it began. One that is begun inside another tells what is owed
/// by then; when the outer one goes on, those who were served have nothing.
package final class Round {
  fileprivate let clock: Int
  fileprivate let isStoreOnly: Bool
  /// The first token that was not considered yet, among store tokens, property observers and the
  /// others.
  fileprivate var storeCursor = 0
  fileprivate var propertyCursor = 0
  fileprivate var cursor = 0
  /// Store tokens that are owed something from now on are so by a later round.
  fileprivate var isPastStore = false

  fileprivate init(clock: Int, isStoreOnly: Bool) {
    self.clock = clock
    self.isStoreOnly = isStoreOnly
  }
}

/// What a token is told, and whom.
package struct Due {
  package let token: TokenID
  package let report: Report
  package let handler: ReportHandler?
  /// Whether it is the first report of a token that begins with an `initial`.
  fileprivate let isFirst: Bool

  init(_ observer: Observer, _ report: consuming Report, isFirst: Bool = false) {
    token = observer.id
    self.report = report
    handler = observer.handler
    self.isFirst = isFirst
  }
}

extension Observatory {
  package func beginRound() -> Round { beginRound(isStoreOnly: false) }

  /// A round for store tokens only.
  package func beginStoreRound() -> Round { beginRound(isStoreOnly: true) }

  private func beginRound(isStoreOnly: Bool) -> Round {
    defer { clock += 1 }
    return Round(clock: clock, isStoreOnly: isStoreOnly)
  }

  /// The next token of a round that has something to tell: store tokens first, then property
  /// observers, then the others, each in order of registration. Nil when the round is over. `reader`
  /// must stand at the session's version.
  ///
  /// `failure` returns what went wrong with reading since it was asked last: an observer whose report was
  /// made of that ends, with the error as its last report. Errors: `interrupted`, of a first call, which
  /// is then still owed.
  package func next(
    in round: Round, _ reader: any ObjectReader, failure: () -> HeraldError? = { nil }
  ) throws(HeraldError) -> Due? {
    if !round.isPastStore {
      if let next = nextStore(in: round) { return next }
      round.isPastStore = true
    }
    guard !round.isStoreOnly else { return nil }
    while let value = owingProperties.first(from: round.propertyCursor) {
      round.propertyCursor = value + 1
      if let next = try next(value, in: round, reader, failure) { return next }
    }
    while let value = owing.first(from: round.cursor) {
      round.cursor = value + 1
      guard let next = try next(value, in: round, reader, failure) else { continue }
      // Where the owner went before the first call, the last one follows it.
      if next.isFirst, owes(value, in: round) { round.cursor = value }
      return next
    }
    if isNothingOwed { forgetLog() }
    return nil
  }

  private func owes(_ value: Int, in round: Round) -> Bool {
    observers[TokenID(rawValue: value)]?.isOwed(before: round.clock) ?? false
  }

  /// What one token that is owed something hears in a round; nil for nothing.
  private func next(
    _ value: Int, in round: Round, _ reader: any ObjectReader, _ failure: () -> HeraldError?
  ) throws(HeraldError) -> Due? {
    guard let observer = observers[TokenID(rawValue: value)], observer.isOwed(before: round.clock)
    else { return nil }
    let clock = nanoseconds
    let start = clock?() ?? 0
    let isFirst = observer.awaitsInitial
    let told = isFirst ? try first(observer, reader) : report(observer, reader)
    if let clock { observer.account.spend(clock() - start) }
    if let error = failure() { return fail(observer, error) }
    let isLast = observer.isLost || told?.isLast ?? false
    // An observer that ends lets go of its handler.
    let due = told.map { Due(observer, $0, isFirst: isFirst) }
    if isLast { end(observer, observer.end(isSilenced: false)) }
    guard let due else { return nil }
    let last = version
    let first = reported?.record.firstVersion ?? last
    observer.account.note(due.report, versions: min(first, last)...last)
    return due
  }

  /// The first report of a token. Only its scan can be interrupted: what is known by then of its
  /// rows cannot be brought up to date by halves.
  private func first(
    _ observer: Observer, _ reader: any ObjectReader
  ) throws(HeraldError) -> Report {
    let state = observer.state
    if let report = reader.heeding(interruption, { report(observer, reader) }) { return report }
    observer.state = state
    owing.insert(observer.id.rawValue)
    throw .interrupted
  }

  /// The version of the last record that was taken.
  private var version: Int { lastTaken?.changes.record.lastVersion ?? 0 }

  private func nextStore(in round: Round) -> Due? {
    for observer in storeObservers where observer.id.rawValue >= round.storeCursor {
      guard case .store(let subject) = observer.subject else { continue }
      round.storeCursor = observer.id.rawValue + 1
      if let since = subject.changedSince, since <= round.clock {
        subject.changedSince = nil
        observer.account.note(.changed, versions: version...version)
        return Due(observer, .changed)
      }
      if let since = subject.refreshSince, since <= round.clock {
        subject.refreshSince = nil
        observer.account.note(.refreshRequired, versions: version...version)
        return Due(observer, .refreshRequired)
      }
    }
    return nil
  }
}

extension Observer {
  /// Whether it has told nothing yet.
  var awaitsInitial: Bool {
    switch state {
    case .awaitingInitial: true
    case .owed, .idle, .dead: false
    }
  }

  /// Whether what it is owed was owed before a round began.
  fileprivate func isOwed(before clock: Int) -> Bool {
    switch state {
    case .awaitingInitial(let since), .owed(_, let since): since <= clock
    case .idle, .dead: false
    }
  }
}
