import Herald

/// What `write` and `commit` say of a commit: `without t1, t2 message "why"`.
struct CommitOptions {
  var without: [Name] = []
  /// What the log says about the commit.
  var message: ExpressionSyntax?

  /// Takes the next option; returns false if none follows.
  mutating func take(_ parser: inout StatementParser) throws(ShellError) -> Bool {
    if without.isEmpty, parser.takeIf("without") {
      without = try parser.names("a token")
    } else if message == nil, parser.takeIf("message") {
      message = try parser.expression()
    } else {
      return false
    }
    return true
  }

  func silenced(_ context: Context) throws -> [TokenTable.Entry] {
    try without.map { name in
      let record = try context.shell.tokens.record(name, context.source)
      if record.session !== context.session {
        throw context.failure(.library(.foreignToken(name.text)), at: name.span)
      }
      guard let token = record.token, token.isLive else {
        throw context.failure(.library(.deadToken(name.text)), at: name.span)
      }
      guard token.canBeSilenced else {
        throw context.failure(.library(.cannotSilence(name.text)), at: name.span)
      }
      return record
    }
  }

  /// The text that the log has about a commit.
  func text(_ context: Context) throws -> String? {
    guard let expression = message else { return nil }
    if case .value(.string(let text)) = try context.resolve(expression) { return text }
    throw context.expected("a string", at: expression.span)
  }

  /// Silenced observers end without an event.
  static func noteEnds(among silenced: [TokenTable.Entry], _ context: Context) {
    for record in silenced where !record.isLive { context.shell.tokens.noteEnd(of: record) }
  }
}
