import Herald
import Synchronization

/// `follow`: prints rows, and then every change of them, until a condition ends it.
extension Context {
  func follow(_ syntax: FollowSyntax, _ span: SourceSpan) throws {
    try refuseInBlocks("follow")
    let store = try self.store
    if store.isInWrite { throw HeraldError.writeInProgress }
    guard let bell = Bell() else { throw HeraldError.storage("no file descriptors are left") }
    shell.followBell.withLock { $0 = bell }
    defer { shell.followBell.withLock { $0 = nil } }
    let deadline = syntax.time.map { ContinuousClock.now + $0 }
    // Registered before the first rows are read, so that no commit is missed.
    let registration = try store.onCommitElsewhere { bell.ring() }
    let follower = Follower(try followed(syntax.observed), updates: syntax.updates)
    let feed = try feed(of: syntax, span)
    if feed == nil { try register(follower, syntax.observed, span) }
    shell.tokens.insert(follower.record)
    defer {
      follower.record.token?.invalidate()
      shell.tokens.noteEnd(of: follower.record)
    }
    shell.output.flush()
    shell.output.sink.beginStream()
    defer { shell.output.sink.endStream() }
    do {
      if let feed { try register(follower, feed, syntax, span) }
      repeat {
        if !store.autorefresh { try store.refresh() }
        try shell.endTurns(after: shell.main, on: shell.main)
        shell.restSessions()
        shell.output.flush()
      } while try isActive(follower) && awaitCommit(bell, deadline, span)
    } catch let error as HeraldError {
      guard let diagnostic = feed?.diagnostic(of: error, store) else { throw error }
      throw ShellError(diagnostic, source, span)
    }
    withExtendedLifetime(registration) {}
  }

  private func followed(_ syntax: ObserveSyntax) throws -> TokenTable.Entry {
    if let name = syntax.name { try shell.tokens.check(name, source) }
    return TokenTable.Entry(
      name: syntax.name?.text ?? shell.tokens.nextName(), session: session,
      subject: subject(syntax, source), keyPaths: syntax.keyPaths.texts)
  }

  private func isActive(_ follower: Follower) -> Bool {
    shell.isStoreOpen && !shell.wantsToQuit && follower.record.isLive
  }

  /// Waits for a commit; returns false when the time is over. Ctrl-C is the usual end, so it is not
  /// reported as an error.
  private func awaitCommit(
    _ bell: Bell, _ deadline: ContinuousClock.Instant?, _ span: SourceSpan
  ) throws -> Bool {
    if shell.interruption.isRequested {
      shell.clearInterruption()
      let failure = ShellError(.interrupted, source, span)
      shell.note(exitStatus: failure.exitStatus)
      throw failure.reported
    }
    switch bell.wait(until: deadline, output: shell.output.sink.readerDescriptor) {
    case .rung: return true
    case .timeUp: return false
    case .readerLeft:
      shell.output.sink.readerLeft()
      shell.wantsToQuit = shell.wantsToQuit || !shell.isRedirected
      return false
    }
  }
}

// MARK: Followers

/// The state of one `follow`.
final class Follower {
  let record: TokenTable.Entry
  /// The number of updates until it ends; nil if the number is not limited.
  private var updatesLeft: Int?

  init(_ record: TokenTable.Entry, updates: Int?) {
    self.record = record
    updatesLeft = updates
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

extension Context {
  private func register(_ follower: Follower, _ syntax: ObserveSyntax, _ span: SourceSpan) throws {
    switch syntax.target {
    case .store: break
    case .projection(let name, let query):
      try refuse(syntax.forRows, span)
      try register(follower, at: try projection(name, query), syntax)
    case .query(let query): try register(follower, at: query, syntax, span)
    case .groups(let group):
      try refuse(syntax.forRows ?? syntax.forObjects ?? syntax.keyPathsWord, span)
      try register(follower, at: groups(group))
    case .property: break
    }
  }

  private func register(
    _ follower: Follower, at query: QuerySyntax, _ syntax: ObserveSyntax, _ span: SourceSpan
  ) throws {
    let keyPaths = syntax.keyPaths.texts
    let record = follower.record
    let resolved = try resolve(query)
    if resolved.store?.isFrozen == true { throw HeraldError.cannotObserve("what is frozen") }
    switch resolved {
    case .results(let results):
      record.reading = .results(results)
      record.token = try results.observe(keyPaths: keyPaths, depth: syntax.depth) {
        results, change in
        let details = try details(change, record)
        let rows = FollowedRows(results: results, token: record.token)
        try emit(change, rows, details, follower)
      }
    case .collection(let collection):
      record.reading = .collection(collection)
      record.token = try collection.observe(keyPaths: keyPaths, depth: syntax.depth) {
        collection, change in
        let details = try details(change, record)
        try emit(change, FollowedRows(collection: collection), details, follower)
      }
    case .elements(let elements):
      try refuse(syntax.forRows, span)
      if let keyPaths { throw HeraldError.keyPathsOnValues(keyPaths.first ?? "none") }
      record.token = try observe(elements, record) { elements, change, details in
        try emit(change, FollowedRows(elements: elements), details, follower)
      }
    case .object(let object):
      try refuse(syntax.forRows, span)
      record.token = try object.observe(keyPaths: keyPaths) { object, change in
        try emit(change, try record.session.output(object), follower)
      }
      try emitInitial(try record.session.output(object), follower)
    case .projection(let projection):
      try refuse(syntax.forRows, span)
      try register(follower, at: projection, syntax)
    case .newObject: throw HeraldError.objectNotAdded(source.text(query.span))
    case .value, .values:
      throw observedValue(resolved, query)
    }
  }

  private func register(
    _ follower: Follower, at projection: DynamicProjection, _ syntax: ObserveSyntax
  ) throws {
    if projection.object.store.isFrozen { throw HeraldError.cannotObserve("what is frozen") }
    let session = follower.record.session
    follower.record.token = try projection.observe(keyPaths: syntax.keyPaths.texts) {
      projection, change in
      try emit(change, try session.output(projection), follower)
    }
    try emitInitial(try session.output(projection), follower)
  }

  private func register(_ follower: Follower, at groups: DynamicGroups) throws {
    if groups.store.isFrozen { throw HeraldError.cannotObserve("what is frozen") }
    let record = follower.record
    record.token = try observe(groups, record) { groups, change, details in
      try emit(change, FollowedRows(groups: groups, token: record.token), details, follower)
    }
  }

  private func emit(
    _ change: DynamicCollectionChange, _ rows: FollowedRows, _ details: EventDetails?,
    _ follower: Follower
  ) throws {
    let session = follower.record.session
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
    emit(Event.Kind(change), objects, details, follower)
    follower.countEvent(isFirst: isFirst)
  }

  /// Emits the initial event of an object, whose observers receive none.
  private func emitInitial(_ row: OutputValue, _ follower: Follower) throws {
    emit(.initial(count: 1), EventObjects(rows: .list([row])), nil, follower)
    follower.countEvent(isFirst: true)
  }

  private func emit(
    _ change: DynamicObjectChange, _ row: @autoclosure () throws -> OutputValue,
    _ follower: Follower
  ) throws {
    let session = follower.record.session
    var objects = EventObjects()
    if case .change = change {
      objects.modified = [EventDetails.Row(position: .position(0), new: try row())]
    }
    emit(Event.Kind(change) { session.output($0) }, objects, nil, follower)
    follower.countEvent(isFirst: false)
  }

  private func emit(
    _ kind: Event.Kind, _ objects: EventObjects?, _ details: EventDetails?, _ follower: Follower
  ) {
    let record = follower.record
    emit(
      .event(
        Event(
          token: record.name, session: record.session.name, kind: kind, details: details,
          objects: objects)))
  }
}
