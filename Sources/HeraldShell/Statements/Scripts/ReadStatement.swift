import Herald

/// `read FILE`: runs a file in place; its statements are top-level ones if this one is.
struct ReadStatement: StatementForm {
  static let command = Command(
    "read", ["read FILE"], "run the statements of a file",
    [
      "A relative path starts from the folder of the file that contains the statement; at the "
        + "prompt, in -c and in a pipe, from the current folder. A file that is being read "
        + "cannot be read again, by whatever path: the error names the files of the cycle."
    ], inWrites: true, parse: { parser throws(ShellError) in Self(path: try parser.path()) })

  let path: Name

  /// The limit of nested files.
  private static let readingLimit = 100

  var isForMain: Bool { true }

  func run(in context: Context) throws {
    let shell = context.shell
    let file = ScriptFile(path.text)
    if let first = shell.filesBeingRead.firstIndex(where: { $0.isSame(as: file) }) {
      let cycle = (shell.filesBeingRead[first...] + [file]).map(\.path)
      throw context.failure(.readCycle(cycle), at: path.span)
    }
    guard shell.filesBeingRead.count < Self.readingLimit else {
      throw context.failure(.readTooDeep(file.path, limit: Self.readingLimit), at: path.span)
    }
    let source: Source
    do {
      source = try file.source
    } catch {
      throw context.failure(.unreadableScript(path: file.path, reason: error.reason), at: path.span)
    }
    try shell.reading(file) { try readStatements(of: source, context) }
    context.confirm { "read \(path.text)" }
  }

  private func readStatements(of source: Source, _ context: Context) throws {
    let shell = context.shell
    if context.isTopLevel { return try shell.runStatements(of: source, on: context.session) }
    var parser = shell.parser(of: source)
    var inner = Context(shell, source, context.session)
    inner.locals = context.locals
    inner.block = context.block
    while let statement = try parser.next() { try inner.execute(statement) }
  }
}
