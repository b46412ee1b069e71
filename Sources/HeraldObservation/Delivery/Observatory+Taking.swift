import HeraldModel
package import HeraldQuery

extension Observatory {
  /// Notes what a record may owe to whom; the session has just moved to its last version, where
  /// `reader` stands. Silenced tokens are brought to that version and told nothing: a silenced
  /// token whose object or owner was deleted is dead. Of an `ownCommit` of the session property
  /// observers were told when it was written. O(changes + tokens that may be concerned).
  package func take(
    _ record: CommitRecord, silencing: Set<TokenID> = [], ownCommit: Bool = false,
    _ reader: any ObjectReader
  ) {
    take([record], silencing: silencing, ownCommit: ownCommit, reader)
  }

  /// The same for the records of one step of the session, in order: to the tokens they are one (1.5),
  /// but who asks why is answered about the last of them.
  package func take(
    _ records: [CommitRecord], silencing: Set<TokenID> = [], ownCommit: Bool = false,
    _ reader: any ObjectReader
  ) {
    guard var record = records.first, let last = records.last else { return }
    for later in records.dropFirst() { record.merge(later) }
    clock += 1
    if isNothingOwed { forgetLog() }
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
      subject.isRefreshTold = false
      if subject.changedSince == nil && !silencing.contains(observer.id) {
        subject.changedSince = clock
      }
    }
    markLosses(record.losses, number, reader.schema)
    mark(changes, number, reader)
    followInsides(changes, reader)
    if hasPropertyObservers { markProperties(record, number, ownCommit) }
    if silencing.isEmpty { return }
    for token in silencing.sorted() {
      if let observer = observers[token] { silence(observer, reader) }
    }
  }

  /// Follows the links of classes that were declared, and the backlinks from them.
  private func learn(_ schema: Schema) {
    interest.learn(schema)
    for observer in observers.all {
      switch observer.subject {
      case .collection(let subject):
        guard let live = subject.live, let place = live.place.learned(schema) else { continue }
        interest.remove(observer, from: live.place)
        live.begin(place)
        interest.add(observer, to: place)
      case .results(let subject):
        guard let rows = subject.live?.view.collection, let place = rows.place.learned(schema)
        else { continue }
        interest.remove(observer, from: rows.place)
        rows.begin(place)
        interest.add(observer, to: place)
      case .projection(let subject): subject.learn(schema)
      case .store, .object, .property: break
      }
    }
  }

  /// Notes that others committed and the session was not advanced: store tokens owe
  /// `refreshRequired`, once until the next `take`.
  package func oweRefresh() {
    clock += 1
    for observer in storeObservers {
      guard case .store(let subject) = observer.subject, !subject.isRefreshTold else { continue }
      subject.isRefreshTold = true
      subject.refreshSince = clock
    }
  }

  func forgetLog() {
    reported = nil
    guard !log.isEmpty else { return }
    firstLogged += log.count
    log = []
    forgetPending()
    interest.forgetAnswers()
  }

  private func forgetPending() {
    if !pending.isEmpty { pending = [:] }
    lastPending = nil
  }

  /// Every record from a number on, as one.
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

  /// Where lists and maps inside values stand now that await their first call.
  private func followInsides(_ changes: PendingChanges, _ reader: any ObjectReader) {
    awaitingInside.removeAll { !$0.awaitsInitial }
    for observer in awaitingInside {
      guard case .collection(let subject) = observer.subject, let path = subject.inside,
        let done = changes.change(of: subject.owner.classID)?
          .inside(subject.property, subject.owner.number)
      else { continue }
      let place = CollectionPlace(subject.owner, subject.property, inside: path, reader.schema)
      var view = InsideView(place, before: done, reader)
      subject.isOrphan = subject.isOrphan || !view.follow(done, place, reader)
      subject.inside = view.path
    }
  }

  /// What the tokens would have been told that were silenced since this was asked last.
  package func takeSilencedReports() -> [(handler: SilenceHandler, report: Report)] {
    if silencedReports.isEmpty { return [] }
    defer { silencedReports = [] }
    return silencedReports
  }

  /// Whom to hand what an observer is not told.
  package func onSilenced(_ token: TokenID, _ handler: @escaping SilenceHandler) {
    observers[token]?.silenceHandler = handler
  }

  /// Brings a token to the present and drops what it would have been told.
  private func silence(_ observer: Observer, _ reader: any ObjectReader) {
    guard case .owed = observer.state else { return }
    let report = report(observer, reader)
    if let handler = observer.silenceHandler, let report {
      silencedReports.append((handler, report))
    }
    let isLast = report?.isLast ?? false
    if isLast || observer.isLost { end(observer, observer.end(isSilenced: true)) }
  }
}
