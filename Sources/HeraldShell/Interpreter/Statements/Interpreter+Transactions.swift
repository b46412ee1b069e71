import Herald

extension Interpreter {
  /// `write {…}`, `write without t1 {…}`, `write async {…}`, `write STATEMENT`.
  func write(_ syntax: WriteSyntax, _ span: SourceSpan, _ context: Context) throws {
    let store = try store(context)
    let silenced = try silencedTokens(syntax.without, context)
    let message = try self.message(syntax.message, context)
    if syntax.isAsync {
      try store.writeAsync(without: silenced.compactMap(\.token), message: message) {
        [unowned self] in
        try inBlock(syntax.statements, span, context)
      }
      return
    }
    let (before, summaryBefore) = (variables, summary)
    do {
      try naming(context.session) {
        try store.write(
          without: silenced.compactMap(\.token), message: message, waiting: false
        ) {
          try execute(syntax.statements, context)
        }
      }
      noteEnds(among: silenced)
    } catch {
      // Variables may name objects that are rolled back.
      (variables, summary) = (before, summaryBefore)
      throw error
    }
  }

  /// Runs the statements of a block, called by the library.
  func inBlock(_ statements: [Statement], _ span: SourceSpan, _ context: Context) throws {
    context.session.blocksRunning += 1
    defer { context.session.blocksRunning -= 1 }
    let before = variables
    do {
      try execute(statements, context)
    } catch {
      if context.session.store?.isInWrite == true { variables = before }
      throw located(error, context.source, span)
    }
  }

  func begin(_ context: Context) throws {
    let store = try store(context)
    try naming(context.session) { try store.beginWrite(waiting: false) }
    context.session.variablesBeforeWrites.append(variables)
  }

  /// The text that the log has about a commit.
  private func message(_ expression: ExpressionSyntax?, _ context: Context) throws -> String? {
    guard let expression else { return nil }
    if case .value(.string(let text)) = try resolve(expression, context) { return text }
    throw ShellError(
      .expected("a string", found: "'\(context.source.text(expression.span))'"), context.source,
      expression.span)
  }

  func commit(
    without names: [Name], _ message: ExpressionSyntax?, _ context: Context
  ) throws {
    let silenced = try silencedTokens(names, context)
    let text = try self.message(message, context)
    let store = try store(context)
    do {
      try store.commitWrite(without: silenced.compactMap(\.token), message: text)
      noteEnds(among: silenced)
    } catch {
      forgetWrite(of: context.session, store)
      throw error
    }
    _ = context.session.variablesBeforeWrites.popLast()
    confirm { "committed" }
  }

  func rollback(_ context: Context) throws {
    try store(context).rollbackWrite()
    if let before = context.session.variablesBeforeWrites.popLast() { variables = before }
    confirm { "rolled back" }
  }

  /// Rolls back the transaction of an interrupted statement, also one that was begun with `begin`.
  func endWrite(of session: ShellSession, _ store: DynamicStore, stoppedBy error: any Error) {
    if isInterruption(error), store.isInWrite, !session.variablesBeforeWrites.isEmpty {
      try? store.rollbackWrite()
    }
    forgetWrite(of: session, store)
  }

  /// Restores the variables from before a transaction that a failure has rolled back.
  private func forgetWrite(of session: ShellSession, _ store: DynamicStore) {
    guard !store.isInWrite, let before = session.variablesBeforeWrites.popLast() else { return }
    variables = before
    confirm { "rolled back" }
  }

  func isInterruption(_ error: any Error) -> Bool {
    error as? HeraldError == .interrupted || (error as? ShellError)?.diagnostic == .interrupted
  }

  /// Silenced observers end without an event.
  private func noteEnds(among silenced: [TokenTable.Entry]) {
    for record in silenced where !record.isLive { tokens.noteEnd(of: record) }
  }

  private func silencedTokens(_ names: [Name], _ context: Context) throws -> [TokenTable.Entry] {
    try names.map { name in
      let record = try tokens.record(name, context.source)
      if record.session !== context.session {
        throw ShellError(.library(.foreignToken(name.text)), context.source, name.span)
      }
      guard let token = record.token, token.isLive else {
        throw ShellError(.library(.deadToken(name.text)), context.source, name.span)
      }
      guard token.canBeSilenced else {
        throw ShellError(.library(.cannotSilence(name.text)), context.source, name.span)
      }
      return record
    }
  }

  /// Advances the session; confirmed only at a prompt.
  func refresh(_ context: Context) throws {
    let isNew = try store(context).refresh()
    confirm { isNew ? "advanced" : "nothing new" }
  }
}
