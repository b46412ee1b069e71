/// A query's tokens: those of a statement, with operators of two characters, and with dates and notations
/// of numbers that a statement leaves to the query language.
extension Lexer {
  /// Returns the byte `distance` after the offset; 0 beyond the end.
  func byte(_ distance: Int = 0) -> UInt8 {
    offset + distance < limit ? bytes[offset + distance] : 0
  }

  /// Whether a byte is at an offset.
  func begins(_ byte: UInt8, at offset: Int) -> Bool { offset < limit && bytes[offset] == byte }

  func text(_ span: SourceSpan) -> String {
    String(decoding: bytes[span.start..<span.end], as: UTF8.self)
  }

  /// Consumes and returns the next token of a query; its span starts after white space.
  ///
  /// - Parameter spansLines: whether a newline is white space, as within brackets; otherwise it is the end.
  mutating func nextOfQuery(spansLines: Bool) throws(QueryError) -> QueryToken {
    skipSpace(spansLines: spansLines)
    let token = next()
    let kind = try queryKind(of: token)
    return QueryToken(kind: kind, span: SourceSpan(start: token.start, end: offset))
  }

  private mutating func queryKind(of token: Token) throws(QueryError) -> QueryToken.Kind {
    switch token.kind {
    case .newline, .end:
      offset = token.start
      return .end
    case .word:
      if let date = try instant(from: token.start) { return .date(date) }
      return .word(QueryKeyword(bytes[token.start..<token.end]))
    case .variable: return .variable
    case .string: return .string
    case .unterminated: throw QueryError(.unterminatedString, token.span)
    case .number:
      if byte() == Byte.minus, let date = try date(from: token.start) { return .date(date) }
      if continuesNumber { skipQueryNumber(from: token.start) }
      return .number
    case .sign, .unknown: return try symbol(token)
    }
  }

  /// Skips blanks and comments, and newlines if `spansLines`.
  mutating func skipSpace(spansLines: Bool) {
    skipBlanks()
    while spansLines, byte() == Byte.newline {
      offset += 1
      skipBlanks()
    }
  }

  private mutating func symbol(_ token: Token) throws(QueryError) -> QueryToken.Kind {
    let start = token.start
    if bytes[start] == Byte.dot, Byte.isDigit(byte()) {
      skipQueryNumber(from: start)
      return .number
    }
    if bytes[start] == Byte.greater, beginsPath(afterBlanksAt: offset) { return .other }
    if let (symbol, length) = QuerySymbol.first(bytes[start], byte()) {
      offset = start + length
      return .symbol(symbol)
    }
    if bytes[start] >= 0x80, token.end == start + 1 { throw QueryError(.invalidUTF8, token.span) }
    return .other
  }

  /// Whether the path of a file follows in quotes: `"/x"`, `"./x"`.
  func beginsPathInQuotes(after position: Int) -> Bool {
    let start = endOfBlanks(from: position)
    return start < limit
      && (bytes[start] == Byte.doubleQuote || bytes[start] == Byte.singleQuote)
      && beginsPath(afterBlanksAt: start + 1)
  }

  /// Whether the bare path of a file follows, which cannot begin a value: `/x`, `./x`, `../x`, `~/x`.
  func beginsPath(afterBlanksAt position: Int) -> Bool {
    let rest = bytes[endOfBlanks(from: position)..<limit]
    return rest.first == Byte.slash
      || ["./", "../", "~/"].contains { rest.starts(with: $0.utf8) }
  }

  private func endOfBlanks(from position: Int) -> Int {
    var position = position
    while position < limit, Byte.isBlank(bytes[position]) { position += 1 }
    return position
  }
}

extension QuerySymbol {
  /// Returns the symbol that two bytes begin, and its length; nil if there is none.
  fileprivate static func first(
    _ byte: UInt8, _ next: UInt8
  ) -> (symbol: QuerySymbol, length: Int)? {
    switch (byte, next) {
    case (Byte.equals, Byte.equals): (.equal, 2)
    case (Byte.equals, Byte.greater): (.greaterOrEqual, 2)
    case (Byte.equals, Byte.less): (.lessOrEqual, 2)
    case (Byte.equals, _): (.equal, 1)
    case (Byte.exclamation, Byte.equals): (.notEqual, 2)
    case (Byte.exclamation, _): (.not, 1)
    case (Byte.less, Byte.greater): (.notEqual, 2)
    case (Byte.less, Byte.equals): (.lessOrEqual, 2)
    case (Byte.less, _): (.less, 1)
    case (Byte.greater, Byte.equals): (.greaterOrEqual, 2)
    case (Byte.greater, _): (.greater, 1)
    case (Byte.ampersand, Byte.ampersand): (.and, 2)
    case (Byte.bar, Byte.bar): (.or, 2)
    case (Byte.openParenthesis, _): (.leftParenthesis, 1)
    case (Byte.closeParenthesis, _): (.rightParenthesis, 1)
    case (Byte.openBrace, _): (.leftBrace, 1)
    case (Byte.closeBrace, _): (.rightBrace, 1)
    case (Byte.openBracket, _): (.leftBracket, 1)
    case (Byte.closeBracket, _): (.rightBracket, 1)
    case (Byte.comma, _): (.comma, 1)
    case (Byte.plus, _): (.plus, 1)
    case (Byte.minus, _): (.minus, 1)
    case (Byte.star, _): (.star, 1)
    case (Byte.slash, _): (.slash, 1)
    case (Byte.percent, _): (.percent, 1)
    case (Byte.at, _): (.at, 1)
    case (Byte.question, Byte.question): (.fallback, 2)
    case _: nil
    }
  }
}
