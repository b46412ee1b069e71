import Herald

/// `observe … do run "PROGRAM"`: a program receives what `follow` prints.
extension Registration {
  /// Observes the target; prints its events as ever, and passes them to the program.
  func observe(by syntax: ProgramSyntax) throws -> ObservationToken {
    let cursor = try syntax.cursor.map { try CursorFile($0.text) }
    let program = try program(syntax, cursor)
    record.program = program
    switch self.syntax.target {
    case .store: return try observeStore(by: program, cursor)
    case .query where !self.syntax.isExclusive, .projection, .groups, .histogram, .sections, .value:
      return try EventSender(self, program).observe(continuing: cursor)
    case .query, .property:
      if cursor != nil { throw refusingCursor }
      return try observeTarget()
    }
  }

  /// The program that receives the events. Errors: it cannot be started.
  private func program(_ syntax: ProgramSyntax, _ cursor: CursorFile?) throws -> EventProgram {
    var words = syntax.words.map(\.text)
    if words[0].contains("/") { words[0] = context.source.filePath(words[0]) }
    guard OtherProgram.canStart(words[0]) else {
      throw context.failure(.cannotStart(words[0]), at: syntax.words[0].span)
    }
    let shell = context.shell
    let program = EventProgram(
      words, cursor, isOwnGroup: shell.options.isInteractive,
      sendsOutputToErrors: shell.options.answers, notify: shell.wakeForPrograms)
    shell.programs.append(
      ObservingProgram(program: program, record: record, source: context.source, span: context.span)
    )
    return program
  }

  /// The error that a target has no events since an earlier version.
  var refusingCursor: ShellError {
    context.failure(
      .misplaced("--after-file", belongsTo: "the store, rows, groups and values"),
      at: syntax.program?.cursor?.span ?? context.span)
  }

  /// The commits are the events.
  private func observeStore(by program: EventProgram, _ cursor: CursorFile?) throws
    -> ObservationToken
  {
    let store = try context.store
    let feed =
      try cursor?.version.map { try commits(since: $0) }
      ?? CommitFeed(store, since: store.version)
    if cursor?.version == nil { program.advance(to: store.version, isAtEnd: true) }
    let token = try store.observe { change in
      try deliver(DeliveredEvent(Event.Kind(change)))
      if case .error = change { return }
      try send(feed, to: program)
    }
    try send(feed, to: program)
    return token
  }

  private func send(_ feed: CommitFeed, to program: EventProgram) throws {
    let shell = context.shell
    while let commit = try feed.next() {
      if shell.interruption.isRequested { throw HeraldError.interrupted }
      let line = JSONRenderer.text(try CommitOutput(commit: commit, context: context).line)
      program.append(line, version: commit.summary.version) { shell.interruption.isRequested }
    }
  }

  /// The commits after the version that a file has.
  func commits(since version: Int) throws -> CommitFeed {
    do {
      return try CommitFeed(context.store, since: version)
    } catch HeraldError.versionNotKept(let version, let oldest) {
      let cursor = syntax.program?.cursor
      throw context.failure(
        .feedNotKept(
          version, oldest: oldest,
          advice: "remove '\(cursor?.text ?? "")', and begin with the first event"),
        at: cursor?.span ?? context.span)
    }
  }
}

/// What passes the events of one observer to a program.
private final class EventSender {
  private let registration: Registration
  private let program: EventProgram
  private let context: Context
  private weak var follower: Follower?
  /// The commits whose events come first, in place of all rows.
  private var missed: CommitFeed?
  private var isRegistered = false

  init(_ registration: Registration, _ program: EventProgram) {
    self.registration = registration
    self.program = program
    context = registration.context
  }

  /// Begins to observe, after the version that a file has.
  func observe(continuing cursor: CursorFile?) throws -> ObservationToken {
    if cursor != nil, try !RenderedRows(of: registration.syntax.target, in: context).hasChanges {
      throw registration.refusingCursor
    }
    missed = try cursor?.version.map { try registration.commits(since: $0) }
    let follower = Follower(registration.record, updates: nil, in: context) { [self] in
      receive($0)
    }
    self.follower = follower
    try follower.register(registration.syntax)
    isRegistered = true
    guard let token = registration.record.token else { throw HeraldError.closed }
    return token
  }

  private func receive(_ event: Event) {
    // The observer of an object has no first event, but the program receives one.
    if isRegistered { show(event) }
    if case .error = event.kind { return }
    guard let commits = missed else { return send(event) }
    missed = nil
    do {
      try send(commits)
    } catch {
      if context.shell.isInterruption(error) {
        // What the program has not received must stay after the version in the file.
        program.drop()
        registration.record.token?.invalidate()
        return
      }
      var first = event
      first.reasonToRestart = located(error, context.source, context.span).message
      send(first)
    }
  }

  /// Prints an event as other observers' are.
  private func show(_ event: Event) {
    var event = event
    event.objects = nil
    if context.shell.mode != .json { event.keys = nil }
    context.shell.tokens.append(event)
    if !registration.record.isLive { context.shell.tokens.noteEnd(of: registration.record) }
    context.emit(.event(event))
  }

  private func send(_ event: Event, at version: Int? = nil) {
    let shell = context.shell
    let version = version ?? context.session.store?.version ?? 0
    var event = event
    event.version = version
    // What was printed stands before what the program prints.
    shell.output.flush()
    program.append(JSONRenderer.text(event), version: version) { shell.interruption.isRequested }
  }

  /// The events of commits, each the difference of the rows before and after it: O(rows) for one that concerns them.
  private func send(_ commits: CommitFeed) throws {
    let target = registration.syntax.target
    var last: RenderedRows?
    while let commit = try commits.next() {
      if context.shell.interruption.isRequested { throw HeraldError.interrupted }
      let (old, new) = (context.past(commit.before), context.past(commit.after))
      guard try mayDiffer(old, new) else { continue }
      let before = try last ?? RenderedRows(of: target, in: old)
      let after = try RenderedRows(of: target, in: new)
      last = after
      if let event = try follower?.event(from: before, to: after, new.store) {
        send(event, at: commit.summary.version)
      }
    }
  }

  /// False where the rows of a class are the same: that costs what the commit changed.
  private func mayDiffer(_ old: Context, _ new: Context) throws -> Bool {
    guard case .query(let query) = registration.syntax.target,
      case .results(let before) = try old.resolve(query),
      case .results(let after) = try new.resolve(query), before.projection == nil,
      let classSchema = after.store.schema.classSchema(after.classID)
    else { return true }
    // The values of embedded objects are written with the rows, but are properties of others.
    let hasEmbedded = classSchema.properties.contains { property in
      property.type.linkedClass.flatMap { after.store.schema.classSchema($0)?.isEmbedded } ?? false
    }
    return try hasEmbedded || !context.store.difference(from: before, to: after).isEmpty
  }
}
