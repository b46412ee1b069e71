import Herald

extension Interpreter {
  /// Runs a text, statement by statement: an error in one does not undo those before it. False when
  /// the run is to end: a failure without `keepsGoing`, or `quit`.
  @discardableResult
  package func run(_ source: Source) -> Bool {
    do {
      try runStatements(of: source, on: main)
    } catch {
      return false
    }
    return !wantsToQuit
  }

  /// Runs the file at `path`. False as for a text; a file that cannot be read is a failure.
  @discardableResult
  package func run(file path: String) -> Bool {
    let file = ScriptFile(path)
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

  /// Opens the store that the command was started with. False when that failed.
  package func open(path: String?, isReadOnly: Bool = false) -> Bool {
    let source = Source(name: "herald", text: "")
    let nowhere = SourceSpan(start: 0, end: 0)
    do {
      try open(
        path.map { Name(text: $0, span: nowhere) }, isReadOnly,
        Context(source: source, session: main))
    } catch {
      report(placed(error, source, nowhere))
      return false
    }
    return true
  }

  /// Tells what is owed and closes the store. After it nothing runs any more.
  package func finish() {
    try? closeStore()
    output.flush()
  }

  /// Statement after statement, each failure reported; throws when the run is to end. `driver` is the
  /// session whose thread this is.
  func runStatements(of source: Source, on driver: Session) throws {
    var parser = Parser(source)
    while !wantsToQuit {
      parser.skipSeparators()
      let start = parser.token.start
      do {
        guard let statement = try parser.next() else { break }
        echo(source, statement.span)
        try runTopLevel(statement, of: source, on: driver)
      } catch let failure as ShellError {
        if !failure.isReported {
          report(failure)
          parser.recover(from: start)
        }
        if !options.keepsGoing || failure.complaint == .interrupted { throw failure.reported }
      }
    }
    output.flush()
  }

  /// A statement and the turns that end after it. What is owed is told also after a failure.
  private func runTopLevel(
    _ statement: Statement, of source: Source, on driver: Session
  ) throws {
    let session = statement.isForMain ? main : current
    let context = Context(source: source, session: session, isTopLevel: true)
    let start = ContinuousClock.now
    var failure: ShellError?
    runningStatements += 1
    do {
      try run(on: context.session, from: driver) { [self] in
        try execute(statement, context)
      }
    } catch {
      failure = reported(placed(error, source, statement.span))
    }
    do {
      try endTurns(after: ranSession(statement) ?? context.session, on: driver)
    } catch {
      failure = failure ?? reported(placed(error, source, statement.span))
    }
    if isTiming { emit(.time(ContinuousClock.now - start)) }
    runningStatements -= 1
    output.flush()
    if let failure { throw failure }
  }

  /// Ends every session's turn, as after a statement: to be called on the thread of `main`, between
  /// statements, when others have committed. What fails is reported.
  package func takeTurns(isBeforeStatement: Bool = false) {
    guard isStoreOpen, !wantsToQuit else { return }
    do {
      try endTurns(after: current, on: main)
    } catch {
      // The statement that woke the sessions says so, in its own place.
      if isBeforeStatement, (error as? HeraldError)?.isOfLostFile ?? false { return }
      let nowhere = Source(name: "prompt", text: "")
      _ = reported(placed(error, nowhere, SourceSpan(start: 0, end: 0)))
    }
    output.flush()
  }

  private func reported(_ failure: ShellError) -> ShellError {
    if !failure.isReported { report(failure) }
    return failure.reported
  }

  /// The session that a top-level statement runs on, when it names one.
  private func ranSession(_ statement: Statement) -> Session? {
    guard case .onSession(let name, let inner) = statement.kind else { return nil }
    return ranSession(inner) ?? sessions.first { $0.name == name.text }
  }

  private func echo(_ source: Source, _ span: SourceSpan) {
    if options.echoes { emit(.echo(source.text(span))) }
  }
}

extension HeraldError {
  /// Whether nothing can be read any more, because the store or its lock file is another one or gone.
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
  /// owed. A block that fails is reported, and what the others are owed is still told; then the
  /// first failure is thrown.
  func endTurns(after first: Session, on driver: Session) throws {
    var failure: (any Error)?
    var isOwed = true
    // Blocks of several sessions may answer one another for ever, as those of one may.
    var chain = 0
    var writes = first.store?.writesOfBlocks ?? 0
    while isOwed {
      isOwed = false
      let newest = try? first.store?.newestVersion
      for session in takeTouched(by: first, newest) {
        do {
          guard isTurnDue(of: session, newest) else { continue }
          if try endTurn(of: session, after: chain, on: driver) { isOwed = true }
        } catch let error as ShellError {
          failure = failure ?? reported(error)
          if error.complaint == .interrupted {
            settledVersion = nil
            throw error.reported
          }
          isOwed = true
        }
      }
      let before = writes
      writes = first.store?.writesOfBlocks ?? 0
      chain = writes == before ? 0 : chain + 1
    }
    if let failure { throw failure }
  }

  /// The sessions whose turns may have something to do, `first` first, then in order of creation.
  private func takeTouched(by first: Session, _ newest: Int?) -> [Session] {
    let others: [Session]
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

  /// Whether the end of a session's turn would do anything: its thread is not asked where it would not,
  /// so that many sessions that only wait cost next to nothing.
  private func isTurnDue(of session: Session, _ newest: Int?) -> Bool {
    guard let store = session.store, let newest else { return true }
    return session.hasNewcomers || store.isTurnDue(at: newest)
  }

  private func endTurn(
    of session: Session, after chain: Int, on driver: Session
  ) throws -> Bool {
    guard let store = session.store, !store.isClosed else { return false }
    var isOwed = false
    try run(on: session, from: driver) { [self] in
      do {
        if session.hasNewcomers {
          session.hasNewcomers = false
          isOwed = true
          try store.deliverOwed()
        }
        if try store.endTurn(after: chain) { isOwed = true }
      } catch HeraldError.interrupted {
        endUntold(of: session)
        throw HeraldError.interrupted
      }
    }
    return isOwed
  }

  /// Whose first scan was stopped would begin it anew with the next statement.
  private func endUntold(of session: Session) {
    for record in tokens.live where record.session === session {
      guard let token = record.token, token.awaitsInitial else { continue }
      token.invalidate()
      confirm { "\(record.name) ended" }
    }
  }

  /// Does `body` on the thread of `session`, waiting on the thread of `caller`.
  func run(
    on session: Session, from caller: Session, _ body: @escaping () throws -> Void
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
