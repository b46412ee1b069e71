import HeraldModel

/// The types whose literals are written like calls.
enum CallLiteral: String {
  case uuid
  case objectID = "oid"
  case binary
  /// As `dump` writes values whose type a bare literal would not show: a number in an `any`, and a
  /// date before the year 1 or after 9999. Only in statements.
  case decimal, float, date

  /// The literal that a keyword of a query begins; nil if it begins none.
  init?(_ keyword: QueryKeyword) { self.init(rawValue: keyword.rawValue) }

  func value(_ text: String) -> Value? {
    switch self {
    case .uuid: UniqueID(text).map(Value.uuid)
    case .objectID: DocumentID(text).map(Value.objectID)
    case .binary: [UInt8](base64: text).map(Value.data)
    case .decimal: Decimal128(text).map(Value.decimal)
    case .float: Float(text).map(Value.float)
    case .date: (Timestamp(iso8601: text) ?? Timestamp(literal: text)).map(Value.date)
    }
  }

  /// The type in messages.
  var description: String {
    switch self {
    case .uuid: "a uuid"
    case .objectID: "an objectid"
    case .binary: "base64 in quotes"
    case .decimal: "a decimal number"
    case .float: "a number"
    case .date: "a date"
    }
  }

  /// The value that a call without an argument generates in a statement.
  var generated: GeneratedValue? {
    switch self {
    case .uuid: .uuid
    case .objectID: .objectID
    case .binary, .decimal, .float, .date: nil
    }
  }

  /// Whether the argument is an identifier, which needs no quotes.
  var isIdentifier: Bool { self == .uuid || self == .objectID }
}

extension ExpressionParser {
  /// Parses `uuid("…")`, `oid(…)` with or without quotes, `binary("…")` or `binary(B64"…")`; in a statement,
  /// `uuid()` and `oid()` generate a new one at each evaluation.
  mutating func call(_ call: CallLiteral) throws(QueryError) -> ExpressionSyntax {
    let start = try advance().span.start
    try expect(.leftParenthesis)
    if grammar == .statement, let generated = call.generated, nextByte() == Byte.closeParenthesis {
      try advance()
      return ExpressionSyntax(.generated(generated), SourceSpan(start: start, end: lastEnd))
    }
    if call == .binary, try marksBase64() { try advance() }
    let (text, span) = try argument(of: call)
    guard let value = call.value(text) else {
      throw QueryError(
        call == .binary ? .invalidBase64 : .invalidLiteral(text, type: call.description), span)
    }
    try expect(.rightParenthesis)
    return ExpressionSyntax(.literal(value), SourceSpan(start: start, end: lastEnd))
  }

  private mutating func argument(
    of call: CallLiteral
  ) throws(QueryError) -> (text: String, span: SourceSpan) {
    let first = nextByte()
    if first == Byte.doubleQuote || first == Byte.singleQuote {
      let span = try peek().span
      return (try string(), span)
    }
    guard call.isIdentifier else {
      throw try expected(call == .binary ? call.description : "a string")
    }
    let start = nextOffset()
    let span = SourceSpan(start: start, end: lexer.endOfBareText(from: start))
    guard span.end > start else {
      throw try expected(grammar == .statement ? "\(call.description), or ')'" : call.description)
    }
    moveTo(span.end)
    return (lexer.text(span), span)
  }

  // MARK: Bytes

  /// Whether the next token is the `B64` of `B64"base64"`.
  mutating func marksBase64() throws(QueryError) -> Bool {
    let token = try peek()
    guard case .word = token.kind, token.span.end - token.span.start == 3 else { return false }
    return isAtQuote && text(of: token).lowercased() == "b64"
  }

  /// Whether a string begins at the lexer's offset.
  private var isAtQuote: Bool {
    lexer.byte() == Byte.doubleQuote || lexer.byte() == Byte.singleQuote
  }

  /// Parses `B64"base64"`.
  mutating func markedBase64() throws(QueryError) -> ExpressionSyntax {
    let start = try advance().span.start
    let (text, span) = try argument(of: .binary)
    guard let value = CallLiteral.binary.value(text) else { throw QueryError(.invalidBase64, span) }
    return ExpressionSyntax(.literal(value), SourceSpan(start: start, end: lastEnd))
  }
}
