import Herald

extension Context {
  /// Executes a statement, on the thread of the context's session. Its errors have a span.
  func execute(_ statement: Statement) throws {
    try checkInterruption(statement.span)
    do {
      var context = self
      context.span = statement.span
      try statement.form.run(in: context)
      try session.store?.checkIntact()
    } catch {
      let failure = located(error, source, statement.span)
      throw (errorOfHabit(failure, statement) ?? namingClasses(failure))
        .failing(statement.span, of: source)
    }
  }

  /// Adds the existing classes to an error about a class whose name resembles none. Of names of one letter, none is
  /// like another.
  private func namingClasses(_ failure: ShellError) -> ShellError {
    if case .library(.unknownClass(let name, _)) = failure.diagnostic,
      let schema = session.store?.schema, let found = schema.standIn(named: name)
    {
      return ShellError(.notAClass(name, found: found), failure.source, failure.span)
    }
    guard case .library(.unknownClass(let name, let nearest)) = failure.diagnostic,
      nearest.map({ $0.count == 1 && name.count == 1 }) ?? true,
      let schema = session.store?.schema, schema.classSchema(named: name) == nil
    else { return failure }
    return ShellError(
      .unknownClass(name, existing: schema.namesOfRows), failure.source, failure.span)
  }

  func execute(_ statements: [Statement]) throws {
    var inner = self
    inner.isTopLevel = false
    let block = BlockTokens()
    inner.block = block
    defer { endTokens(of: block) }
    for statement in statements { try inner.executeInBlock(statement) }
  }

  /// Executes a statement among others. Of several in one, each checks for an interruption, and reports its errors, by itself.
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
