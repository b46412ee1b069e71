import Herald

extension Interpreter {
  /// Runs a text, statement by statement: an error in one does not undo those before it. Returns false if
  /// the run is to end: after a failure without `keepsGoing`, or `quit`.
  @discardableResult
  package func run(_ source: Source) -> Bool {
    do {
      try runStatements(of: source, on: main)
    } catch { return false }
    return !wantsToQuit
  }

  /// Runs the file at `path`. Returns false as for a text; a file that cannot be read is a failure.
  @discardableResult
  package func run(file path: String) -> Bool {
    let file = ScriptFile(File.expanded(path))
    let source: Source
    do {
      source = try file.source
    } catch {
      let named = Source(name: "herald", text: "")
      report(
        ShellError(
          .unreadableScript(path: path, reason: error.reason), named, SourceSpan(start: 0, end: 0)))
      return false
    }
    return reading(file) { run(source) }
  }

  /// Calls `body` while a file is marked as being read.
  func reading<R>(_ file: ScriptFile, _ body: () throws -> R) rethrows -> R {
    filesBeingRead.append(file)
    defer { filesBeingRead.removeLast() }
    return try body()
  }

  /// Opens the store that was named on the command line. Returns false on failure.
  package func open(
    path: String?, isReadOnly: Bool = false, cache: String? = nil, key: String? = nil
  ) -> Bool {
    let source = Source(name: "herald", text: "")
    let noSpan = SourceSpan(start: 0, end: 0)
    do {
      try OpenStatement(
        path: path.map { Name(text: File.expanded($0), span: noSpan) }, isReadOnly: isReadOnly,
        cache: cache.map { Name(text: File.expanded($0), span: noSpan) },
        key: key.map { Name(text: File.expanded($0), span: noSpan) }
      ).open(in: Context(self, source, main))
    } catch {
      report(located(error, source, noSpan))
      return false
    }
    output.flush()
    return true
  }

  /// Delivers pending notifications and closes the store. Nothing may run after it.
  package func finish() {
    try? closeStore()
    output.flush()
  }

  /// Runs statements and reports each failure; throws if the run is to end.
  ///
  /// - Parameters:
  ///   - driver: the session of this thread.
  ///   - isExpanded: whether aliases were replaced: the text of one may begin with its own name.
  func runStatements(of source: Source, on driver: ShellSession, isExpanded: Bool = false) throws {
    var source = source
    var parser = parser(of: source)
    while !wantsToQuit {
      parser.skipSeparators()
      let start = parser.token.start
      do {
        if !parser.hasTakenSpooled, !aliases.isEmpty || options.echoes {
          try readWhole(&source, &parser, from: start)
        }
        if !isExpanded, !aliases.isEmpty,
          let expanded = expanded(source, parser.extent(from: start))
        {
          parser.recover(from: start)
          try runStatements(of: expanded, on: driver, isExpanded: true)
          continue
        }
        guard let statement = try next(of: &source, &parser) else { break }
        echo(source, statement.span)
        try runTopLevel(statement, of: source, on: driver)
      } catch let failure as ShellError {
        if !failure.isReported {
          report(failure.failing(parser.extent(from: start), of: source))
          parser.recover(from: start)
        }
        if !options.keepsGoing || failure.diagnostic == .interrupted { throw failure.reported }
      }
    }
    output.flush()
  }

  /// Returns the next statement. One with a mistake is parsed with the whole text of the source, so that the mistake is
  /// reported where it is.
  private func next(
    of source: inout Source, _ parser: inout StatementParser
  ) throws(ShellError) -> Statement? {
    if parser.hasTakenSpooled { return try parser.next() }
    let start = parser.token.start
    if let statement = try? parser.next(), parser.hasTakenSpooled { return statement }
    try readWhole(&source, &parser, from: start)
    return try parser.next()
  }

  /// Reads what a source keeps in a file into its text, before whose first part is `start`.
  private func readWhole(
    _ source: inout Source, _ parser: inout StatementParser, from start: Int
  ) throws(ShellError) {
    do {
      source = try source.whole
    } catch {
      throw ShellError(
        .unreadableScript(path: source.name, reason: error.reason), source,
        SourceSpan(start: start, end: start))
    }
    parser = self.parser(of: source, from: start)
  }

  /// A parser that knows the names in the store.
  func parser(of source: Source, from start: Int = 0, to limit: Int? = nil) -> StatementParser {
    var parser = StatementParser(source, from: start, to: limit)
    parser.isDeclared = { [unowned self] in presentSchema.isTaken($0) }
    parser.served = served
    return parser
  }

  /// The schema of the current session. To be read between statements, or on the session's thread.
  var presentSchema: Schema {
    sessions.first { $0 === current }?.store?.schema ?? main.store?.schema ?? Schema()
  }

  /// Runs a statement and ends the turns after it. Pending notifications are delivered after a failure too.
  private func runTopLevel(
    _ statement: Statement, of source: Source, on driver: ShellSession
  ) throws {
    let session = statement.form.isForMain ? main : current
    var context = Context(self, source, session)
    context.isTopLevel = true
    let running = context
    let start = ContinuousClock.now
    var failure: ShellError?
    runningStatements += 1
    if runningStatements == 1 { output.hasWritten = false }
    do {
      try run(on: context.session, from: driver) { try running.execute(statement) }
      confirmSummary()
      if options.answers, runningStatements == 1, !output.hasWritten {
        emit(.answer(version: isStoreOpen ? current.store?.version : nil))
      }
    } catch {
      confirmSummary()
      failure = reported(located(error, source, statement.span))
    }
    do {
      try endTurns(after: statement.form.session(in: self) ?? context.session, on: driver)
    } catch { failure = failure ?? reported(located(error, source, statement.span)) }
    confirmSummary()
    if isTiming { emit(.time(ContinuousClock.now - start)) }
    runningStatements -= 1
    if !output.flush(), failure == nil {
      failure = reported(ShellError(.interrupted, source, statement.span))
    }
    if let failure { throw failure }
  }

  /// Ends every session's turn, as after a statement: to be called on the thread of `main`, between
  /// statements, when others have committed. Failures are reported.
  package func takeTurns(isBeforeStatement: Bool = false) {
    guard isStoreOpen, !wantsToQuit else { return }
    do {
      try endTurns(after: current, on: main)
    } catch {
      // The statement that woke the sessions reports the error, at its own span.
      if isBeforeStatement, (error as? HeraldError)?.isOfLostFile ?? false { return }
      let prompt = Source(name: "prompt", text: "")
      _ = reported(located(error, prompt, SourceSpan(start: 0, end: 0)))
    }
    output.flush()
  }

  private func reported(_ failure: ShellError) -> ShellError {
    if !failure.isReported { report(failure) }
    return failure.reported
  }

  private func echo(_ source: Source, _ span: SourceSpan) {
    if options.echoes { emit(.echo(source.text(span))) }
  }
}

extension HeraldError {
  /// Whether the store cannot be read any more, because it or its lock file was replaced or removed.
  fileprivate var isOfLostFile: Bool {
    switch self {
    case .storeReplaced, .storeRemoved, .lockReplaced, .lockRemoved: true
    default: false
    }
  }
}

// MARK: Turns

extension Interpreter {
  /// Ends the turn of the session that ran, then every other's in order of creation, until nothing is
  /// pending. A block that fails is reported, and the other observers are still notified, as they are where a
  /// session finds damage; then the first failure is thrown.
  func endTurns(after first: ShellSession, on driver: ShellSession) throws {
    var failure: (any Error)?
    var isPending = true
    // Blocks of several sessions may react to one another without end, as those of one may.
    var chain = 0
    var isEndless = false
    var writes = first.store?.writesOfBlocks ?? 0
    while isPending {
      isPending = false
      let newest = try? first.store?.newestVersion
      for session in takeTouched(by: first, newest) {
        do {
          guard isTurnDue(of: session, newest) else { continue }
          if try endTurn(of: session, after: chain, on: driver) { isPending = true }
        } catch let error as ShellError {
          failure = failure ?? reported(error)
          // Blocks that are called after that must not write, or the chain would begin again.
          if case .library(.endlessWrites) = error.diagnostic { isEndless = true }
          if error.diagnostic == .interrupted {
            settledVersion = nil
            throw error.reported
          }
          isPending = true
        } catch let error as HeraldError where error.endsObservers {
          failure = failure ?? error
        }
      }
      let before = writes
      writes = first.store?.writesOfBlocks ?? 0
      chain = isEndless ? Self.endlessChain : writes == before ? 0 : chain + 1
    }
    reportPrograms()
    if let failure { throw failure }
  }

  /// A number of reactions in a row at which no block may write.
  private static let endlessChain = 1_000_000

  /// The sessions whose turns may have something to do, `first` first, then in order of creation.
  private func takeTouched(by first: ShellSession, _ newest: Int?) -> [ShellSession] {
    let others: [ShellSession]
    if newest == nil || newest != settledVersion {
      others = sessions.filter { $0 !== first }
    } else {
      let found = touched.filter { $0 !== first }
      others = found.count > 1 ? sessions.filter { $0 !== first && $0.isTouched } : found
    }
    for session in touched { session.isTouched = false }
    touched = []
    settledVersion = newest
    return [first] + others
  }

  /// Whether ending a session's turn would do anything; if not, its thread is not called, so that many idle
  /// sessions cost next to nothing.
  private func isTurnDue(of session: ShellSession, _ newest: Int?) -> Bool {
    guard let store = session.store, let newest else { return true }
    return session.hasNewObservers || store.isTurnDue(at: newest)
  }

  private func endTurn(
    of session: ShellSession, after chain: Int, on driver: ShellSession
  ) throws -> Bool {
    guard let store = session.store, !store.isClosed else { return false }
    var isPending = false
    try run(on: session, from: driver) { [self] in
      do {
        if session.hasNewObservers {
          session.hasNewObservers = false
          isPending = true
          try store.deliverPending()
        }
        if try store.endTurn(after: chain) { isPending = true }
        // Its thread need not be called for every commit of others.
        if session !== current { store.restWithoutObservers() }
      } catch HeraldError.interrupted {
        endUninitialized(of: session)
        throw HeraldError.interrupted
      }
    }
    return isPending
  }

  /// Ends observers whose first scan was interrupted: the next statement would begin it again.
  private func endUninitialized(of session: ShellSession) {
    for record in tokens.live where record.session === session {
      guard let token = record.token, token.awaitsInitial else { continue }
      token.invalidate()
      tokens.noteEnd(of: record)
      confirm { "\(record.name) ended" }
    }
  }

  /// Runs `body` on the thread of `session`, waiting on the thread of `caller`.
  func run(
    on session: ShellSession, from caller: ShellSession, _ body: @escaping () throws -> Void
  ) throws {
    if !session.isTouched {
      session.isTouched = true
      touched.append(session)
    }
    if session === caller {
      try body()
    } else {
      caller.blocksRunning += 1
      defer { caller.blocksRunning -= 1 }
      try caller.mailbox.call(session.mailbox, body)
    }
  }
}
