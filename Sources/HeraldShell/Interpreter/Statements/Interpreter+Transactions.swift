import Herald

extension Context {
  /// `write {…}`, `write without t1 {…}`, `write async {…}`, `write STATEMENT`.
  func write(_ syntax: WriteSyntax, _ span: SourceSpan) throws {
    let store = try self.store
    let silenced = try silencedTokens(syntax.without)
    let message = try self.message(syntax.message)
    if syntax.isAsync {
      try store.writeAsync(without: silenced.compactMap(\.token), message: message) {
        try inBlock(syntax.statements, span)
      }
      return
    }
    let (before, summaryBefore) = (shell.variables, shell.summary)
    do {
      try shell.naming(session) {
        try store.write(without: silenced.compactMap(\.token), message: message, waiting: false) {
          try execute(syntax.statements)
        }
      }
      noteEnds(among: silenced)
    } catch {
      // Variables may name objects that are rolled back.
      (shell.variables, shell.summary) = (before, summaryBefore)
      throw error
    }
  }

  /// Runs the statements of a block, called by the library.
  func inBlock(_ statements: [Statement], _ span: SourceSpan) throws {
    session.blocksRunning += 1
    defer { session.blocksRunning -= 1 }
    let before = shell.variables
    do {
      try execute(statements)
    } catch {
      if session.store?.isInWrite == true { shell.variables = before }
      throw located(error, source, span)
    }
  }

  func begin() throws {
    let store = try self.store
    try shell.naming(session) { try store.beginWrite(waiting: false) }
    session.variablesBeforeWrites.append(shell.variables)
  }

  /// The text that the log has about a commit.
  private func message(_ expression: ExpressionSyntax?) throws -> String? {
    guard let expression else { return nil }
    if case .value(.string(let text)) = try resolve(expression) { return text }
    throw ShellError(
      .expected("a string", found: "'\(source.text(expression.span))'"), source,
      expression.span)
  }

  func commit(without names: [Name], _ message: ExpressionSyntax?) throws {
    let silenced = try silencedTokens(names)
    let text = try self.message(message)
    let store = try self.store
    do {
      try store.commitWrite(without: silenced.compactMap(\.token), message: text)
      noteEnds(among: silenced)
    } catch {
      shell.forgetWrite(of: session, store)
      throw error
    }
    _ = session.variablesBeforeWrites.popLast()
    confirm { "committed" }
  }

  func rollback() throws {
    try store.rollbackWrite()
    if let before = session.variablesBeforeWrites.popLast() { shell.variables = before }
    confirm { "rolled back" }
  }

  /// Silenced observers end without an event.
  private func noteEnds(among silenced: [TokenTable.Entry]) {
    for record in silenced where !record.isLive { shell.tokens.noteEnd(of: record) }
  }

  private func silencedTokens(_ names: [Name]) throws -> [TokenTable.Entry] {
    try names.map { name in
      let record = try shell.tokens.record(name, source)
      if record.session !== session {
        throw ShellError(.library(.foreignToken(name.text)), source, name.span)
      }
      guard let token = record.token, token.isLive else {
        throw ShellError(.library(.deadToken(name.text)), source, name.span)
      }
      guard token.canBeSilenced else {
        throw ShellError(.library(.cannotSilence(name.text)), source, name.span)
      }
      return record
    }
  }

  /// Advances the session; confirmed only at a prompt.
  func refresh() throws {
    let isNew = try store.refresh()
    confirm { isNew ? "advanced" : "nothing new" }
  }
}

extension Interpreter {
  /// Rolls back the transaction of an interrupted statement, also one that was begun with `begin`.
  func endWrite(of session: ShellSession, _ store: DynamicStore, stoppedBy error: any Error) {
    if isInterruption(error), store.isInWrite, !session.variablesBeforeWrites.isEmpty {
      try? store.rollbackWrite()
    }
    forgetWrite(of: session, store)
  }

  /// Restores the variables from before a transaction that a failure has rolled back.
  fileprivate func forgetWrite(of session: ShellSession, _ store: DynamicStore) {
    guard !store.isInWrite, let before = session.variablesBeforeWrites.popLast() else { return }
    variables = before
    confirm { "rolled back" }
  }

  func isInterruption(_ error: any Error) -> Bool {
    error as? HeraldError == .interrupted || (error as? ShellError)?.diagnostic == .interrupted
  }
}
