import Herald

extension StatementParser {
  /// One statement, without the separator after it.
  mutating func statement() throws(ShellError) -> Statement {
    let start = token
    try enter(start)
    defer { depth -= 1 }
    notes?.owner = nil
    let form = try form()
    let statement = Statement(form: form, span: SourceSpan(start: start.start, end: lastEnd))
    guard isAtRedirection else { return statement }
    if served != nil { throw failure(.notServed(source.text(token.span)), at: token.span) }
    let redirected = try RedirectedStatement(statement, &self)
    return Statement(form: redirected, span: SourceSpan(start: start.start, end: lastEnd))
  }

  private mutating func form() throws(ShellError) -> any StatementForm {
    if isSign("@") {
      if served != nil { throw failure(.notServed("@"), at: token.span) }
      advance()
      return try OnSessionStatement(&self)
    }
    if let foreignStatement { throw foreignStatement }
    guard case .word = token.kind, nextCharacter != "#",
      let command = StatementTable.command(named: text),
      !(continuesAsQuery(after: token.end) && isDeclared(text))
    else {
      let form = try assignmentOrExpression()
      if served?.allowAssignments ?? true || form is BareStatement || form is ShowStatement {
        return form
      }
      throw failure(.notServed("="), at: token.span)
    }
    if let served, !served.allow(text) { throw failure(.notServed(text), at: token.span) }
    notes?.note(.keyword, token.span)
    advance()
    return try command.parse(&self)
  }

  /// The error for `\q`, `.tables`, `?` and other commands of other shells; nil if there is none.
  private var foreignStatement: ShellError? {
    guard token.start < lexer.limit, StatementParser.foreignSigns.contains(bytes[token.start])
    else { return nil }
    if let statement = statementOfHabit(at: token.span) { return statement }
    let isWord = bytes[token.start] != Byte.question
    var end = token.start + 1
    while isWord, end < lexer.limit, Byte.isNamePart(bytes[end]) || bytes[end] == Byte.question {
      end += 1
    }
    let span = SourceSpan(start: token.start, end: end)
    let word = source.text(isWord ? SourceSpan(start: token.start + 1, end: end) : span)
    let nearest = word.isEmpty ? nil : StatementTable.nearest(to: word)
    return nearest.map { failure(.unknownStatement(source.text(span), nearest: $0), at: span) }
  }

  static let foreignSigns = [Byte.backslash, Byte.dot, Byte.colon, Byte.question]

  mutating func onOrOff() throws(ShellError) -> Bool {
    if takeIf("on") { return true }
    if takeIf("off") { return false }
    throw expected("'on' or 'off'")
  }

  /// An optional `path` at the end of a statement.
  mutating func optionalPath(_ what: String) throws(ShellError) -> Name? {
    guard isAtEndOfStatement else { return try path() }
    note(.expected(what, of: nil))
    return nil
  }

  /// The path of a file: bare up to the next blank, or a string.
  mutating func path() throws(ShellError) -> Name {
    let span = token.span
    if case .string = token.kind { return Name(text: source.filePath(try string()), span: span) }
    let word = try bareWord("a file")
    return Name(text: source.filePath(word.text), span: word.span)
  }

  /// What is written up to the next blank.
  mutating func bareWord(_ what: String) throws(ShellError) -> Name {
    let start = token.start
    if case .unterminated = token.kind { throw expected(what) }
    var end = token.start
    while end < lexer.limit, !Byte.isBlank(bytes[end]), bytes[end] != Byte.newline,
      bytes[end] != Byte.semicolon, bytes[end] != Byte.closeBrace
    {
      end += 1
    }
    guard end > token.start, let text = String(validating: bytes[token.start..<end], as: UTF8.self)
    else { throw expected(what) }
    move(to: end)
    return Name(text: text, span: SourceSpan(start: start, end: end))
  }
}

extension StatementParser {
  /// `group Dog by breed { n: @count } sort(n desc)`; nil if the next word is not `group` before a query, since a class
  /// may have that name.
  mutating func group() throws(ShellError) -> GroupSyntax? {
    let start = token
    return takeIfQueryFollows("group") ? try groups(from: start.start) : nil
  }

  /// Takes a word that begins what is made of a query; returns false if it is not there, or is the name of a class.
  mutating func takeIfQueryFollows(_ word: StaticString) -> Bool {
    guard isWord(word) else { return false }
    var ahead = Lexer(bytes, from: token.end, to: lexer.limit)
    let next = ahead.next()
    let isQuery =
      switch next.kind {
      case .variable: true
      case .word: !StatementParser.clauses.contains(source.text(next.span))
      case .sign: bytes[next.start] == Byte.openParenthesis
      case .string, .number, .newline, .end, .unterminated, .unknown: false
      }
    guard isQuery else { return false }
    notes?.note(.keyword, token.span)
    advance()
    return true
  }

  mutating func groups(from start: Int) throws(ShellError) -> GroupSyntax {
    try parsed { (parser) throws(QueryError) in try parser.group(from: start) }
  }

  /// The words that follow the name of a class.
  private static let clauses = Set(QueryParser.clauses + ["as", "on", "do"])
}
