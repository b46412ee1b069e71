/// The parser of expressions: of operands and conditions of queries, and of the values, queries and paths
/// in statements. The functions of an extension say what they parse; its state is the lexer, one token of
/// lookahead and the depth of nesting.
package struct ExpressionParser {
  /// What words and brackets mean at a position.
  enum Grammar {
    /// In an operand or a condition, a word is a property of the object under evaluation, `{…}` is a
    /// list, and subscripts are constants or variables.
    case query
    /// In a statement, a word is a class, `{…}` is a record, and a subscript is any value.
    case statement
  }

  /// Deeper nesting in a query is an error, so that no text can exhaust the stack.
  static let nestingLimit = 100
  /// The largest nesting depth of brackets and blocks in statements: that of the literal of an object with
  /// 100 nested embedded objects, each in a list, and 100 nested lists and maps in the innermost one.
  package static let statementNestingLimit = 350

  var lexer: Lexer
  private(set) var grammar: Grammar
  /// The number of open brackets in which a newline ends neither a query nor a value.
  private var openBrackets: Int
  private var lookahead: QueryToken?
  private var nesting: Int
  /// Whether this is a condition of a statement, about no object: a Boolean needs no operator there.
  private(set) var isWithoutRoot = false
  /// The left side of a first comparison that begins with its operator.
  var impliedLeft: ExpressionSyntax?
  /// What the rows are of, in values that may read these; nil elsewhere.
  var rowOrigin: QuerySyntax.Origin?
  /// Whether `in $f` after a path may be a test, and so is no version.
  var maySucceedAsTest = false
  /// The number of enclosing queries in operands, each of which has a depth of nesting of its own.
  private var enclosingQueries = 0
  /// The offset after the last consumed token.
  package private(set) var lastEnd: Int
  /// Notes for completion and highlighting; nil if neither is needed.
  package let notes: ParserNotes?

  /// A parser of a query.
  init(query source: [UInt8], from offset: Int, spansLines: Bool) {
    lexer = Lexer(source, from: max(0, min(offset, source.count)))
    grammar = .query
    openBrackets = spansLines ? 1 : 0
    nesting = 0
    notes = nil
    lastEnd = lexer.offset
  }

  /// A parser of what stands in a statement at `offset`, at a depth of brackets and blocks.
  package init(
    statement source: [UInt8], from offset: Int, to limit: Int, depth: Int, notes: ParserNotes?
  ) {
    lexer = Lexer(source, from: offset, to: limit)
    grammar = .statement
    openBrackets = 0
    nesting = depth
    self.notes = notes
    lastEnd = offset
  }

  var spansLines: Bool { openBrackets > 0 }
}

// MARK: Tokens

extension ExpressionParser {
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

  func text(of token: QueryToken) -> String { lexer.text(token.span) }

  /// The name of a variable, without the dollar sign.
  func name(ofVariable span: SourceSpan) -> String {
    lexer.text(SourceSpan(start: span.start + 1, end: span.end))
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
    if case .word(let keyword) = try peek().kind { keyword } else { nil }
  }

  /// - Parameter isOffered: whether the keyword is completed where the text ends.
  mutating func take(
    _ keyword: QueryKeyword, isOffered: Bool = true
  ) throws(QueryError) -> Bool {
    guard try peekKeyword() == keyword else {
      if isOffered { note(keyword) }
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

  /// The offset of the next token.
  mutating func nextOffset() -> Int {
    if let lookahead { return lookahead.span.start }
    lexer.skipSpace(spansLines: spansLines)
    return lexer.offset
  }

  /// The first byte of the next token; nil at the end of the text.
  mutating func nextByte() -> UInt8? {
    let offset = nextOffset()
    return offset < lexer.limit ? lexer.bytes[offset] : nil
  }

  /// The next token as statements have it, which is neither a date nor an operator of two characters.
  mutating func nextPlainToken() -> Token {
    var scout = lexer
    scout.offset = nextOffset()
    return scout.next()
  }
}

// MARK: Nesting

extension ExpressionParser {
  mutating func nested<T>(
    _ parse: (inout ExpressionParser) throws(QueryError) -> T
  ) throws(QueryError) -> T {
    nesting += 1
    defer { nesting -= 1 }
    switch grammar {
    case .query where nesting > ExpressionParser.nestingLimit:
      throw QueryError(.tooDeep(limit: ExpressionParser.nestingLimit), try peek().span)
    case .statement where nesting > ExpressionParser.statementNestingLimit:
      throw QueryError(
        .bracketsTooDeep(limit: ExpressionParser.statementNestingLimit), try peek().span)
    case .query, .statement: return try parse(&self)
    }
  }

  /// Parses a part of a query, or a query in a statement, which has a depth of nesting of its own.
  ///
  /// - Parameter origin: what the query in a statement is about; nil if there is no such object.
  mutating func query<T>(
    of origin: QuerySyntax.Origin? = nil,
    _ parse: (inout ExpressionParser) throws(QueryError) -> T
  ) throws(QueryError) -> T {
    guard grammar == .statement else { return try parse(&self) }
    let depth = nesting
    let origin = origin ?? rowOrigin
    (grammar, nesting, isWithoutRoot) = (.query, 0, origin == nil)
    notes?.beginQuery(of: origin)
    defer { (grammar, nesting, isWithoutRoot) = (.statement, depth, false) }
    return try parse(&self)
  }

  /// Parses a query within a query, as statements have it.
  mutating func queryInOperand(
    _ parse: (inout ExpressionParser) throws(QueryError) -> QuerySyntax
  ) throws(QueryError) -> QuerySyntax {
    guard grammar == .query else { return try parse(&self) }
    guard enclosingQueries < 10 else { throw QueryError(.tooDeep(limit: 10), try peek().span) }
    let (depth, isWithoutRoot, context) = (nesting, isWithoutRoot, notes?.queryContext)
    (grammar, enclosingQueries) = (.statement, enclosingQueries + 1)
    defer {
      (grammar, nesting, self.isWithoutRoot) = (.query, depth, isWithoutRoot)
      enclosingQueries -= 1
      if let context { notes?.queryContext = context }
    }
    return try parse(&self)
  }

  /// Parses a part of a query about objects of its own, as a SUBQUERY has them.
  mutating func withRoot<T>(
    _ parse: (inout ExpressionParser) throws(QueryError) -> T
  ) throws(QueryError) -> T {
    let outer = isWithoutRoot
    isWithoutRoot = false
    defer { isWithoutRoot = outer }
    return try parse(&self)
  }

  /// Parses text within brackets in which newlines count, even if these brackets stand in others.
  mutating func separatedByLines<T>(
    _ parse: (inout ExpressionParser) throws(QueryError) -> T
  ) throws(QueryError) -> T {
    let outer = openBrackets
    openBrackets = 0
    defer { openBrackets = outer }
    return try parse(&self)
  }

  /// Parses `( item, item )`: one or more.
  mutating func parenthesizedList<T>(
    _ item: (inout ExpressionParser) throws(QueryError) -> T
  ) throws(QueryError) -> [T] {
    try expect(.leftParenthesis)
    var items = [try item(&self)]
    while try take(.comma) { items.append(try item(&self)) }
    try expect(.rightParenthesis)
    return items
  }
}

// MARK: Errors

extension ExpressionParser {
  /// Returns the error that the next token is not the expected one.
  package mutating func expected(_ what: String) throws(QueryError) -> QueryError {
    switch grammar {
    case .query:
      let token = try peek()
      return QueryError(.expected(what, found: described(token)), token.span)
    case .statement:
      note(.expected(what, of: notes?.owner))
      let token = nextPlainToken()
      if token.kind == .unterminated { return QueryError(.unterminatedString, token.span) }
      // A character beyond ASCII that belongs to no word is a token of its whole width.
      if token.kind == .unknown, lexer.bytes[token.start] >= 0x80, token.end == token.start + 1 {
        return QueryError(.invalidUTF8, token.span)
      }
      return QueryError(.expected(what, found: described(token)), token.span)
    }
  }

  /// The token of a query in error messages. A block of a statement ends at its bracket.
  func described(_ token: QueryToken) -> String {
    guard token.kind == .end else { return "'\(text(of: token))'" }
    let isBlock = token.span.start == lexer.limit && lexer.limit < lexer.bytes.count
    return isBlock
      ? "'\(lexer.text(SourceSpan(start: lexer.limit, end: lexer.limit + 1)))'" : "the end"
  }

  /// The token of a statement in error messages.
  private func described(_ token: Token) -> String {
    let text = lexer.text(token.span)
    return switch token.kind {
    case .end: token.end < lexer.bytes.count ? "the end of the block" : "the end"
    case .newline: "the end of the line"
    case .word, .variable, .number, .sign, .unterminated, .unknown: "'\(text)'"
    case .string: text.count > 40 ? "a string" : text
    }
  }
}
