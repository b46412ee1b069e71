import HeraldModel

extension PredicateParser {
  // MARK: Bytes

  /// Parses `binary("base64")` or `binary(B64"base64")`.
  mutating func binary() throws(QueryError) -> ExpressionSyntax {
    let start = try advance().span
    try expect(.leftParenthesis)
    if try marksBase64() { try advance() }
    let bytes = try base64()
    try expect(.rightParenthesis)
    return ExpressionSyntax(.literal(.data(bytes)), SourceSpan(start: start.start, end: lastEnd))
  }

  /// Whether the next token is the `B64` of `B64"base64"`.
  mutating func marksBase64() throws(QueryError) -> Bool {
    guard case .word(let word) = try peek().kind, word.lowercased() == "b64" else { return false }
    return isAtQuote
  }

  /// Whether a string begins at the lexer's offset.
  private var isAtQuote: Bool {
    lexer.byte() == Byte.doubleQuote || lexer.byte() == Byte.singleQuote
  }

  /// Parses `B64"base64"`.
  mutating func markedBase64() throws(QueryError) -> ExpressionSyntax {
    let start = try advance().span
    let bytes = try base64()
    return ExpressionSyntax(.literal(.data(bytes)), SourceSpan(start: start.start, end: lastEnd))
  }

  private mutating func base64() throws(QueryError) -> [UInt8] {
    guard case .string(let text) = try peek().kind else { throw try expected("base64 in quotes") }
    let content = try advance()
    guard let bytes = [UInt8](base64: text) else { throw QueryError(.invalidBase64, content.span) }
    return bytes
  }

  /// Parses `uuid("…")` or `oid("…")`, with or without quotes; nil if no parenthesis follows the
  /// keyword, so that it is a name.
  mutating func identifier(_ keyword: QueryKeyword) throws(QueryError) -> Value? {
    guard try tokenAfterNext().kind == .symbol(.leftParenthesis) else { return nil }
    try advance()
    try expect(.leftParenthesis)
    let span: SourceSpan
    let text: String
    lexer.skipSpace(spansLines: spansLines)
    if isAtQuote, case .string(let content) = try peek().kind {
      span = try advance().span
      text = content
    } else {
      span = SourceSpan(start: lexer.offset, end: lexer.endOfBareText(from: lexer.offset))
      text = lexer.text(span)
      moveTo(span.end)
    }
    let value =
      keyword == .uuid ? UniqueID(text).map(Value.uuid) : DocumentID(text).map(Value.objectID)
    guard let value else {
      throw QueryError(.invalidIdentifier(text, type: keyword == .uuid ? "uuid" : "objectid"), span)
    }
    try expect(.rightParenthesis)
    return value
  }

  // MARK: Numbers

  mutating func signedNumber() throws(QueryError) -> ExpressionSyntax {
    let sign = try advance()
    let isNegative = sign.kind == .symbol(.minus)
    let token = try peek()
    guard token.span.start == sign.span.end else {
      throw QueryError(
        .expected("a value or a property", found: "'\(lexer.text(sign.span))'"), sign.span)
    }
    let keyword = try peekKeyword()
    if keyword == .inf || keyword == .infinity {
      try advance()
      let value = isNegative ? -Double.infinity : .infinity
      return ExpressionSyntax(.literal(.double(value)), sign.span.through(token.span))
    }
    if keyword == .nan {
      try advance()
      return ExpressionSyntax(.literal(.double(.nan)), sign.span.through(token.span))
    }
    guard token.kind == .number else { throw try expected("a number") }
    try advance()
    return try number(sign.span.through(token.span))
  }

  /// Returns the value of `0x1F`, with or without a sign; nil for other notations.
  private func hexadecimal(_ text: String) -> Int? {
    let isNegative = text.hasPrefix("-")
    let digits = isNegative || text.hasPrefix("+") ? text.dropFirst() : text[...]
    guard digits.hasPrefix("0x") || digits.hasPrefix("0X") else { return nil }
    return Int((isNegative ? "-" : "") + digits.dropFirst(2), radix: 16)
  }

  func number(_ span: SourceSpan) throws(QueryError) -> ExpressionSyntax {
    let text = lexer.numberText(span)
    guard let value = hexadecimal(text).map(Value.int) ?? NumberText.value(text) else {
      throw QueryError(.numberTooLarge(text), span)
    }
    return ExpressionSyntax(.literal(value), span)
  }
}
