import Herald

extension Interpreter {
  /// Executes a statement, on the thread of the context's session. Its errors have a span.
  func execute(_ statement: Statement, _ context: Context) throws {
    try checkInterruption(context, statement.span)
    do {
      try carryOut(statement, context)
      try context.session.store?.checkIntact()
    } catch {
      let failure = located(error, context.source, statement.span)
      throw (errorOfHabit(failure, statement, context) ?? namingClasses(failure, context))
        .failing(statement.span, of: context.source)
    }
  }

  /// Adds the existing classes to an error about a class whose name resembles none. Of names of one letter, none is
  /// like another.
  private func namingClasses(_ failure: ShellError, _ context: Context) -> ShellError {
    if case .library(.unknownClass(let name, _)) = failure.diagnostic,
      let schema = context.session.store?.schema, let found = schema.standIn(named: name)
    {
      return ShellError(.notAClass(name, found: found), failure.source, failure.span)
    }
    guard case .library(.unknownClass(let name, let nearest)) = failure.diagnostic,
      nearest.map({ $0.count == 1 && name.count == 1 }) ?? true,
      let schema = context.session.store?.schema, schema.classSchema(named: name) == nil
    else { return failure }
    return ShellError(
      .unknownClass(name, existing: schema.namesOfRows), failure.source, failure.span)
  }

  func execute(_ statements: [Statement], _ context: Context) throws {
    var inner = context
    inner.isTopLevel = false
    let block = BlockTokens()
    inner.block = block
    defer { endTokens(of: block, context) }
    for statement in statements {
      // Each of several statements checks for an interruption, and reports its errors, by itself.
      switch statement.kind {
      case .addRepeatedly(let shape): try addRepeatedly(shape, statement.span, inner)
      case .addSpooled(let additions): try addSpooled(additions, statement.span, inner)
      case _: try execute(statement, inner)
      }
    }
  }

  private func carryOut(_ statement: Statement, _ context: Context) throws {
    let span = statement.span
    switch statement.kind {
    case .open(let syntax):
      try open(syntax, context)
      confirm { syntax.path.map { "opened \($0.text)" } ?? "opened a store in memory" }
    case .status: try showStatus(context)
    case .close: try close(context)
    case .declare(let syntax): try declare(syntax, context)
    case .declareProjection(let syntax): try declare(syntax, context)
    case .define(let name, let query, let columns): try define(name, query, columns, context)
    case .alter(let syntax): try alter(syntax, context)
    case .drop(let name): try drop(name, context)
    case .schema(let name, let version): try showSchema(name, asOf(version, context))
    case .check(let path): try check(path, span, context)
    case .backup(let path, let version): try backup(to: path, since: version, context)
    case .readers: try listReaders(context)
    case .compact: try compact(span, context)
    case .add(let addition): try add(addition, context)
    case .addRepeatedly(let shape): try addRepeatedly(shape, span, context)
    case .addSpooled(let additions): try addSpooled(additions, span, context)
    case .addNew(let name, let variable): try addNew(name, variable, context)
    case .makeNew(let name, let record, let variable): try makeNew(name, record, variable, context)
    case .assign(let path, let sign, let value): try assign(path, sign, value, context)
    case .setAll(let query, let record): try setAll(query, record, context)
    case .delete(let query): try delete(query, context)
    case .append(let values, let path): try append(values, path, context)
    case .insert(let values, let path, let row): try insert(values, path, row, context)
    case .remove(let path): try remove(path, context)
    case .removeValue(let value, let path): try removeValue(value, from: path, context)
    case .move(let path, let row): try move(path, row, context)
    case .clear(let path): try clear(path, context)
    case .bind(let name, let value): try bind(name, try variable(value, context), context)
    case .bindFrozen(let name, let value): try bind(name, try frozen(value, context), context)
    case .bindVersion(let name, let version):
      try bind(name, try frozenVersion(version, context), context)
    case .bindToken(let name, let syntax): try bindToken(name, syntax, span, context)
    case .write(let syntax): try write(syntax, span, context)
    case .begin: try begin(context)
    case .commit(let names, let message): try commit(without: names, message, context)
    case .rollback: try rollback(context)
    case .autocommit(let isOn): isAutocommitting = isOn
    case .log(let count, let className): try listLog(count, of: className, context)
    case .logVersion(let version): try showCommit(version, context)
    case .version(let time): try showVersion(at: time, context)
    case .keepLog(let amount): try keepLog(amount, context)
    case .diff(let first, let second, let query):
      try showDifference(first, second, query, context)
    case .undo(let version): try undo(version, context)
    case .redo: try redo(context)
    case .observe(let syntax): _ = try observe(syntax, span, context)
    case .follow(let syntax): try follow(syntax, span, context)
    case .watch(let syntax): try watch(syntax, span, context)
    case .tokens: listTokens()
    case .events(let name): try listEvents(of: name, context)
    case .invalidate(let names): try invalidate(names, context)
    case .invalidateAll: try invalidateAll(context)
    case .why(let name): try why(name, context)
    case .refresh: try refresh(context)
    case .autorefresh(let isOn): try store(context).autorefresh = isOn
    case .onSession(let name, let inner): try onSession(name, inner, context)
    case .sessions: try listSessions(context)
    case .session(let name): current = try session(named: name, context)
    case .bare(let expression): try evaluate(expression, context)
    case .show(let expression): try show(expression, context)
    case .showColumns(let query, let columns): try show(query, columns, context)
    case .showGroups(let group): try show(group, context)
    case .count(let expression): try count(expression, context)
    case .countGroups(let group): emit(.count(try groups(group, context).count))
    case .explain(let query): try explain(query, context)
    case .print(let expressions): try print(expressions, context)
    case .mode(let mode): self.mode = mode
    case .details(let isOn): try showDetails(isOn, context)
    case .timing(let isOn): isTiming = isOn
    case .help(let word): try help(word, context)
    case .history: showHistory()
    case .tour: try tour(span, context)
    case .setAlias(let name, let text): try setAlias(name, to: text, context)
    case .listAliases(let name): try listAliases(name, context)
    case .removeAlias(let name): try removeAlias(name, context)
    case .edit(let name): try edit(name, span, context)
    case .expect(let expectation): try expect(expectation, span, context)
    case .condition(let predicate, let then, let otherwise):
      let holds = try test(predicate, context)
      try execute(holds ? then : otherwise, context)
    case .loop(let name, let elements, let block): try loop(name, elements, block, context)
    case .loopGroups(let name, let group, let block): try loop(name, group, block, context)
    case .read(let path): try read(path, context)
    case .importFiles(let files): try importFiles(files, context)
    case .exportRows(let query, let columns, let path, let format):
      try export(query, columns, to: path, as: format, context)
    case .exportGroups(let group, let path, let format):
      try export(group, to: path, as: format, context)
    case .dump(let version, let path): try dump(to: path, asOf(version, context))
    case .quit: wantsToQuit = true
    case .redirected(let inner, let destination): try redirect(inner, to: destination, context)
    }
  }

  /// The context's session's view of the store.
  func store(_ context: Context) throws -> DynamicStore {
    try store(of: context.session)
  }

  func store(of session: ShellSession) throws -> DynamicStore {
    if let store = session.store { return store }
    guard isStoreOpen else { throw Diagnostic.noStore }
    // A store in memory is created when it is first needed, so that other runs start faster.
    let store = interruptible(try DynamicStore())
    session.store = store
    return store
  }
}
