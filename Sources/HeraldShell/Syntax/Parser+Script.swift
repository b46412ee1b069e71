import Herald

extension Parser {
  mutating func outputStatement(_ word: StatementWord) throws(ShellError) -> Statement.Kind {
    switch word {
    case .show: return .show(try expression())
    case .count: return .count(try expression())
    case .print: return .print(try expressions())
    case .mode:
      if takeIf("text") { return .mode(.text) }
      if takeIf("json") { return .mode(.json) }
      throw expected("'text' or 'json'")
    case .help:
      guard token.kind == .word || isSign(Byte.at) else { return .help(nil) }
      if isSign(Byte.at) {
        let name = Name(text: "@", span: token.span)
        advance()
        return .help(name)
      }
      return .help(try name("a word"))
    default: throw expected("a statement")
    }
  }

  mutating func scriptStatement(_ word: StatementWord) throws(ShellError) -> Statement.Kind {
    switch word {
    case .expect: return .expect(try expectation())
    case .ifWord: return try condition()
    case .read: return .read(try path())
    case .importWord:
      let path = try path()
      try take("into")
      return .importFile(path, into: try name("a class"))
    case .quit: return .quit
    default: throw expected("a statement")
    }
  }

  private mutating func condition() throws(ShellError) -> Statement.Kind {
    let predicate = try predicate().syntax
    let then = try block()
    var otherwise: [Statement] = []
    let end = (lexer, token, lastEnd)
    skipNewlines()
    if takeIf("else") {
      otherwise = isWord("if") ? [try statement()] : try block()
    } else {
      (lexer, token, lastEnd) = end
    }
    return .condition(predicate, then: then, otherwise: otherwise)
  }

  private mutating func expectation() throws(ShellError) -> Expectation {
    if isWord("nothing"), isLastOfStatement(after: token.end) {
      advance()
      return .nothing
    }
    if isWord("error") {
      let start = token
      advance()
      if token.kind == .string { return try expectedError() }
      move(to: start.start)
    }
    if token.kind == .word {
      let start = token
      let name = try name("a token")
      if let event = try expectedEvent() { return .event(token: name, event) }
      move(to: start.start)
    }
    return .predicate(try predicate().syntax)
  }

  private func isLastOfStatement(after place: Int) -> Bool {
    var ahead = Lexer(bytes, from: place, to: lexer.limit)
    let token = ahead.next()
    switch token.kind {
    case .newline, .end: return true
    case .sign:
      return bytes[token.start] == Byte.semicolon || bytes[token.start] == Byte.closeBrace
    case .word, .variable, .string, .number, .unterminated, .unknown: return false
    }
  }

  private mutating func expectedError() throws(ShellError) -> Expectation {
    let message = try string()
    let opening = token
    guard isSign(Byte.openBrace) else { throw expected("'{'") }
    guard let end = BracketScanner.endOfBlock(bytes, from: opening.start, to: lexer.limit) else {
      throw failure(.openBracket("{"))
    }
    move(to: end)
    advance()
    return .error(message, block: SourceSpan(start: opening.end, end: end))
  }
}
