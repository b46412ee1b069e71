import Herald

extension Context {
  /// The limit of nested files.
  static let readingLimit = 100

  /// Runs a file in place: its statements are top-level ones if this one is.
  func read(_ name: Name) throws {
    let file = ScriptFile(name.text)
    if let first = shell.filesBeingRead.firstIndex(where: { $0.isSame(as: file) }) {
      let cycle = (shell.filesBeingRead[first...] + [file]).map(\.path)
      throw ShellError(.readCycle(cycle), self.source, name.span)
    }
    guard shell.filesBeingRead.count < Self.readingLimit else {
      throw ShellError(.readTooDeep(file.path, limit: Self.readingLimit), self.source, name.span)
    }
    let source: Source
    do {
      source = try file.source
    } catch {
      throw ShellError(
        .unreadableScript(path: file.path, reason: error.reason), self.source, name.span)
    }
    try shell.reading(file) { try readStatements(of: source) }
    confirm { "read \(name.text)" }
  }

  private func readStatements(of source: Source) throws {
    if isTopLevel { return try shell.runStatements(of: source, on: session) }
    var parser = shell.parser(of: source)
    var inner = Context(shell, source, session)
    inner.locals = locals
    inner.block = block
    while let statement = try parser.next() { try inner.execute(statement) }
  }

  func showHistory() { emit(.history(shell.options.history?() ?? [])) }

  func help(_ word: Name?) throws {
    let help = HelpText(columns: shell.window?.columns)
    guard let word else { return emit(.help(help.overview)) }
    guard let text = help.topic(word.text) else {
      let nearest = HelpText.nearest(to: word.text)
      throw ShellError(.unknownTopic(word.text, nearest: nearest), source, word.span)
    }
    emit(.help(text))
  }
}

extension Interpreter {
  /// Calls `body` while a file is marked as being read.
  func reading<R>(_ file: ScriptFile, _ body: () throws -> R) rethrows -> R {
    filesBeingRead.append(file)
    defer { filesBeingRead.removeLast() }
    return try body()
  }
}
