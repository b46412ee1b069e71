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
    for statement in statements {
      try inner.executeInBlock(statement)
    }
  }

  /// Executes a statement among others. Of several in one, each checks for an interruption, and reports its errors, by itself.
  func executeInBlock(_ statement: Statement) throws {
    guard statement.form.isSeveral else { return try execute(statement) }
    var context = self
    context.span = statement.span
    try statement.form.run(in: context)
  }
}

extension Interpreter {
  func store(of session: ShellSession) throws -> DynamicStore {
    if let store = session.store { return store }
    guard isStoreOpen else { throw Diagnostic.noStore }
    // A store in memory is created when it is first needed, so that other runs start faster.
    let store = interruptible(try DynamicStore())
    session.store = store
    return store
  }
}
