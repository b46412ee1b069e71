import Herald

extension Interpreter {
  /// Runs a file in place: its statements are top-level ones where this one is.
  func read(_ path: Name, _ context: Context) throws {
    if filesBeingRead.contains(path.text) {
      throw ShellError(.readInCircle(path.text), context.source, path.span)
    }
    let source: Source
    do {
      source = Source(name: path.text, bytes: try File.read(path.text))
    } catch {
      throw ShellError(
        .unreadableScript(path: path.text, reason: error.reason), context.source, path.span)
    }
    try readStatements(of: source, context)
    confirm { "read \(path.text)" }
  }

  private func readStatements(of source: Source, _ context: Context) throws {
    filesBeingRead.append(source.name)
    defer { filesBeingRead.removeLast() }
    if context.isTopLevel { return try runStatements(of: source, on: context.session) }
    var parser = Parser(source)
    let inner = Context(source: source, session: context.session, locals: context.locals)
    while let statement = try parser.next() { try execute(statement, inner) }
  }

  func showHistory() { emit(.history(options.history?() ?? [])) }

  func help(_ word: Name?, _ context: Context) throws {
    guard let word else { return emit(.help(HelpText.overview)) }
    guard let text = HelpText.topic(word.text) else {
      let nearest = nearestName(
        to: word.text, in: CommandReference.words + [HelpText.examples])
      throw ShellError(
        .unknownTopic(word.text, nearest: nearest), context.source, word.span)
    }
    emit(.help(text))
  }
}
