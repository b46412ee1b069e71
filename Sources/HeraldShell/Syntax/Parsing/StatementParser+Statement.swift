import Herald

extension StatementParser {
  /// One statement, without the separator after it.
  mutating func statement() throws(ShellError) -> Statement {
    let start = token
    try enter(start)
    defer { depth -= 1 }
    notes?.owner = nil
    let kind = try statementKind()
    let statement = Statement(kind: kind, span: SourceSpan(start: start.start, end: lastEnd))
    return isAtRedirection ? try redirected(statement) : statement
  }

  private mutating func statementKind() throws(ShellError) -> Statement.Kind {
    if isSign("@") {
      advance()
      return .form(try OnSessionStatement(&self))
    }
    if let foreignStatement { throw foreignStatement }
    guard case .word = token.kind, nextCharacter != "#", let word = StatementWord(rawValue: text),
      !(continuesAsQuery(after: token.end) && isDeclared(text))
    else { return try assignmentOrExpression() }
    notes?.note(.keyword, token.span)
    let start = token.start
    advance()
    return try statementKind(word, start)
  }

  /// The rest of a statement after its keyword.
  private mutating func statementKind(
    _ word: StatementWord, _ start: Int
  ) throws(ShellError) -> Statement.Kind {
    switch word {
    case .open: .form(try Command.open.parse!(&self))
    case .close: .form(try Command.close.parse!(&self))
    case .classWord: .form(try Command.class.parse!(&self))
    case .embedded: .form(try Command.embedded.parse!(&self))
    case .projection: .form(try Command.projection.parse!(&self))
    case .schema: .form(try Command.schema.parse!(&self))
    case .add: .form(try Command.add.parse!(&self))
    case .upsert: .form(try Command.upsert.parse!(&self))
    case .new: .form(try Command.new.parse!(&self))
    case .set: .form(try Command.set.parse!(&self))
    case .delete: .form(try Command.delete.parse!(&self))
    case .letWord: .form(try Command.let.parse!(&self))
    case .append: .form(try Command.append.parse!(&self))
    case .insert: .form(try Command.insert.parse!(&self))
    case .remove: .form(try Command.remove.parse!(&self))
    case .move: .form(try Command.move.parse!(&self))
    case .clear: .form(try Command.clear.parse!(&self))
    case .write: .form(try Command.write.parse!(&self))
    case .begin: .form(try Command.begin.parse!(&self))
    case .commit: .form(try Command.commit.parse!(&self))
    case .rollback: .form(try Command.rollback.parse!(&self))
    case .observe: .form(try Command.observe.parse!(&self))
    case .follow: .form(try Command.follow.parse!(&self))
    case .tokens: .form(try Command.tokens.parse!(&self))
    case .events: .form(try Command.events.parse!(&self))
    case .invalidate: .form(try Command.invalidate.parse!(&self))
    case .why: .form(try Command.why.parse!(&self))
    case .refresh: .form(try Command.refresh.parse!(&self))
    case .autorefresh: .form(try Command.autorefresh.parse!(&self))
    case .sessions: .form(try Command.sessions.parse!(&self))
    case .session: .form(try Command.session.parse!(&self))
    case .show: try show()
    case .count: try count()
    case .group: .showGroups(try groups(from: start))
    case .explain: .form(try Command.explain.parse!(&self))
    case .print: .print(try valuesOrTests())
    case .mode: .mode(try outputMode())
    case .details: .form(try Command.details.parse!(&self))
    case .timing: .timing(try onOrOff())
    case .help: .help(try helpWord())
    case .history: .history
    case .tour: .tour
    case .expect: .expect(try expectation())
    case .ifWord: try condition()
    case .forWord: try loop()
    case .read: .read(try path())
    case .importWord: try importing()
    case .export: try exporting()
    case .dump: .dump(of: try pastVersion(), to: try dumpPath())
    case .quit, .exit: .quit
    case .alter: .form(try Command.alter.parse!(&self))
    case .define: .form(try Command.define.parse!(&self))
    case .drop: .form(try Command.drop.parse!(&self))
    case .watch: .form(try Command.watch.parse!(&self))
    case .check: .form(try Command.check.parse!(&self))
    case .backup: .form(try Command.backup.parse!(&self))
    case .readers: .form(try Command.readers.parse!(&self))
    case .compact: .form(try Command.compact.parse!(&self))
    case .alias: try alias()
    case .unalias: try unalias()
    case .edit: try edit()
    case .log: .form(try Command.log.parse!(&self))
    case .version: .form(try Command.version.parse!(&self))
    case .keep: .form(try Command.keep.parse!(&self))
    case .diff: .form(try Command.diff.parse!(&self))
    case .undo: .form(try Command.undo.parse!(&self))
    case .redo: .form(try Command.redo.parse!(&self))
    case .status: .form(try Command.status.parse!(&self))
    }
  }

  /// The error for `\q`, `.tables`, `?` and other commands of other shells; nil if there is none.
  private var foreignStatement: ShellError? {
    guard token.start < lexer.limit, StatementParser.foreignSigns.contains(bytes[token.start])
    else {
      return nil
    }
    if let statement = statementOfHabit(at: token.span) { return statement }
    let isWord = bytes[token.start] != Byte.question
    var end = token.start + 1
    while isWord, end < lexer.limit, Byte.isNamePart(bytes[end]) || bytes[end] == Byte.question {
      end += 1
    }
    let span = SourceSpan(start: token.start, end: end)
    let word = source.text(isWord ? SourceSpan(start: token.start + 1, end: end) : span)
    let nearest = word.isEmpty ? nil : StatementWord.nearest(to: word)
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
    if case .string = token.kind {
      return Name(text: source.filePath(try string()), span: span)
    }
    if case .unterminated = token.kind { throw expected("a file") }
    var end = token.start
    while end < lexer.limit, !Byte.isBlank(bytes[end]), bytes[end] != Byte.newline,
      bytes[end] != Byte.semicolon, bytes[end] != Byte.closeBrace
    {
      end += 1
    }
    guard end > token.start, let text = String(validating: bytes[token.start..<end], as: UTF8.self)
    else { throw expected("a file") }
    move(to: end)
    return Name(text: source.filePath(text), span: SourceSpan(start: span.start, end: end))
  }
}

extension StatementParser {
  /// `group Dog by breed { n: @count } sort(n desc)`; nil if the next word is not `group` before a query, since a class
  /// may have that name.
  mutating func group() throws(ShellError) -> GroupSyntax? {
    guard isWord("group") else { return nil }
    let start = token
    var ahead = Lexer(bytes, from: token.end, to: lexer.limit)
    let next = ahead.next()
    let isQuery =
      switch next.kind {
      case .variable: true
      case .word: !StatementParser.clauses.contains(source.text(next.span))
      case .sign: bytes[next.start] == Byte.openParenthesis
      case .string, .number, .newline, .end, .unterminated, .unknown: false
      }
    guard isQuery else { return nil }
    notes?.note(.keyword, token.span)
    advance()
    return try groups(from: start.start)
  }

  mutating func count() throws(ShellError) -> Statement.Kind {
    if let group = try group() { return .countGroups(group) }
    return .count(try expression())
  }

  mutating func groups(from start: Int) throws(ShellError) -> GroupSyntax {
    try parsed { (parser) throws(QueryError) in try parser.group(from: start) }
  }

  /// The words that follow the name of a class.
  private static let clauses: Set = [
    "where", "sort", "distinct", "limit", "offset", "as", "on", "do",
  ]
}
