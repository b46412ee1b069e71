import Herald

/// Parses statements from a source, one at a time: text after a mistake is not read.
///
/// `token` is the lookahead token, not yet consumed. Predicates, clauses and arithmetic belong to the query
/// language: its parser receives the bytes and an offset, and returns the offset at which it stopped.
struct StatementParser {
  /// The largest nesting depth of brackets and blocks: that of the literal of an object with 100 nested
  /// embedded objects, each in a list, and 100 nested lists and maps in the innermost one.
  static let greatestDepth = 350

  let source: Source
  var lexer: Lexer
  var token: Token
  /// The end of the token before it.
  var lastEnd: Int
  var depth = 0
  /// The notes for completion and colours; nil for scripts.
  let notes: ParserNotes?
  /// Whether the innermost open bracket is a parenthesis, in which newlines mean nothing.
  var spansLines = false

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
    let statement = try statement()
    try endStatement()
    return statement
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
    defer { depth -= 1 }
    var statements: [Statement] = []
    while true {
      let isSeparated = skipSeparators() || statements.isEmpty
      if isSign("}") { break }
      if case .end = token.kind {
        if isSeparated { note(.statement) }
        throw failure(.openBracket("{"), at: opening.span)
      }
      statements.append(try statement())
      try endStatement()
    }
    advance()
    return statements
  }

  private func endStatement() throws(ShellError) {
    if isAtEndOfStatement { return }
    if isSign("}") { throw failure(.strayBracket("}")) }
    throw expected("the end of the statement")
  }

  var isAtEndOfStatement: Bool {
    token.kind == .newline || token.kind == .end || isSign(";")
      || (depth > 0 && isSign("}"))
  }

  mutating func enter(_ opening: Token) throws(ShellError) {
    try checkDepth(at: opening.span)
    depth += 1
  }

  func checkDepth(at span: SourceSpan) throws(ShellError) {
    if depth >= StatementParser.greatestDepth {
      throw failure(.tooDeep(StatementParser.greatestDepth), at: span)
    }
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

  mutating func skipNewlines() {
    while token.kind == .newline { advance() }
  }

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
    if case .end = token.kind { note(word: word) }
    guard case .word = token.kind else { return false }
    return token.end - token.start == word.utf8CodeUnitCount
      && (0..<word.utf8CodeUnitCount).allSatisfy {
        bytes[token.start + $0] == word.utf8Start[$0]
      }
  }

  /// Whether the token is a keyword of the query language, in either case.
  func isKeyword(_ word: StaticString) -> Bool {
    isWord(word) || token.kind == .word && text.lowercased() == word.description
  }

  /// The character `distance` bytes after the beginning of the token; one beyond ASCII is not itself.
  func character(after distance: Int) -> Unicode.Scalar? {
    let place = token.start + distance
    return place < lexer.limit ? Unicode.Scalar(bytes[place]) : nil
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
    if let notes, what == "a class" { notes.note(.className, token.span) }
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
    guard case .variable = token.kind else { throw expected(what) }
    let name = Name(
      text: String(decoding: bytes[token.start + 1..<token.end], as: UTF8.self), span: token.span)
    advance()
    return name
  }

  mutating func asVariable() throws(ShellError) -> Name? {
    takeIf("as") ? try variable("a new variable") : nil
  }

  /// A row number or another count: an integer that is not negative.
  mutating func count(_ what: String) throws(ShellError) -> Int {
    guard case .number = token.kind, let number = Int(text) else { throw expected(what) }
    advance()
    return number
  }
}

// MARK: Errors

extension StatementParser {
  func failure(_ diagnostic: Diagnostic, at span: SourceSpan? = nil) -> ShellError {
    ShellError(diagnostic, source, span ?? token.span)
  }

  func expected(_ what: String) -> ShellError {
    note(.wanted(what, of: notes?.owner))
    if case .unterminated = token.kind { return failure(.unterminatedString) }
    // A character beyond ASCII that belongs to no word is a token of its whole width.
    if case .unknown = token.kind, bytes[token.start] >= 0x80, token.end == token.start + 1 {
      return failure(.invalidUTF8)
    }
    return failure(.expected(what, found: found))
  }

  /// The token in error messages.
  private var found: String {
    switch token.kind {
    case .end: token.end < bytes.count ? "the end of the block" : "the end"
    case .newline: "the end of the line"
    case .word, .variable, .number, .sign, .unterminated, .unknown: "'\(text)'"
    case .string: text.count > 40 ? "a string" : text
    }
  }
}
