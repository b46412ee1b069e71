import Herald

extension Context {
  /// Executes a statement, on the thread of the context's session. Its errors have a span.
  func execute(_ statement: Statement) throws {
    try checkInterruption(statement.span)
    do {
      var context = self
      context.span = statement.span
      try context.carryOut(statement)
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
    guard case .form(let form) = statement.kind, form.isSeveral else {
      return try execute(statement)
    }
    var context = self
    context.span = statement.span
    try form.run(in: context)
  }

  private func carryOut(_ statement: Statement) throws {
    let span = statement.span
    switch statement.kind {
    case .form(let form): try form.run(in: self)
    case .bare(let expression): try evaluate(expression)
    case .show(let expression): try show(expression)
    case .showColumns(let query, let columns): try show(query, columns)
    case .showGroups(let group): try show(group)
    case .count(let expression): try count(expression)
    case .countGroups(let group): emit(.count(try groups(group).count))
    case .print(let expressions): try print(expressions)
    case .mode(let mode): shell.mode = mode
    case .timing(let isOn): shell.isTiming = isOn
    case .help(let word): try help(word)
    case .history: showHistory()
    case .tour: try tour(span)
    case .setAlias(let name, let text): try setAlias(name, to: text)
    case .listAliases(let name): try listAliases(name)
    case .removeAlias(let name): try removeAlias(name)
    case .edit(let name): try edit(name, span)
    case .expect(let expectation): try expect(expectation, span)
    case .condition(let predicate, let then, let otherwise):
      let holds = try test(predicate)
      try execute(holds ? then : otherwise)
    case .loop(let name, let elements, let block): try loop(name, elements, block)
    case .loopGroups(let name, let group, let block): try loop(name, group, block)
    case .read(let path): try read(path)
    case .importFiles(let files): try importFiles(files)
    case .exportRows(let query, let columns, let path, let format):
      try export(query, columns, to: path, as: format)
    case .exportGroups(let group, let path, let format):
      try export(group, to: path, as: format)
    case .dump(let version, let path): try asOf(version).dump(to: path)
    case .quit: shell.wantsToQuit = true
    case .redirected(let inner, let destination): try redirect(inner, to: destination)
    }
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
