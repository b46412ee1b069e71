import Herald

extension Context {
  /// Emits values read from the store, unless the store turned out to be damaged.
  private func emitIntact(_ line: OutputLine) throws {
    try session.store?.checkIntact()
    emit(line)
  }

  func print(_ expressions: [ExpressionSyntax]) throws {
    if expressions.count == 1 {
      let resolved = try resolve(expressions[0])
      if case .results(let results) = resolved { return try print(results) }
      return try emitIntact(.values([rendered(resolved, session)]))
    }
    try emitIntact(.values(expressions.map { try rendered($0) }))
  }

  /// A statement that is only an expression: shows a query, prints any other value.
  func evaluate(_ expression: ExpressionSyntax) throws {
    guard case .query(let query) = expression.kind, !query.isPlainPath else {
      return try print([expression])
    }
    try checkBegins(query)
    try show(expression)
  }

  /// Throws for a word that is neither a command nor a class.
  private func checkBegins(_ query: QuerySyntax) throws {
    guard case .className(let name) = query.origin, query.tail == nil, query.version == nil else {
      return
    }
    let schema = try store.schema
    if schema.isTaken(name.text) { return }
    let names = schema.namesOfRows
    let nearest =
      StatementWord.nearest(to: name.text) ?? nearestName(to: name.text, in: names)
    let isClass = name.text.first?.isUppercase ?? false
    if isClass, nearest.map({ names.contains($0) }) ?? true { return }
    let parser = StatementParser(source, from: name.span.start, to: query.span.end)
    if let failure = parser.statementOfHabit(at: name.span) { throw failure }
    throw ShellError(.unknownStatement(name.text, nearest: nearest), source, name.span)
  }

  func show(_ expression: ExpressionSyntax) throws {
    if case .query(let query) = expression.kind {
      let columns = try defaultColumns(of: query)
      if !columns.isEmpty { return try show(query, columns) }
    }
    if let format = shell.mode.rowFormat, try showRows(expression, format) { return }
    let resolved = try resolve(expression)
    if case .results(let results) = resolved {
      let objects = try results.objects
      try show(objects.count) {
        try session.output(objects[$0], of: results)
      }
      return remark(on: expression, count: objects.count)
    }
    switch try rendered(resolved, session) {
    case .list(let rows): try show(rows.count) { rows[$0] }
    case let value: try emitIntact(.table([value], more: 0))
    }
  }

  func count(_ expression: ExpressionSyntax) throws {
    let resolved = try resolve(expression)
    switch resolved {
    case .results(let results):
      let count = try results.count
      emit(.count(count))
      remark(on: expression, count: count)
    case .collection(let collection): try emitIntact(.count(collection.count))
    case .elements(let elements): try emitIntact(.count(elements.values.count))
    case .values(let values), .value(.list(let values)): emit(.count(values.count))
    case .value(.map(let entries)): emit(.count(entries.count))
    case .value, .object, .newObject, .projection:
      throw notACollection(resolved, expression.span)
    }
  }

  private func rendered(_ expression: ExpressionSyntax) throws -> OutputValue {
    try rendered(resolve(expression), session)
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
          if shell.interruption.isRequested { throw HeraldError.interrupted }
          return try session.output(object, of: results)
        })
    case .projection(let projection): return try session.output(projection)
    }
  }
}

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
}

// MARK: Listings

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
