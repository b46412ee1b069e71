import Herald

extension StatementParser {
  mutating func outputMode() throws(ShellError) -> OutputMode {
    if takeIf("text") { return .text }
    if takeIf("line") { return .line }
    if takeIf("csv") { return .csv }
    if takeIf("markdown") { return .markdown }
    if takeIf("json") { return .json }
    if takeIf("jsonl") { return .jsonl }
    throw expected("'text', 'line', 'csv', 'markdown', 'json' or 'jsonl'")
  }

  /// All that follows on the line, as it was typed: a topic may have several words.
  mutating func helpWord() throws(ShellError) -> Name? {
    if isAtEndOfStatement {
      note(.expected("a word", of: nil))
      return nil
    }
    let start = token.start
    while !isAtEndOfStatement { advance() }
    let span = SourceSpan(start: start, end: lastEnd)
    let text = source.text(span)
    if text == "()" { return nil }
    if isNoted {
      for topic in HelpText.topics where topic.hasPrefix(text + " ") {
        note(.word(String(topic.dropFirst(text.utf8.count + 1)), given: nil))
      }
    }
    // Quotes around a topic of several words are as good as none.
    let unquoted = text.count > 2 && text.first == text.last && "\"'".contains(text.prefix(1))
    return Name(text: unquoted ? String(text.dropFirst().dropLast()) : text, span: span)
  }

  /// nil if the statement ends here.
  mutating func optionalName(_ what: String) throws(ShellError) -> Name? {
    note(.expected(what, of: nil))
    return token.kind == .word ? try name(what) : nil
  }

  /// `show Dog where age > 3`, `show Dog { name, age * 7 as dogYears }`
  mutating func show() throws(ShellError) -> Statement.Kind {
    if let group = try group() { return .showGroups(group) }
    let expression = try expression()
    return try columns(of: expression) ?? .show(expression)
  }

  /// The columns after a query or a collection; nil if there are none.
  mutating func columns(of expression: ExpressionSyntax) throws(ShellError) -> Statement.Kind? {
    guard isSign("{"), var query = expression.query else { return nil }
    let columns = try columns(of: query.origin)
    if query.version == nil { query.version = try pastVersion() }
    return .showColumns(query, columns)
  }

  /// Empty if no brace follows.
  mutating func columns(of origin: QuerySyntax.Origin) throws(ShellError) -> [ColumnSyntax] {
    guard isSign("{") else { return [] }
    let columns = try parsed { (parser) throws(QueryError) in try parser.columns(of: origin) }
    var names: Set<String> = []
    for column in columns where !names.insert(column.name.text).inserted {
      throw failure(.duplicateEntry(column.name.text), at: column.name.span)
    }
    return columns
  }

  mutating func dumpPath() throws(ShellError) -> Name? { takeIf("to") ? try path() : nil }

  mutating func condition() throws(ShellError) -> Statement.Kind {
    let predicate = try predicate()
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

  /// `for $x in Dog where age > 3 {…}`, `for $g in group Dog by breed { n: @count } {…}`
  mutating func loop() throws(ShellError) -> Statement.Kind {
    let name = try variable("a new variable")
    try take("in")
    if let group = try group() {
      notes?.loops.append((name.text, nil))
      defer { notes?.loops.removeLast() }
      return .loopGroups(name, group, try block())
    }
    let elements = try expression()
    notes?.loops.append((name.text, elements))
    defer { notes?.loops.removeLast() }
    return .loop(name, elements, try block())
  }

  mutating func expectation() throws(ShellError) -> Expectation {
    note(.expected("a token", of: nil))
    if isWord("nothing"), isLastOfStatement(after: token.end) {
      advance()
      return .nothing
    }
    if isWord("error") {
      let start = token
      advance()
      if case .string = token.kind { return try expectedError() }
      move(to: start.start)
    }
    if case .word = token.kind {
      let start = token
      let name = try name("a token")
      notes?.condition = .isToken(name.text)
      defer { notes?.condition = nil }
      if let event = try expectedEvent() { return .event(token: name, event) }
      move(to: start.start)
    }
    return .predicate(try predicate())
  }

  private func isLastOfStatement(after offset: Int) -> Bool {
    var ahead = Lexer(bytes, from: offset, to: lexer.limit)
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
    guard isSign("{") else { throw expected("'{'") }
    guard let end = BracketScanner.endOfBlock(bytes, from: opening.start, to: lexer.limit) else {
      throw failure(.openBracket("{"))
    }
    let block = SourceSpan(start: opening.end, end: end)
    collectStatements(in: block)
    move(to: end)
    advance()
    return .error(message, block: block, depth: depth + 1)
  }
}

extension ExpressionSyntax {
  /// The expression as a query, if it can be one.
  fileprivate var query: QuerySyntax? {
    switch kind {
    case .query(let query): query
    case .path(let path): QuerySyntax(origin: .path(path), tail: nil, span: span)
    case .literal, .list, .arithmetic, .subquery, .measured, .record, .generated, .test,
      .projection:
      nil
    }
  }
}

extension StatementParser {
  /// `alias ll = show Dog sort(name)`, `alias`, `alias ll`.
  mutating func alias() throws(ShellError) -> Statement.Kind {
    note(.expected("an alias", of: nil))
    if isAtEndOfStatement { return .listAliases(nil) }
    let name = try name("a name")
    if isAtEndOfStatement {
      note(.expected("'='", of: nil))
      return .listAliases(name)
    }
    try take(sign: "=")
    guard !isAtEndOfStatement else { throw expected("a statement") }
    let span = extent(from: token.start)
    if notes != nil {
      // The text may be the beginning of a statement: only what it expects is of interest.
      var inner = self
      _ = try? inner.statement()
    }
    move(to: span.end)
    return .setAlias(name, source.text(span))
  }

  mutating func unalias() throws(ShellError) -> Statement.Kind {
    .removeAlias(try name("an alias"))
  }

  mutating func edit() throws(ShellError) -> Statement.Kind {
    .edit(try optionalName("an alias, a query or a projection"))
  }
}
