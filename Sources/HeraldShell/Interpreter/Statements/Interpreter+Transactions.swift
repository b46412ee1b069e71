import Herald

extension Context {
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
  func forgetWrite(of session: ShellSession, _ store: DynamicStore) {
    guard !store.isInWrite, let before = session.variablesBeforeWrites.popLast() else { return }
    variables = before
    confirm { "rolled back" }
  }

  func isInterruption(_ error: any Error) -> Bool {
    error as? HeraldError == .interrupted || (error as? ShellError)?.diagnostic == .interrupted
  }
}
