import HeraldModel
import HeraldQuery

extension Observatory {
  /// Advances a token to `reader`'s version and returns its report; nil where there is nothing to report.
  func report(_ observer: Observer, _ reader: any ObjectReader) -> Report? {
    let changes = pendingChanges(observer.state)
    reported = changes
    observer.state = .idle
    if case .property = observer.subject {
      pendingProperties.remove(observer.id.rawValue)
    } else {
      pendingTokens.remove(observer.id.rawValue)
    }
    if observer.isLost { return lastReport(observer) }
    switch observer.subject {
    case .store: return nil
    case .object(let subject): return changes.flatMap { subject.report($0, reader) }
    case .projection(let subject): return changes.flatMap { subject.report($0, reader) }
    case .property(let subject): return changes.flatMap { subject.report($0, reader) }
    case .results(let subject):
      guard subject.live != nil else {
        return begin(observer, subject, reader).map { .initial(count: $0) }
      }
      return subject.advance(changes, reader)
    case .collection(let subject):
      guard subject.live != nil else {
        reportedPath = subject.inside
        return .initial(count: begin(observer, subject, reader))
      }
      defer { reportedPath = subject.live?.view.nestedPath }
      return subject.advance(changes, reader)
    }
  }

  /// Returns the last report of a lost observer: the deletion of every row.
  private func lastReport(_ observer: Observer) -> Report? {
    switch observer.subject {
    case .results(let subject):
      guard let live = subject.live else { return .initial(count: 0) }
      let rows = Array(0..<live.view.count)
      return rows.isEmpty ? nil : .update(ChangeSet(deletions: rows), ownerDeleted: false)
    case .collection(let subject):
      guard let live = subject.live else { return .initial(count: 0) }
      return live.view.count == 0 ? nil : live.view.deletion(ofOwner: false)
    case .store, .object, .property, .projection: return nil
    }
  }

  private func pendingChanges(_ state: Observer.State) -> PendingChanges? {
    switch state {
    case .pending(let record, _):
      record < firstLogged + log.count ? changes(since: record) : nil
    case .awaitingInitial, .idle, .dead: nil
    }
  }

  // MARK: First calls

  /// Builds the view of results, subscribes to its dependencies and returns its row count. Nil, without
  /// any effect, where the scan was interrupted.
  private func begin(
    _ observer: Observer, _ subject: ResultsSubject, _ reader: any ObjectReader
  ) -> Int? {
    let query = subject.query
    let location = subject.source.map { CollectionLocation($0.owner, $0.property, reader.schema) }
    let view = ResultsView(query, of: location.map { CollectionRows($0, reader) }, reader)
    if reader.isInterrupted { return nil }
    let live = LiveResults(
      view, predicateWatches: watch(query.predicate.dependencies, reader.schema),
      keyWatches: watch(query.keyDependencies, reader.schema),
      rowWatch: watch(subject.filter, of: query.classID, reader.schema))
    subject.live = live
    if location == nil, let span = query.predicate.span {
      live.group = interest.add(observer, live, span)
      return view.count
    }
    for watch in live.watches { watch.observers.append(observer) }
    live.rowWatch.deepWatch?.observers.append(observer)
    if let location {
      interest.add(observer, to: location)
      if !reader.exists(location.owner) {
        subject.isOrphan = true
        scheduleLastReport(observer)
      }
    } else {
      interest.add(observer, toRowsOf: query.classID)
    }
    return view.count
  }

  private func begin(
    _ observer: Observer, _ subject: CollectionSubject, _ reader: any ObjectReader
  ) -> Int {
    let location = CollectionLocation(
      subject.owner, subject.property, inside: subject.inside, reader.schema)
    let view =
      subject.isOrphan
      ? CollectionView.inside(NestedView(lostFrom: location))
      : CollectionView(location, watchesObjects: subject.filter != .keyPaths([]), reader)
    let rowWatch: RowWatch? =
      switch location.element {
      case .objects(let classID): watch(subject.filter, of: classID, reader.schema)
      case .any: watch(subject.filter, of: nil, reader.schema)
      case .values: nil
      }
    switch rowWatch {
    case .deep(let watch): watch.observers.append(observer)
    case .paths(let watches): for watch in watches { watch.observers.append(observer) }
    case nil: break
    }
    subject.live = CollectionSubject.Live(location, view, rowWatch)
    interest.add(observer, to: location)
    if subject.isOrphan || !reader.exists(subject.owner) || location.leadsNowhere(reader) {
      subject.isOrphan = true
      scheduleLastReport(observer)
    }
    return view.count
  }

  /// Schedules the last report of a collection whose owner was deleted before the first call. It follows
  /// the `initial` in the same round (observation 1.4), so it counts as pending since the beginning.
  private func scheduleLastReport(_ observer: Observer) {
    observer.state = .pending(record: firstLogged + log.count, since: 0)
    pendingTokens.insert(observer.id.rawValue)
  }

  /// Returns a watch of the rows' modifications. `classID` is the class of the rows; nil for rows of any
  /// class.
  private func watch(_ filter: RowFilter, of classID: ClassID?, _ schema: Schema) -> RowWatch {
    switch filter {
    case .keyPaths(let paths): .paths(watch(paths, schema))
    case .deep(let limit):
      .deep(interest.watch(DeepWatch.Key(classID: classID, limit: limit), schema))
    }
  }

  private func watch(_ paths: [PropertyPath], _ schema: Schema) -> [PathWatch] {
    Set(paths.map { $0.learned(schema) ?? $0 }).map { interest.watch($0) }
  }
}

extension CollectionLocation {
  /// Whether the path of a nested collection no longer leads to a list or a map.
  fileprivate func leadsNowhere(_ reader: any ObjectReader) -> Bool {
    isInside && part(at: inside, reader)?.nestedCount == nil
  }
}
