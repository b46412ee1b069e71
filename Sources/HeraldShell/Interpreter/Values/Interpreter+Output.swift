import Herald

extension Context {
  /// Emits values read from the store, unless the store turned out to be damaged.
  func emitIntact(_ line: OutputLine) throws {
    try session.store?.checkIntact()
    emit(line)
  }

  func rendered(_ resolved: Resolved, _ session: ShellSession) throws -> OutputValue {
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
