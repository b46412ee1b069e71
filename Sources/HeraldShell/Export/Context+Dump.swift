import Herald

extension Context {
  /// Writes the store as a script, to the output or to a file that is replaced once the script is complete.
  func dump(to path: Name?) throws {
    let store = try self.store
    guard let path else {
      return try dump(store) { emit(.script($0)) }
    }
    try writeFile(path) { file in
      try dump(store) { line in try file.write(line + "\n") }
    }
  }

  private func dump(_ store: DynamicStore, _ write: @escaping (String) throws -> Void) throws {
    let schema = store.schema
    let classes = schema.classes.filter(\.isDeclared).map { schema.definition(of: $0) }
    var script = StoreScript(store, write: write)
    var objects = 0
    try script.run(classes: classes, projections: store.projections) {
      try checkInterruption(SourceSpan(start: 0, end: 0))
      objects += 1
      if objects % Self.releaseInterval == 0 { store.releaseMemory() }
    }
  }

  /// Calls `body` to write a file that replaces the one at `path` if all succeeds.
  func writeFile(_ path: Name, _ body: (OutputFile) throws -> Void) throws {
    try writing(path) {
      let file = try OutputFile(path.text)
      try body(file)
      try file.finish()
    }
  }

  /// Reports a failure to write the file at `path` there in the statement.
  func writing<R>(_ path: Name, _ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch let failure as File.Failure {
      throw ShellError(.cannotWrite(path: path.text, reason: failure.reason), source, path.span)
    }
  }
}
