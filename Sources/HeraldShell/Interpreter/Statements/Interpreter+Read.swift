import Herald

extension Interpreter {
  /// The limit of nested files.
  static let readingLimit = 100

  /// Runs a file in place: its statements are top-level ones if this one is.
  func read(_ name: Name, _ context: Context) throws {
    let file = ScriptFile(name.text)
    if let first = filesBeingRead.firstIndex(where: { $0.isSame(as: file) }) {
      let cycle = (filesBeingRead[first...] + [file]).map(\.path)
      throw ShellError(.readCycle(cycle), context.source, name.span)
    }
    guard filesBeingRead.count < Interpreter.readingLimit else {
      throw ShellError(
        .readTooDeep(file.path, limit: Interpreter.readingLimit), context.source, name.span)
    }
    let source: Source
    do {
      source = try file.source
    } catch {
      throw ShellError(
        .unreadableScript(path: file.path, reason: error.reason), context.source, name.span)
    }
    try reading(file) { try readStatements(of: source, context) }
    confirm { "read \(name.text)" }
  }

  /// Calls `body` while a file is marked as being read.
  func reading<R>(_ file: ScriptFile, _ body: () throws -> R) rethrows -> R {
    filesBeingRead.append(file)
    defer { filesBeingRead.removeLast() }
    return try body()
  }

  private func readStatements(of source: Source, _ context: Context) throws {
    if context.isTopLevel { return try runStatements(of: source, on: context.session) }
    var parser = parser(of: source)
    var inner = Context(source: source, session: context.session, locals: context.locals)
    inner.block = context.block
    while let statement = try parser.next() { try execute(statement, inner) }
  }

  func showHistory() { emit(.history(options.history?() ?? [])) }

  func help(_ word: Name?, _ context: Context) throws {
    let help = HelpText(columns: window?.columns)
    guard let word else { return emit(.help(help.overview)) }
    guard let text = help.topic(word.text) else {
      let nearest = HelpText.nearest(to: word.text)
      throw ShellError(
        .unknownTopic(word.text, nearest: nearest), context.source, word.span)
    }
    emit(.help(text))
  }
}
