import Herald

/// Parses statements from a source, one at a time: text after a mistake is not read.
///
/// `token` is the lookahead token, not yet consumed. Expressions, queries and predicates belong to the parser
/// of expressions, which receives the bytes and an offset; parsing continues where it stopped.
struct StatementParser {
  let source: Source
  var lexer: Lexer
  var token: Token
  /// The end of the token before it.
  var lastEnd: Int
  var depth = 0
  /// The number of blocks around the token.
  private(set) var openBlocks = 0
  /// Where the statements in blocks begin; nil unless they are collected.
  private var blockStatements: [Int]?
  /// The shapes of the last additions.
  private var shapes: [AdditionShape] = []
  /// The number of the source's additions in a file that have become statements.
  private var spooledCount = 0
  /// The notes for completion and colours; nil for scripts.
  let notes: ParserNotes?
  /// Whether a name stands for rows in the store, so that a statement which begins with it is a query.
  var isDeclared: (String) -> Bool = { _ in false }
  /// Whether a statement of another language is an error that says what to write here.
  var translates = true
  /// The statements that the text may have; nil for all.
  var served: ServedStatements?

  init(_ source: Source, from start: Int = 0, to limit: Int? = nil, notes: ParserNotes? = nil) {
    self.source = source
    self.notes = notes
    lexer = Lexer(source.bytes, from: start, to: limit)
    lastEnd = start
    token = lexer.next()
  }

  var bytes: [UInt8] { source.bytes }

  /// The next statement; nil at the end of the text.
  mutating func next() throws(ShellError) -> Statement? {
    skipSeparators()
    if case .end = token.kind { return nil }
    if isSign("}") { throw failure(.strayBracket("}")) }
    // The turns of the sessions end after each statement.
    return try wholeStatement(atMost: 1)
  }

  /// The statement that begins at `start`, found by its brackets.
  func extent(from start: Int) -> SourceSpan {
    var end = BracketScanner.endOfStatement(bytes, from: start, to: lexer.limit)
    while end > start, [Byte.newline, Byte.semicolon, Byte.space].contains(bytes[end - 1]) {
      end -= 1
    }
    return SourceSpan(start: start, end: end)
  }

  /// Continues after the statement that failed, which began at `start`.
  mutating func recover(from start: Int) {
    let end = BracketScanner.endOfStatement(bytes, from: start, to: lexer.limit)
    move(to: max(end, min(start + 1, lexer.limit)))
  }

  /// The statements of a block: `{` … `}`.
  mutating func block() throws(ShellError) -> [Statement] {
    let opening = token
    try take(sign: "{")
    try enter(opening)
    openBlocks += 1
    defer {
      depth -= 1
      openBlocks -= 1
    }
    var statements: [Statement] = []
    while true {
      let lastEnd = lastEnd
      let isSeparated = skipSeparators() || statements.isEmpty
      if let spooled = takeSpooled(from: lastEnd) { statements.append(spooled) }
      if isSign("}") { break }
      if case .end = token.kind {
        if isSeparated { note(.statement) }
        throw failure(.openBracket("{"), at: opening.span)
      }
      blockStatements?.append(token.start)
      statements.append(try wholeStatement())
    }
    advance()
    return statements
  }

  /// The next additions that the source keeps in a file, if they are between the last statement, which ends at `end`, and
  /// the token.
  private mutating func takeSpooled(from end: Int) -> Statement? {
    guard openBlocks == 1, spooledCount < source.spooled.count,
      case let additions = source.spooled[spooledCount],
      end <= additions.offset, additions.offset <= token.start
    else { return nil }
    spooledCount += 1
    return Statement(
      form: AddSpooledStatement(additions: additions),
      span: SourceSpan(start: additions.offset, end: additions.offset))
  }

  /// Whether all additions that the source keeps in a file have become statements.
  var hasTakenSpooled: Bool { spooledCount == source.spooled.count }

  /// The `add` statements from here on that are like an earlier one; nil if this statement must be parsed.
  private mutating func repeatedAdditions(atMost count: Int) -> Statement? {
    guard notes == nil, blockStatements == nil else { return nil }
    let start = token.start
    let limit =
      source.spooled.isEmpty
      ? lexer.limit : source.spooled.first { $0.offset > start }?.offset ?? lexer.limit
    for shape in shapes where depth <= shape.depth {
      guard
        let end = shape.endOfStatements(in: bytes, from: start, to: limit, atMost: count)
      else { continue }
      let span = SourceSpan(start: start, end: end)
      move(to: end)
      return Statement(form: AddRepeatedlyStatement(shape: shape), span: span)
    }
    return nil
  }

  /// The number of shapes that are compared with each statement.
  private static let mostShapes = 4

  /// The next statement, after which nothing stands on the line.
  private mutating func wholeStatement(atMost count: Int = .max) throws(ShellError) -> Statement {
    let start = token
    do throws(ShellError) {
      let statement = try nextStatement(atMost: count)
      try endStatement(after: start.start)
      return statement
    } catch { throw advised(error, from: start) }
  }

  /// The next statement, whose shape is noted, or at most so many additions like an earlier one.
  private mutating func nextStatement(atMost count: Int) throws(ShellError) -> Statement {
    if let additions = repeatedAdditions(atMost: count) { return additions }
    let statement = try statement()
    if notes == nil, let shape = AdditionShape(statement, bytes, depth: depth) {
      if shapes.count == Self.mostShapes { shapes.removeFirst() }
      shapes.append(shape)
    }
    return statement
  }

  /// Where the statements in the blocks of a text begin, as far as it can be parsed.
  static func blockStatements(of source: Source) -> [Int] {
    var parser = StatementParser(source)
    parser.blockStatements = []
    parser.collectStatements(areInBlock: false)
    return parser.blockStatements ?? []
  }

  private mutating func collectStatements(areInBlock: Bool) {
    while true {
      skipSeparators()
      if token.kind == .end { return }
      let start = token.start
      if areInBlock { blockStatements?.append(start) }
      do { _ = try next() } catch { recover(from: start) }
    }
  }

  /// Collects the statements of a block that is parsed when it runs.
  mutating func collectStatements(in block: SourceSpan) {
    guard blockStatements != nil else { return }
    var inner = StatementParser(source, from: block.start, to: block.end)
    inner.blockStatements = blockStatements
    inner.collectStatements(areInBlock: true)
    blockStatements = inner.blockStatements
  }

  private func endStatement(after start: Int) throws(ShellError) {
    if isAtEndOfStatement, !isAtRedirection { return }
    if isSign("}") { throw failure(.strayBracket("}")) }
    throw unexpectedRest(after: start)
  }

  var isAtEndOfStatement: Bool {
    token.kind == .newline || token.kind == .end || isSign(";")
      || (depth > 0 && isSign("}")) || isAtRedirection
  }

  /// Whether `|` or `>` follows, which take the output of a statement.
  var isAtRedirection: Bool {
    isSign(">")
      || token.kind == .unknown && sign == Unicode.Scalar(Byte.bar) && nextCharacter != "|"
  }

  mutating func enter(_ opening: Token) throws(ShellError) {
    try checkDepth(at: opening.span)
    depth += 1
  }

  func checkDepth(at span: SourceSpan) throws(ShellError) {
    let limit = ExpressionParser.statementNestingLimit
    if depth >= limit { throw failure(.tooDeep(limit), at: span) }
  }
}

// MARK: Tokens

extension StatementParser {
  mutating func advance() {
    lastEnd = token.end
    token = lexer.next()
  }

  mutating func move(to offset: Int) {
    lexer.offset = offset
    lastEnd = offset
    token = lexer.next()
  }

  mutating func skipNewlines() { while token.kind == .newline { advance() } }

  /// Returns false if there were none.
  @discardableResult
  mutating func skipSeparators() -> Bool {
    let start = token.start
    while token.kind == .newline || isSign(";") { advance() }
    return token.start != start
  }

  /// The first character of the token.
  var sign: Unicode.Scalar { Unicode.Scalar(bytes[token.start]) }

  func isSign(_ sign: Unicode.Scalar) -> Bool {
    if case .sign = token.kind { self.sign == sign } else { false }
  }

  /// Whether the token is a sign directly after the token before it.
  func isJoined(_ sign: Unicode.Scalar) -> Bool {
    isSign(sign) && token.start > 0 && !Byte.isBlank(bytes[token.start - 1])
      && bytes[token.start - 1] != Byte.newline
  }

  func isWord(_ word: StaticString) -> Bool {
    if case .end = token.kind { note(word: "\(word)") }
    guard case .word = token.kind else { return false }
    return token.end - token.start == word.utf8CodeUnitCount
      && (0..<word.utf8CodeUnitCount).allSatisfy { bytes[token.start + $0] == word.utf8Start[$0] }
  }

  /// The character `distance` bytes after the beginning of the token; one beyond ASCII is not itself.
  func character(after distance: Int) -> Unicode.Scalar? {
    let offset = token.start + distance
    return offset < lexer.limit ? Unicode.Scalar(bytes[offset]) : nil
  }

  /// The character directly after the token.
  var nextCharacter: Unicode.Scalar? { character(after: token.end - token.start) }

  var text: String { String(decoding: bytes[token.start..<token.end], as: UTF8.self) }

  mutating func take(sign: Unicode.Scalar) throws(ShellError) {
    guard isSign(sign) else { throw expected("'\(sign)'") }
    advance()
  }

  mutating func takeIf(_ word: StaticString) -> Bool {
    guard isWord(word) else { return false }
    notes?.note(.keyword, token.span)
    advance()
    return true
  }

  mutating func takeIf(sign: Unicode.Scalar) -> Bool {
    guard isSign(sign) else { return false }
    advance()
    return true
  }

  mutating func take(_ word: StaticString) throws(ShellError) {
    guard takeIf(word) else { throw expected("'\(word)'") }
  }

  /// A name: of a class, a property, a token, a session.
  mutating func name(_ what: String) throws(ShellError) -> Name {
    guard case .word = token.kind else { throw expected(what) }
    let name = Name(text: text, span: token.span)
    if let notes {
      if what == "a class" { notes.note(.className(name.text), token.span) }
      if what == "a property", let owner = notes.owner { notes.refer(to: name, of: .owner(owner)) }
    }
    advance()
    return name
  }

  mutating func names(_ what: String) throws(ShellError) -> [Name] {
    var names = [try name(what)]
    while takeIf(sign: ",") { names.append(try name(what)) }
    return names
  }

  /// A variable, without its `$`.
  mutating func variable(_ what: String = "a variable") throws(ShellError) -> Name {
    guard case .variable = token.kind else { throw expectedVariable(what) }
    let name = Name(
      text: String(decoding: bytes[token.start + 1..<token.end], as: UTF8.self), span: token.span)
    advance()
    return name
  }

  mutating func asVariable() throws(ShellError) -> Name? {
    takeIf("as") ? try variable("a new variable") : nil
  }
}

// MARK: Errors

extension StatementParser {
  func failure(_ diagnostic: Diagnostic, at span: SourceSpan? = nil) -> ShellError {
    ShellError(diagnostic, source, span ?? token.span)
  }
}

// MARK: Notes

extension StatementParser: NotingParser {
  var isAtEndOfText: Bool { token.kind == .end && token.start == bytes.count }
}
