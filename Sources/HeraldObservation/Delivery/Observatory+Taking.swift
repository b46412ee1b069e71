import HeraldModel
package import HeraldQuery

extension Observatory {
  /// Takes a record and marks the tokens that it may concern. The session, and `reader`, are at the
  /// record's last version. Silenced tokens advance without a report; one whose object or owner was
  /// deleted is dead. Property observers received an `ownCommit` of the session when it was written.
  /// O(changes + tokens that may be concerned).
  package func take(
    _ record: CommitRecord, silencing: Set<TokenID> = [], ownCommit: Bool = false,
    _ reader: any ObjectReader
  ) {
    take([record], silencing: silencing, ownCommit: ownCommit, reader)
  }

  /// Takes the records of one advance of the session, in order: merged into one for the tokens
  /// (observation 1.5), while `why` explains the last of them.
  package func take(
    _ records: [CommitRecord], silencing: Set<TokenID> = [], ownCommit: Bool = false,
    _ reader: any ObjectReader
  ) {
    guard var record = records.first, let last = records.last else { return }
    for later in records.dropFirst() { record.merge(later) }
    clock += 1
    if isNothingPending { forgetLog() }
    forgetPending()
    lastStamp += 1
    let changes = PendingChanges(stamp: lastStamp, record: record)
    var taken = LastTaken(changes: changes, silenced: silencing)
    if records.count > 1 {
      lastStamp += 1
      taken.changes = PendingChanges(stamp: lastStamp, record: last)
      taken.isOneOfSeveral = true
    }
    lastTaken = taken
    if observers.count == 0 { return }
    let number = firstLogged + log.count
    log.append(record)
    lastPending = (number, changes)
    if record.schemaChanged { learn(reader.schema) }
    for observer in storeObservers {
      guard case .store(let subject) = observer.subject else { continue }
      subject.refreshSince = nil
      subject.isRefreshScheduled = false
      if subject.changedSince == nil && !silencing.contains(observer.id) {
        subject.changedSince = clock
      }
    }
    markLosses(record.losses, number, reader.schema)
    mark(changes, number, reader)
    followNestedCollections(changes, reader)
    if hasPropertyObservers { markProperties(record, number, ownCommit) }
    if silencing.isEmpty { return }
    for token in silencing.sorted() {
      if let observer = observers[token] { silence(observer, reader) }
    }
  }

  /// Follows a schema change: links of newly declared classes, and backlinks through them.
  private func learn(_ schema: Schema) {
    interest.learn(schema)
    for observer in observers.all {
      switch observer.subject {
      case .collection(let subject):
        guard let live = subject.live, let location = live.location.learned(schema) else {
          continue
        }
        interest.remove(observer, from: live.location)
        live.begin(location)
        interest.add(observer, to: location)
      case .results(let subject):
        guard let rows = subject.live?.view.collection, let location = rows.location.learned(schema)
        else { continue }
        interest.remove(observer, from: rows.location)
        rows.begin(location)
        interest.add(observer, to: location)
      case .projection(let subject): subject.learn(schema)
      case .store, .object, .property: break
      }
    }
  }

  /// Schedules `refreshRequired` for the store tokens, at most once until the next `take`: others have
  /// committed and the session was not advanced.
  package func scheduleRefreshRequired() {
    clock += 1
    for observer in storeObservers {
      guard case .store(let subject) = observer.subject, !subject.isRefreshScheduled else {
        continue
      }
      subject.isRefreshScheduled = true
      subject.refreshSince = clock
    }
  }

  func forgetLog() {
    reported = nil
    guard !log.isEmpty else { return }
    firstLogged += log.count
    log = []
    forgetPending()
    interest.clearCaches()
  }

  private func forgetPending() {
    if !pending.isEmpty { pending = [:] }
    lastPending = nil
  }

  /// Returns every record from a number on, merged into one.
  func changes(since number: Int) -> PendingChanges {
    if let lastPending, lastPending.number == number { return lastPending.changes }
    if let lastPending { pending[lastPending.number] = lastPending.changes }
    let changes = pending[number] ?? merged(since: number)
    lastPending = (number, changes)
    return changes
  }

  private func merged(since number: Int) -> PendingChanges {
    var records = log[(number - firstLogged)...]
    var merged = records.removeFirst()
    for record in records { merged.merge(record) }
    lastStamp += 1
    let changes = PendingChanges(stamp: lastStamp, record: merged)
    pending[number] = changes
    return changes
  }

  /// Updates the paths of nested collections that await their first call.
  private func followNestedCollections(_ changes: PendingChanges, _ reader: any ObjectReader) {
    awaitingNested.removeAll { !$0.awaitsInitial }
    for observer in awaitingNested {
      guard case .collection(let subject) = observer.subject, let path = subject.inside,
        let done = changes.change(of: subject.owner.classID)?
          .inside(subject.property, subject.owner.number)
      else { continue }
      let location = CollectionLocation(
        subject.owner, subject.property, inside: path, reader.schema)
      var view = NestedView(location, before: done, reader)
      subject.isOrphan = subject.isOrphan || !view.follow(done, location, reader)
      subject.inside = view.path
    }
  }

  /// Removes and returns the withheld reports of silenced tokens.
  package func takeSilencedReports() -> [(handler: SilenceHandler, report: Report)] {
    if silencedReports.isEmpty { return [] }
    defer { silencedReports = [] }
    return silencedReports
  }

  /// Sets the handler for reports that are withheld from an observer.
  package func onSilenced(_ token: TokenID, _ handler: @escaping SilenceHandler) {
    observers[token]?.silenceHandler = handler
  }

  /// Advances a token and withholds its report.
  private func silence(_ observer: Observer, _ reader: any ObjectReader) {
    guard case .pending = observer.state else { return }
    let report = report(observer, reader)
    if let handler = observer.silenceHandler, let report {
      silencedReports.append((handler, report))
    }
    let isLast = report?.isLast ?? false
    if isLast || observer.isLost { end(observer, observer.end(isSilenced: true)) }
  }
}
