import HeraldModel
import HeraldQuery

extension Observatory {
  /// Brings a token up to date and answers what that tells; nil for nothing.
  func report(_ observer: Observer, _ reader: any ObjectReader) -> Report? {
    let changes = pendingChanges(observer.state)
    reported = changes
    observer.state = .idle
    owing.remove(observer.id.rawValue)
    owingProperties.remove(observer.id.rawValue)
    switch observer.subject {
    case .store: return nil
    case .object(let subject): return changes.flatMap { subject.report($0, reader) }
    case .projection(let subject): return changes.flatMap { subject.report($0, reader) }
    case .property(let subject): return changes.flatMap { subject.report($0, reader) }
    case .results(let subject):
      guard subject.live != nil else { return .initial(count: begin(observer, subject, reader)) }
      return subject.advance(changes, reader)
    case .collection(let subject):
      guard subject.live != nil else { return .initial(count: begin(observer, subject, reader)) }
      return subject.advance(changes, reader)
    }
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
    let place = subject.source.map { CollectionPlace($0.owner, $0.property, reader.schema) }
    let view = ResultsView(query, of: place.map { CollectionRows($0, reader) }, reader)
    subject.live = LiveResults(
      view, predicateWatches: watch(query.predicate.dependencies, observer),
      keyWatches: watch(keys, observer),
      rowWatch: watch(subject.filter, of: query.classID, observer, reader.schema))
    if let place {
      interest.add(observer, to: place)
      if !reader.exists(place.owner) {
        subject.isOrphan = true
        oweLastCall(observer)
      }
    } else {
      interest.add(observer, toRowsOf: query.classID)
    }
    return view.count
  }

  private func begin(
    _ observer: Observer, _ subject: CollectionSubject, _ reader: any ObjectReader
  ) -> Int {
    let place = CollectionPlace(subject.owner, subject.property, reader.schema)
    let view = CollectionView(place, watchesObjects: subject.filter != .keyPaths([]), reader)
    let rowWatch: RowWatch? =
      switch place.element {
      case .objects(let classID): watch(subject.filter, of: classID, observer, reader.schema)
      case .any: watch(subject.filter, of: nil, observer, reader.schema)
      case .values: nil
      }
    subject.live = CollectionSubject.Live(place: place, view: view, rowWatch: rowWatch)
    interest.add(observer, to: place)
    if !reader.exists(subject.owner) {
      subject.isOrphan = true
      oweLastCall(observer)
    }
    return view.count
  }

  /// The owner of a collection went before the first call, which is due all the same; the last one
  /// follows.
  private func oweLastCall(_ observer: Observer) {
    clock += 1
    observer.state = .owed(record: firstLogged + log.count, since: clock)
    owing.insert(observer.id.rawValue)
  }

  /// `classID` is that of the rows; nil for rows of any class.
  private func watch(
    _ filter: RowFilter, of classID: ClassID?, _ observer: Observer, _ schema: Schema
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
