/// The state of the parser: the lexer, one token of lookahead, the depth of nesting.
struct PredicateParser {
  /// Deeper nesting is an error, so that no text can exhaust the stack.
  static let nestingLimit = 100

  var lexer: Lexer
  /// The number of open brackets of the query, in which a newline does not end it.
  private var openBrackets: Int
  private var lookahead: QueryToken?
  private var nesting = 0
  /// The offset after the last consumed token.
  private(set) var lastEnd: Int
  /// Notes for completion and highlighting; nil if neither is needed.
  let notes: QueryNotes?

  init(
    _ source: [UInt8], from offset: Int, spansLines: Bool = false, notes: QueryNotes? = nil
  ) {
    lexer = Lexer(source, from: max(0, min(offset, source.count)))
    openBrackets = spansLines ? 1 : 0
    self.notes = notes
    lastEnd = lexer.offset
  }

  var spansLines: Bool { openBrackets > 0 }

  mutating func peek() throws(QueryError) -> QueryToken {
    if let lookahead { return lookahead }
    let token = try lexer.nextOfQuery(spansLines: spansLines)
    lookahead = token
    return token
  }

  @discardableResult
  mutating func advance() throws(QueryError) -> QueryToken {
    let token = try peek()
    if case .symbol(let symbol) = token.kind {
      if symbol.opensBracket { openBrackets += 1 }
      if symbol.closesBracket { openBrackets = max(0, openBrackets - 1) }
    }
    moveTo(token.span.end)
    return token
  }

  /// Moves the position to the end of text that was read without tokens.
  mutating func moveTo(_ end: Int) {
    lookahead = nil
    lexer.offset = end
    lastEnd = end
  }

  mutating func peeks(_ symbol: QuerySymbol) throws(QueryError) -> Bool {
    try peek().kind == .symbol(symbol)
  }

  mutating func take(_ symbol: QuerySymbol) throws(QueryError) -> Bool {
    guard try peeks(symbol) else { return false }
    try advance()
    return true
  }

  mutating func expect(_ symbol: QuerySymbol) throws(QueryError) {
    guard try take(symbol) else { throw try expected("'\(symbol.rawValue)'") }
  }

  mutating func peekKeyword() throws(QueryError) -> QueryKeyword? {
    guard case .word(let word) = try peek().kind else { return nil }
    return QueryKeyword(word: word)
  }

  mutating func take(_ keyword: QueryKeyword) throws(QueryError) -> Bool {
    guard try peekKeyword() == keyword else {
      note(keyword)
      return false
    }
    try noteKeyword()
    try advance()
    return true
  }

  /// Returns the token after the next one, without consuming either.
  func tokenAfterNext() throws(QueryError) -> QueryToken {
    var scout = self
    try scout.advance()
    return try scout.peek()
  }

  /// Returns the error that the next token is not the expected one.
  mutating func expected(_ what: String) throws(QueryError) -> QueryError {
    let token = try peek()
    let found = token.kind == .end ? "the end" : "'\(lexer.text(token.span))'"
    return QueryError(.expected(what, found: found), token.span)
  }

  mutating func nested<T>(
    _ parse: (inout PredicateParser) throws(QueryError) -> T
  ) throws(QueryError) -> T {
    nesting += 1
    defer { nesting -= 1 }
    guard nesting <= PredicateParser.nestingLimit else {
      throw QueryError(.tooDeep(limit: PredicateParser.nestingLimit), try peek().span)
    }
    return try parse(&self)
  }

  /// Parses `( item, item )`: one or more.
  mutating func parenthesizedList<T>(
    _ item: (inout PredicateParser) throws(QueryError) -> T
  ) throws(QueryError) -> [T] {
    try expect(.leftParenthesis)
    var items = [try item(&self)]
    while try take(.comma) { items.append(try item(&self)) }
    try expect(.rightParenthesis)
    return items
  }
}
