import HeraldModel
package import HeraldQuery

extension Observatory {
  /// Takes a record and marks the tokens that it may concern. The session, and `reader`, are at the
  /// record's last version. Silenced tokens advance without a report; one whose object or owner was
  /// deleted is dead. Property observers received an `ownCommit` of the session when it was written.
  /// O(changes + tokens that may be concerned).
  ///
  /// - Parameter commits: Those that the record was merged from, if it was.
  package func take(
    _ record: CommitRecord, mergedFrom commits: [CommitRecord] = [],
    silencing: Set<TokenID> = [], ownCommit: Bool = false, _ reader: any ObjectReader
  ) {
    let parts = commits.map { pendingRecords.stamped($0) }
    queue.tick()
    interest.forgetRowSets()
    let isIdle = queue.isEmpty
    if isIdle {
      forgetLog()
      interest.clearCaches()
    }
    if registry.count == 0, parts.isEmpty, silencing.isEmpty { return noteUnobserved(record) }
    let changes = pendingRecords.stamped(record, parts: parts)
    let alone = parts.last ?? changes
    explainer = CommitExplainer(alone, silenced: silencing, isOneOfSeveral: !parts.isEmpty)
    if registry.count == 0 { return }
    if isIdle { fold(before: changes.stamp) }
    let number = pendingRecords.append(changes)
    if record.schemaChanged { learn(record.losses, number, reader.schema) }
    if !interest.stores.isEmpty { noteCommit(silencing) }
    mark(changes, number, reader)
    if !interest.following.isEmpty { markFollowing(parts, number) }
    if hasPropertyObservers { markProperties(changes, number, isOwn: ownCommit, reader) }
    if !silencing.isEmpty { silence(silencing, reader) }
  }

  /// Takes the records of one advance of the session, in order: merged into one for the tokens
  /// (observation 1.5), while `why` explains the last of them.
  package func take(_ records: [CommitRecord], _ reader: any ObjectReader) {
    guard var record = records.first else { return }
    if records.count == 1 { return take(record, reader) }
    for later in records.dropFirst() { record.merge(later) }
    take(record, mergedFrom: records, reader)
  }

  /// Follows a schema change: links of newly declared classes, and backlinks through them.
  private func learn(_ losses: SchemaLosses, _ number: Int, _ schema: Schema) {
    interest.learn(schema)
    for observer in registry.allOfMore { observer.subject.learn(schema, observer, interest) }
    if !losses.isEmpty { markLosses(losses, number, schema) }
  }

  // What most records do without is apart, so that they count no references for it.

  /// Notes a commit for the store tokens.
  private func noteCommit(_ silencing: Set<TokenID>) {
    for (observer, subject) in interest.stores {
      subject.noteCommit(at: queue.clock, isSilenced: silencing.contains(observer.id))
      queue.note(store: observer.id, isPending: subject.isPending)
    }
  }

  /// Marks the observers that follow each of several commits on its own.
  private func markFollowing(_ parts: [PendingChanges], _ number: Int) {
    for observer in interest.following where observer.subject.mayChange(parts) {
      queue.mark(observer, number)
    }
  }

  /// Advances tokens and withholds their reports.
  private func silence(_ tokens: Set<TokenID>, _ reader: any ObjectReader) {
    for token in tokens.sorted() {
      if let observer = registry[token] { silence(observer, reader) }
    }
  }

  /// Schedules `refreshRequired` for the store tokens, at most once until the next `take`: others have
  /// committed and the session was not advanced.
  package func scheduleRefreshRequired() {
    queue.tick()
    for (observer, subject) in interest.stores {
      subject.scheduleRefreshRequired(at: queue.clock)
      queue.note(store: observer.id, isPending: subject.isPending)
    }
  }

  /// Forgets the records that were delivered to every observer. What the watches found in them stays
  /// until the next record, for `why`.
  func forgetLog() {
    reported = nil
    reportedToken = nil
    endedWatch = nil
    if !pendingRecords.isEmpty { pendingRecords.clear() }
  }

  /// Removes and returns the withheld reports of silenced tokens.
  package func takeSilencedReports() -> [(handler: SilenceHandler, report: Report)] {
    if queue.silenced.isEmpty { return [] }
    defer { queue.silenced = [] }
    return queue.silenced
  }

  /// Adds a handler for reports that are withheld from an observer, called after earlier ones.
  package func onSilenced(_ token: TokenID, _ handler: @escaping SilenceHandler) {
    guard let observer = registry[token] else { return }
    guard let earlier = observer.silenceHandler else {
      observer.silenceHandler = handler
      return
    }
    observer.silenceHandler = { report in
      earlier(report)
      handler(report)
    }
  }

  /// Advances a token and withholds its report, but for an error: then the token ends, and says so with it.
  private func silence(_ observer: Observer, _ reader: any ObjectReader) {
    guard case .pending = observer.state else { return }
    let report = report(observer, reader)
    if let error = report?.failure {
      queue.failures.append(fail(observer, error))
      return
    }
    if let handler = observer.silenceHandler, let report {
      queue.silenced.append((handler, report))
    }
    let isLast = report?.isLast ?? false
    if isLast || observer.isLost { end(observer, observer.end(isSilenced: true)) }
  }
}

// A token ends when a schema change removes a class or property that its query or its collection depends
// on. Its last report deletes every row; before the first call, it is an `initial` without rows. Key
// paths over dropped properties no longer match anything, and object tokens continue with the remaining
// properties.

extension Observatory {
  /// Marks the observers that depend on what a schema change removed. O(observers), for such records
  /// only.
  func markLosses(_ losses: SchemaLosses, _ number: Int, _ schema: Schema) {
    interest.unfoldFilters()
    for observer in registry.allOfMore where observer.subject.depends(on: losses, schema) {
      guard observer.subject.hasRows else {
        end(observer, .schemaChanged)
        continue
      }
      observer.isLost = true
      queue.mark(observer, number)
    }
  }
}

extension PropertyPath {
  func depends(on losses: SchemaLosses) -> Bool {
    steps.contains { step in
      switch step.kind {
      case .property(let property): losses.contains(property, of: step.classID)
      case .backlinks(let origin, let property): losses.contains(property, of: origin)
      }
    }
  }
}

extension Observatory {
  /// Marks the tokens that changes may concern as pending since record `number`.
  func mark(_ changes: PendingChanges, _ number: Int, _ reader: any ObjectReader) {
    let stamp = changes.stamp
    var folded: [TokenID] = []
    let isMarked = interest.forEachSubscriber(changes, reader, &folded) { observer in
      observer.markedBy = stamp
      queue.mark(observer, number)
    }
    if !isMarked { markFound(changes, number, reader, &folded) }
    for token in folded { mark(folded: token, stamp, number) }
  }

  /// Marks the observers that are found by the watches, and adds the folded filters.
  private func markFound(
    _ changes: PendingChanges, _ number: Int, _ reader: any ObjectReader, _ folded: inout [TokenID]
  ) {
    let stamp = changes.stamp
    var marking = Marking(changes, interest, reader)
    marking.forEachConcerned { observer, watch in
      if let watch { observer.subject.mark(watch.path) }
      observer.markedBy = stamp
      queue.mark(observer, number)
    }
    folded = marking.folded
  }

  /// Marks property observers, unless the writer has notified them. Those of a deleted object end, those
  /// of its deletion are marked.
  func markProperties(
    _ changes: PendingChanges, _ number: Int, isOwn: Bool, _ reader: any ObjectReader
  ) {
    for (classID, change) in changes.record.classes where !change.deleted.isEmpty {
      guard let observed = interest.classes[classID]?.observedProperties else { continue }
      change.deleted.forEachCommon(observed.members) { _, observers in
        for observer in observers where isOwn || observer.subject.observedProperty != nil {
          end(observer, .objectDeleted(isSilenced: false))
        }
      }
    }
    if isOwn { return }
    Marking(changes, interest, reader).forEachPropertyObserver { observer, _ in
      observer.markedBy = changes.stamp
      queue.mark(observer, number)
    }
  }
}
