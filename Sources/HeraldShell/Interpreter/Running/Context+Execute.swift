import Herald

extension Context {
  /// Executes a statement, on the thread of the context's session. Its errors have a span.
  func execute(_ statement: Statement) throws {
    try checkInterruption(statement.span)
    do {
      var context = self
      context.span = statement.span
      session.beginStatement()
      if shell.realmFile != nil { try context.readRealmFile(for: statement) }
      try statement.form.run(in: context)
      try session.store?.checkIntact()
    } catch {
      let located = located(error, source, statement.span)
      if let path = shell.realmFile?.source.path, located.isReadOnly {
        throw failure(.realmReadOnly(path: path), at: statement.span)
      }
      throw located.naming(whatWasMeantBy: statement, self).failing(statement.span, of: source)
    }
  }

  func execute(_ statements: [Statement]) throws {
    var inner = self
    inner.isTopLevel = false
    let block = BlockTokens()
    inner.block = block
    defer { endTokens(of: block) }
    for statement in statements { try inner.executeInBlock(statement) }
  }

  /// Executes a statement among others. Of several in one, each checks for an interruption, and reports its errors, by
  /// itself.
  func executeInBlock(_ statement: Statement) throws {
    guard statement.form.isSeveral else { return try execute(statement) }
    var context = self
    context.span = statement.span
    try statement.form.run(in: context)
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
}

extension ShellError {
  fileprivate var isReadOnly: Bool {
    if case .library(.readOnly) = diagnostic { true } else { false }
  }
}
