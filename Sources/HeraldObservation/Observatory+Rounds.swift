import HeraldModel
package import HeraldQuery

/// One delivery point under way: who is next, and since when something must have been owed.
///
/// A round tells what was owed before it began. One that is begun inside another tells what is owed
/// by then; when the outer one goes on, those who were served have nothing.
package final class Round {
  fileprivate let clock: Int
  fileprivate let isStoreOnly: Bool
  /// The first token that was not considered yet, among store tokens and among the others.
  fileprivate var storeCursor = 0
  fileprivate var cursor = 0

  fileprivate init(clock: Int, isStoreOnly: Bool) {
    self.clock = clock
    self.isStoreOnly = isStoreOnly
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

  /// The next token of a round that has something to tell: store tokens first, then in order of
  /// registration. Nil when the round is over. `reader` must stand at the session's version.
  package func next(in round: Round, _ reader: any ObjectReader) -> (TokenID, Report)? {
    if let next = nextStore(in: round) { return next }
    guard !round.isStoreOnly else { return nil }
    while let value = owing.first(from: round.cursor) {
      round.cursor = value + 1
      guard let observer = observers[TokenID(rawValue: value)], observer.isOwed(before: round.clock)
      else { continue }
      guard let report = report(observer, reader) else { continue }
      switch report {
      case .deleted, .update(_, ownerDeleted: true): end(observer)
      case .changed, .refreshRequired, .initial, .update(_, ownerDeleted: false), .change: break
      }
      return (observer.id, report)
    }
    if owing.isEmpty { forgetLog() }
    return nil
  }

  private func nextStore(in round: Round) -> (TokenID, Report)? {
    for observer in storeObservers where observer.id.rawValue >= round.storeCursor {
      guard case .store(let subject) = observer.subject else { continue }
      round.storeCursor = observer.id.rawValue + 1
      if let since = subject.changedSince, since <= round.clock {
        subject.changedSince = nil
        return (observer.id, .changed)
      }
      if let since = subject.refreshSince, since <= round.clock {
        subject.refreshSince = nil
        return (observer.id, .refreshRequired)
      }
    }
    return nil
  }

  /// Brings a token up to date and answers what that tells; nil for nothing.
  func report(_ observer: Observer, _ reader: any ObjectReader) -> Report? {
    let state = observer.state
    observer.state = .idle
    owing.remove(observer.id.rawValue)
    switch observer.subject {
    case .store: return nil
    case .object(let subject):
      return pendingChanges(state).flatMap { subject.report($0, reader) }
    case .results(let subject):
      guard let live = subject.live else {
        return .initial(count: begin(observer, subject, reader))
      }
      guard let changes = pendingChanges(state) else { return nil }
      return update(live.advance(changes, reader), ownerDeleted: false)
    case .list(let subject):
      guard subject.live != nil else { return .initial(count: begin(observer, subject, reader)) }
      let (changes, ownerDeleted) = subject.advance(pendingChanges(state), reader)
      return update(changes, ownerDeleted: ownerDeleted)
    }
  }

  private func update(_ changes: ChangeSet, ownerDeleted: Bool) -> Report? {
    changes.isEmpty && !ownerDeleted ? nil : .update(changes, ownerDeleted: ownerDeleted)
  }

  private func pendingChanges(_ state: Observer.State) -> PendingChanges? {
    switch state {
    case .owed(let record, _):
      record < firstLogged + log.count ? changes(since: record) : nil
    case .awaitingInitial, .idle, .dead: nil
    }
  }

  // MARK: First calls

  /// Builds the view of results and enters what concerns it.
  private func begin(
    _ observer: Observer, _ subject: ResultsSubject, _ reader: any ObjectReader
  ) -> Int {
    let query = subject.query
    var keys: [PropertyPath] = []
    for stage in query.stages {
      switch stage {
      case .sort(let order): keys += order.dependencies
      case .distinct(let paths): keys += paths
      case .limit: break
      }
    }
    let view = ResultsView(query, reader)
    subject.live = LiveResults(
      view, predicateWatches: watch(query.predicate.dependencies, observer),
      keyWatches: watch(keys, observer),
      rowWatch: watch(subject.filter, of: query.classID, observer, reader.schema))
    interest.add(observer, toRowsOf: query.classID)
    return view.count
  }

  private func begin(
    _ observer: Observer, _ subject: ListSubject, _ reader: any ObjectReader
  ) -> Int {
    let target = reader.schema.classSchema(subject.owner.classID)?.property(subject.property)?
      .type.target
    let view = ListView(
      owner: subject.owner, property: subject.property,
      ofObjects: target != nil && subject.filter != .keyPaths([]), reader)
    subject.live = ListSubject.Live(
      view: view,
      rowWatch: target.map { watch(subject.filter, of: $0, observer, reader.schema) })
    interest.add(observer, toListsOf: subject.owner)
    if !reader.exists(subject.owner) {
      // It went before the first call, which is due all the same; the last one follows.
      subject.isOrphan = true
      clock += 1
      observer.state = .owed(record: firstLogged + log.count, since: clock)
      owing.insert(observer.id.rawValue)
    }
    return view.count
  }

  private func watch(
    _ filter: RowFilter, of classID: ClassID, _ observer: Observer, _ schema: Schema
  ) -> RowWatch {
    switch filter {
    case .keyPaths(let paths): return .paths(watch(paths, observer))
    case .deep(let limit):
      let watch = interest.watch(DeepWatch.Key(classID: classID, limit: limit), schema)
      watch.observers.append(observer)
      return .deep(watch)
    }
  }

  private func watch(_ paths: [PropertyPath], _ observer: Observer) -> [PathWatch] {
    Set(paths).map { path in
      let watch = interest.watch(path)
      watch.observers.append(observer)
      return watch
    }
  }
}

extension Observer {
  /// Whether what it is owed was owed before a round began.
  fileprivate func isOwed(before clock: Int) -> Bool {
    switch state {
    case .awaitingInitial(let since), .owed(_, let since): since <= clock
    case .idle, .dead: false
    }
  }
}
