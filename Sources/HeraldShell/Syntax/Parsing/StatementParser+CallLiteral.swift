import Herald

/// The types whose literals are written like calls.
enum CallLiteral: String {
  case uuid
  case objectID = "oid"
  case binary
  /// As `dump` writes values whose type a bare literal would not show: a number in an `any`, and a
  /// date before the year 1 or after 9999.
  case decimal, float, date

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
    case .objectID: "an object id"
    case .binary: "base64"
    case .decimal: "a decimal number"
    case .float: "a number"
    case .date: "a date"
    }
  }
}

extension StatementParser {
  /// `uuid("…")`, `oid(…)` with or without quotes, `binary("…")` or `binary(B64"…")`; `uuid()` and
  /// `oid()` generate a new one at each evaluation. Returns nil if no such literal begins here.
  mutating func callLiteral() throws(ShellError) -> ExpressionSyntax? {
    guard nextCharacter == "(",
      let call = CallLiteral(rawValue: text)
    else { return nil }
    let start = token.start
    advance()
    advance()
    if isSign(")"), let generated = call.generated {
      advance()
      return ExpressionSyntax(.generated(generated), SourceSpan(start: start, end: lastEnd))
    }
    if call == .binary, marksBase64 { advance() }
    let span = token.span
    let text = token.kind == .string ? try string() : try bareText(call)
    guard let value = call.value(text) else {
      throw failure(.invalidLiteral(text, type: call.description), at: span)
    }
    try take(sign: ")")
    return ExpressionSyntax(.literal(value), SourceSpan(start: start, end: lastEnd))
  }

  /// The digits of an identifier without quotes.
  private mutating func bareText(_ call: CallLiteral) throws(ShellError) -> String {
    guard call.generated != nil else { throw expected("a string") }
    let start = token.start
    let end = lexer.endOfBareText(from: start)
    guard end > start else { throw expected("\(call.description), or ')'") }
    move(to: end)
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }
}

extension CallLiteral {
  /// The value that a call without an argument generates.
  fileprivate var generated: GeneratedValue? {
    switch self {
    case .uuid: .uuid
    case .objectID: .objectID
    case .binary, .decimal, .float, .date: nil
    }
  }
}
