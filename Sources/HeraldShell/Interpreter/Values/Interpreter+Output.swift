import Herald

extension Interpreter {
  func emit(_ line: OutputLine) {
    switch mode {
    case .text, .line, .csv, .markdown, .jsonl:
      TextRenderer(mode: mode, window: window).write(line, &output)
    case .json: JSONRenderer.write(line, &output)
    }
  }

  /// Confirms a change, only at the prompt; for a file that is read there, confirms only the file.
  func confirm(_ text: () -> String) {
    guard options.isInteractive, mode != .json, filesBeingRead.isEmpty, !isRedirected else {
      return
    }
    emit(.confirmation(text()))
  }

  /// Emits values read from the store, unless the store turned out to be damaged.
  private func emitIntact(_ line: OutputLine, _ context: Context) throws {
    try context.session.store?.checkIntact()
    emit(line)
  }

  func print(_ expressions: [ExpressionSyntax], _ context: Context) throws {
    if expressions.count == 1 {
      let resolved = try resolve(expressions[0], context)
      if case .results(let results) = resolved { return try print(results, context) }
      return try emitIntact(.values([rendered(resolved, context.session)]), context)
    }
    try emitIntact(.values(expressions.map { try rendered($0, context) }), context)
  }

  /// A statement that is only an expression: shows a query, prints any other value.
  func evaluate(_ expression: ExpressionSyntax, _ context: Context) throws {
    guard case .query(let query) = expression.kind, !query.isPlainPath else {
      return try print([expression], context)
    }
    try checkBegins(query, context)
    try show(expression, context)
  }

  /// Throws for a word that is neither a command nor a class.
  private func checkBegins(_ query: QuerySyntax, _ context: Context) throws {
    guard case .className(let name) = query.origin, query.tail == nil, query.version == nil else {
      return
    }
    let schema = try store(context).schema
    if schema.isTaken(name.text) { return }
    let names = schema.namesOfRows
    let nearest =
      StatementWord.nearest(to: name.text) ?? nearestName(to: name.text, in: names)
    let isClass = name.text.first?.isUppercase ?? false
    if isClass, nearest.map({ names.contains($0) }) ?? true { return }
    let parser = StatementParser(context.source, from: name.span.start, to: query.span.end)
    if let failure = parser.statementOfHabit(at: name.span) { throw failure }
    throw ShellError(.unknownStatement(name.text, nearest: nearest), context.source, name.span)
  }

  func show(_ expression: ExpressionSyntax, _ context: Context) throws {
    if case .query(let query) = expression.kind {
      let columns = try defaultColumns(of: query, context)
      if !columns.isEmpty { return try show(query, columns, context) }
    }
    if let format = mode.rowFormat, try showRows(expression, format, context) { return }
    let resolved = try resolve(expression, context)
    if case .results(let results) = resolved {
      let objects = try results.objects
      try show(objects.count, context) {
        try context.session.output(objects[$0], of: results)
      }
      return remark(on: expression, count: objects.count, context)
    }
    switch try rendered(resolved, context.session) {
    case .list(let rows): try show(rows.count, context) { rows[$0] }
    case let value: try emitIntact(.table([value], more: 0), context)
    }
  }

  func count(_ expression: ExpressionSyntax, _ context: Context) throws {
    let resolved = try resolve(expression, context)
    switch resolved {
    case .results(let results):
      let count = try results.count
      emit(.count(count))
      remark(on: expression, count: count, context)
    case .collection(let collection): try emitIntact(.count(collection.count), context)
    case .elements(let elements): try emitIntact(.count(elements.values.count), context)
    case .values(let values), .value(.list(let values)): emit(.count(values.count))
    case .value(.map(let entries)): emit(.count(entries.count))
    case .value, .object, .newObject, .projection:
      throw notACollection(resolved, expression.span, context)
    }
  }

  /// Executes a query and emits its explanation.
  func explain(_ query: QuerySyntax, _ context: Context) throws {
    if case .className(let name) = query.origin, query.tail == nil, try isToken(name, context) {
      return try explain(name, context)
    }
    let resolved = try resolve(query, context)
    switch resolved {
    case .results(let results): emit(.explanation(try results.explanation))
    case .collection(let collection) where collection.property.type.linkedClass != nil:
      let results = try asking(context) { names in
        try store(context).results(of: collection, nil, names: names)
      }
      emit(.explanation(try results.explanation))
    case .collection, .elements:
      throw ShellError(
        .expected("a query of objects", found: resolved.kind), context.source, query.span)
    case .value, .values, .object, .newObject, .projection:
      throw notACollection(resolved, query.span, context)
    }
  }

  /// Whether a name means an observer: a live one takes precedence over a class, a dead one does not.
  private func isToken(_ name: Name, _ context: Context) throws -> Bool {
    guard let record = tokens.record(named: name.text) else { return false }
    return try record.isLive || store(context).schema.classSchema(named: name.text) == nil
  }

  private func rendered(_ expression: ExpressionSyntax, _ context: Context) throws -> OutputValue {
    try rendered(resolve(expression, context), context.session)
  }

  private func rendered(_ resolved: Resolved, _ session: ShellSession) throws -> OutputValue {
    let session = resolved.store.map { session.reading($0) } ?? session
    switch resolved {
    case .value(let value): return session.output(value)
    case .values(let values): return .list(values.map { session.output($0) })
    case .elements(let elements): return .list(try elements.values.map { session.output($0) })
    case .object(let object): return try session.output(object)
    case .newObject(let object): return try session.output(object)
    case .collection(let collection): return try session.rows(collection)
    case .results(let results):
      return .list(
        try results.objects.map { object in
          if interruption.isRequested { throw HeraldError.interrupted }
          return try session.output(object, of: results)
        })
    case .projection(let projection): return try session.output(projection)
    }
  }
}

// MARK: Listings

extension Interpreter {
  func showSchema(_ name: Name?, _ context: Context) throws {
    let schema = try store(context).schema
    var classes = schema.classes.filter(\.isDeclared)
    var projections = schema.projections
    var definitions = schema.definitions
    if let name {
      definitions = definitions.filter { $0.name == name.text }
      classes = classes.filter { $0.name == name.text }
      projections = projections.filter { $0.name == name.text }
      if classes.isEmpty && projections.isEmpty && definitions.isEmpty {
        let nearest = nearestName(to: name.text, in: schema.namesOfRows)
        throw ShellError(
          .library(.unknownClass(name.text, nearest: nearest)), context.source, name.span)
      }
    }
    emit(.schema(classes.map { schema.definition(of: $0) }, projections, definitions))
  }

  func listTokens() {
    emit(
      .tokens(
        tokens.live.map {
          OutputLine.TokenDescription(
            name: $0.name, session: $0.session.name, subject: $0.subject, keyPaths: $0.keyPaths)
        }))
  }

  /// Emits events again.
  func listEvents(of name: Name?, _ context: Context) throws {
    for event in try tokens.events(name, context.source) { emit(.event(event)) }
  }

  func listSessions(_ context: Context) throws {
    _ = try store(of: main)
    emit(
      .sessions(
        sessions.compactMap { session in
          guard let store = session.store else { return nil }
          return OutputLine.SessionDescription(
            name: session.name, version: store.version, isCurrent: session === current,
            autorefreshes: store.autorefresh, isInWrite: store.isInWrite)
        }))
  }
}

extension QuerySyntax {
  /// Whether it is a path at an earlier version: `$max.age at 41`.
  fileprivate var isPlainPath: Bool {
    if case .path = origin { tail == nil } else { false }
  }
}

extension Schema {
  /// The names that stand for rows in a query: declared classes, projections and definitions.
  var namesOfRows: [String] {
    classes.filter(\.isDeclared).map(\.name) + projections.map(\.name) + definitions.map(\.name)
  }

  /// The named definition or projection, if it can replace a class in queries.
  func standIn(named name: String) -> String? {
    if projections.contains(where: { $0.name == name }) { return "a projection" }
    return definitions.contains { $0.name == name } ? "a defined query" : nil
  }
}
