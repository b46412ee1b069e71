import Herald

/// The state of one `follow`.
final class Follower {
  let record: TokenTable.Entry
  let context: Context
  /// Makes the first event for a reader that comes later, of the last delivery; nil of the store.
  private(set) var first: (() throws -> Event)?
  /// The number of updates until it ends; nil if the number is not limited.
  private var updatesLeft: Int?
  private let receive: (Event) -> Void

  /// - Parameter receive: called with each event; by default it is printed.
  init(
    _ record: TokenTable.Entry, updates: Int?, in context: Context,
    receive: ((Event) -> Void)? = nil
  ) {
    self.context = context
    self.record = record
    updatesLeft = updates
    self.receive = receive ?? { context.emit(.event($0)) }
  }

  /// Counts a delivered event, and ends the observer after the last one, even during a turn.
  func countEvent(isFirst: Bool) {
    // With `--once` a feed ends after the existing commits.
    guard let left = updatesLeft, isFirst || left > 0 else { return }
    let remaining = left - (isFirst ? 0 : 1)
    updatesLeft = remaining
    if remaining <= 0 { record.token?.invalidate() }
  }
}

extension Follower {
  func register(_ syntax: ObserveSyntax) throws {
    switch syntax.target {
    case .store: break
    case .projection(let name, let query):
      try refuse(syntax.forRows)
      try register(at: try context.projection(name, query), syntax)
    case .query(let query): try register(at: query, syntax)
    case .groups(let group):
      try refuse(syntax.forRows ?? syntax.forObjects ?? syntax.keyPathsWord)
      try register(at: context.groups(group))
    case .histogram(let histogram):
      try refuse(syntax.forRows ?? syntax.forObjects ?? syntax.keyPathsWord)
      try register(at: context.histogram(histogram))
    case .sections(let sections): try register(at: context.sections(sections), syntax)
    case .value(let expression, when: let condition):
      try refuse(syntax.forRows ?? syntax.forObjects ?? syntax.keyPathsWord)
      try register(at: context.value(expression, when: condition))
    case .property: break
    }
  }

  private func register(at value: DynamicValue) throws {
    let session = record.session
    first = { [unowned self] in
      let value = record.token?.groups(in: 0..<1)?.first?.first
      return event(.value(old: nil, new: session.output(value ?? .null)), nil)
    }
    record.token = try value.observe { [self] change in
      emit(Event.Kind(change) { session.output($0) }, nil)
      if case .initial = change { return countEvent(isFirst: true) }
      countEvent(isFirst: false)
    }
  }

  private func register(at query: QuerySyntax, _ syntax: ObserveSyntax) throws {
    let keyPaths = syntax.keyPaths.texts
    let resolved = try context.resolve(query)
    if resolved.store?.isFrozen == true { throw HeraldError.cannotObserve("what is frozen") }
    let session = record.session
    switch resolved {
    case .results(let results):
      beginWith(.results(results))
      record.reading = .results(results)
      record.token = try results.observe(keyPaths: keyPaths, depth: syntax.depth) {
        [self] results, change in
        let changed = try record.rows(of: change, context)
        let rows = FollowedRows(rows: .results(results), token: record.token)
        try emit(change, rows, changed)
      }
    case .collection(let collection):
      beginWith(.collection(collection))
      record.reading = .collection(collection)
      record.token = try collection.observe(keyPaths: keyPaths, depth: syntax.depth) {
        [self] collection, change in
        let changed = try record.rows(of: change, context)
        try emit(change, FollowedRows(rows: .collection(collection), token: nil), changed)
      }
    case .elements(let elements):
      try refuse(syntax.forRows)
      if let keyPaths { throw HeraldError.keyPathsOnValues(keyPaths.first ?? "none") }
      beginWith(.elements(elements))
      record.token = try record.observe(elements, context) {
        [self] elements, change, changed in
        try emit(change, FollowedRows(rows: .elements(elements), token: nil), changed)
      }
    case .object(let object):
      try refuse(syntax.forRows)
      record.token = try object.observe(keyPaths: keyPaths) {
        [self] object, change in
        try emit(change, try session.output(object))
      }
      try emitInitial { try session.output(object) }
    case .projection(let projection):
      try refuse(syntax.forRows)
      try register(at: projection, syntax)
    case .newObject: throw HeraldError.objectNotAdded(context.source.text(query.span))
    case .value, .values:
      throw ObserveSyntax.observedValue(resolved, query, context)
    }
  }

  private func register(at projection: DynamicProjection, _ syntax: ObserveSyntax) throws {
    if projection.object.store.isFrozen { throw HeraldError.cannotObserve("what is frozen") }
    let session = record.session
    record.token = try projection.observe(keyPaths: syntax.keyPaths.texts) {
      [self] projection, change in
      try emit(change, try session.output(projection))
    }
    try emitInitial { try session.output(projection) }
  }

  private func register(at groups: DynamicGroups) throws {
    if groups.store.isFrozen { throw HeraldError.cannotObserve("what is frozen") }
    beginWith(.groups(groups))
    record.token = try record.observe(groups, context) { [self] groups, change, changed in
      try emit(change, FollowedRows(rows: .groups(groups), token: record.token), changed)
    }
  }

  private func register(at histogram: LiveHistogram) throws {
    beginWith(histogram.reading)
    record.token = try record.observe(histogram, context) { [self] histogram, change, changed in
      beginWith(histogram.reading)
      try emit(change, FollowedRows(rows: histogram.reading, token: nil), changed)
    }
  }

  /// All rows in the first event, section after section.
  private func register(at sections: DynamicSections, _ syntax: ObserveSyntax) throws {
    if sections.store.isFrozen { throw HeraldError.cannotObserve("what is frozen") }
    let session = record.session
    first = { [unowned self] in
      let found = try sections.sections.map { ($0.key, $0.objects.count) }
      let kind = DynamicSections.Change.initial(
        count: found.reduce(0) { $0 + $1.1 }, sections: found)
      let rows = FollowedRows(rows: .results(sections.rows), token: record.token)
      return event(
        Event.Kind(kind) { session.output($0) }, EventObjects(rows: try rows.all(session)))
    }
    record.reading = .results(sections.rows)
    record.token = try sections.observe(keyPaths: syntax.keyPaths.texts, depth: syntax.depth) {
      [self] sections, change in
      let changed = try record.rows(of: change, context)
      let rows = FollowedRows(rows: .results(sections.rows), token: record.token)
      var (objects, isFirst) = try self.objects(of: change.withoutSections, rows)
      if case .update(let changes, _) = change {
        objects.inserted = objects.inserted.placed(changes.insertions)
        objects.modified = objects.modified.placed(changes.modificationsNew)
        objects.insertedSections = changes.sectionInsertions.map { section in
          let values = record.token?.groups(in: section..<section + 1)?.first
          return session.output(values?.first ?? .null)
        }
      }
      emit(Event.Kind(change) { session.output($0) }, objects, changed)
      countEvent(isFirst: isFirst)
    }
  }

  private func emit(
    _ change: DynamicCollectionChange, _ rows: FollowedRows, _ changed: EventRows
  ) throws {
    let (objects, isFirst) = try objects(of: change, rows)
    emit(Event.Kind(change), objects, changed)
    countEvent(isFirst: isFirst)
  }

  private func objects(
    of change: DynamicCollectionChange, _ rows: FollowedRows
  ) throws -> (EventObjects, isFirst: Bool) {
    let session = record.session
    var objects = EventObjects()
    var isFirst = false
    switch change {
    case .initial:
      isFirst = true
      objects.rows = try rows.all(session)
    case .update(let changes, _):
      objects.inserted = try changes.insertions.map { try rows.row(at: $0, session) }
      objects.modified = try changes.modificationsNew.map { try rows.row(at: $0, session) }
    case .mapUpdate(let changes, _):
      objects.inserted = try changes.insertions.map { try rows.row(for: $0, session) }
      objects.modified = try changes.modifications.map { try rows.row(for: $0, session) }
    case .error: break
    }
    return (objects, isFirst)
  }

  func refuse(_ option: ObserveSyntax.Option?) throws {
    try ObserveSyntax.refuse(option, context.span, context)
  }

  /// Emits the initial event of an object, whose observers receive none.
  private func emitInitial(_ row: @escaping () throws -> OutputValue) throws {
    let first = { [unowned self] in
      event(.initial(count: 1), EventObjects(rows: .list([try row()])))
    }
    self.first = first
    receive(try first())
    countEvent(isFirst: true)
  }

  /// Begins with all rows.
  private func beginWith(_ reading: RowReading) {
    first = { [unowned self] in
      let rows = try FollowedRows(rows: reading, token: record.token).all(record.session)
      let count =
        switch rows {
        case .list(let rows): rows.count
        case .map(let entries): entries.count
        case .plain, .link, .object, .embedded, .projection, .row: 0
        }
      return event(.initial(count: count), EventObjects(rows: rows))
    }
  }

  private func emit(
    _ change: DynamicObjectChange, _ row: @autoclosure () throws -> OutputValue
  ) throws {
    let session = record.session
    var objects = EventObjects()
    if case .change = change {
      objects.modified = [EventDetails.Row(position: .position(0), new: try row())]
    }
    emit(Event.Kind(change) { session.output($0) }, objects)
    countEvent(isFirst: false)
  }

  private func emit(
    _ kind: Event.Kind, _ objects: EventObjects?, _ changed: EventRows = EventRows()
  ) {
    receive(event(kind, objects, changed))
  }

  private func event(
    _ kind: Event.Kind, _ objects: EventObjects?, _ changed: EventRows = EventRows()
  ) -> Event {
    Event(
      token: record.name, session: record.session.name, kind: kind, keys: changed.keys,
      details: changed.details, objects: objects)
  }
}
