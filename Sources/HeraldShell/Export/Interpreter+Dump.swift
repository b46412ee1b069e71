import Herald

extension Interpreter {
  /// Writes the store as a script, to the output or to a file that is replaced once the script is complete.
  func dump(to path: Name?, _ context: Context) throws {
    let store = try store(context)
    guard let path else {
      return try dump(store, context) { [unowned self] in emit(.script($0)) }
    }
    try writeFile(path, context) { file in
      try dump(store, context) { line in try file.write(line + "\n") }
    }
  }

  private func dump(
    _ store: DynamicStore, _ context: Context, _ write: @escaping (String) throws -> Void
  ) throws {
    let schema = store.schema
    let classes = schema.classes.filter(\.isDeclared).map { schema.definition(of: $0) }
    var script = StoreScript(store, write: write)
    var objects = 0
    try script.run(classes: classes, projections: store.projections) {
      try checkInterruption(context, SourceSpan(start: 0, end: 0))
      objects += 1
      if objects % Self.releaseInterval == 0 { store.releaseMemory() }
    }
  }

  /// Calls `body` to write a file that replaces the one at `path` if all succeeds.
  func writeFile(
    _ path: Name, _ context: Context, _ body: (OutputFile) throws -> Void
  ) throws {
    try writing(path, context) {
      let file = try OutputFile(path.text)
      try body(file)
      try file.finish()
    }
  }

  /// Reports a failure to write the file at `path` there in the statement.
  func writing<R>(_ path: Name, _ context: Context, _ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch let failure as File.Failure {
      throw ShellError(
        .cannotWrite(path: path.text, reason: failure.reason), context.source, path.span)
    }
  }
}
