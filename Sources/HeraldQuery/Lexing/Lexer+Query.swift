/// A query's tokens: those of a statement, with operators of two characters, and with dates and notations
/// of numbers that a statement leaves to the query language.
extension Lexer {
  /// Returns the byte `distance` after the offset; 0 beyond the end.
  func byte(_ distance: Int = 0) -> UInt8 {
    offset + distance < limit ? bytes[offset + distance] : 0
  }

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
      return .word(text(token.span))
    case .variable: return .variable(text(SourceSpan(start: token.start + 1, end: token.end)))
    case .string: return .string(try queryText(of: token))
    case .unterminated: throw QueryError(.unclosedString, token.span)
    case .number:
      if let date = try date(from: token.start) { return .date(date) }
      skipQueryNumber(from: token.start)
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
    for (spelling, symbol) in querySymbolSpellings where bytes[start...].starts(with: spelling) {
      offset = start + spelling.count
      return .symbol(symbol)
    }
    if bytes[start] >= 0x80, token.end == start + 1 { throw QueryError(.invalidUTF8, token.span) }
    return .other
  }

  private func queryText(of token: Token) throws(QueryError) -> String {
    do throws(TextFault) {
      return try content(of: token)
    } catch {
      switch error {
      case .invalidEscape(let span): throw QueryError(.invalidEscape(text(span)), span)
      case .invalidUTF8(let span): throw QueryError(.invalidUTF8, span)
      }
    }
  }
}
