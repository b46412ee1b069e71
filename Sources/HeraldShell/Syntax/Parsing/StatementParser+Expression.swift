import Herald

extension StatementParser {
  /// A literal, a place, a query, or an expression of the query language.
  mutating func expression() throws(ShellError) -> ExpressionSyntax {
    switch token.kind {
    case .string, .number: return try literal()
    case .variable: return try placeOrQuery()
    case .word: return try wordExpression()
    case .sign:
      switch sign {
      case "-", "+": return try literal()
      case "[": return try list()
      case "{":
        let record = try record()
        return ExpressionSyntax(.record(record), record.span)
      case "(": return try parenthesized()
      default: throw expected("a value")
      }
    case .newline, .end, .unterminated, .unknown: throw expected("a value")
    }
  }

  mutating func expressions() throws(ShellError) -> [ExpressionSyntax] {
    var list = [try expression()]
    while takeIf(sign: ",") {
      list.append(try expression())
    }
    return list
  }

  /// A number or a string as a literal; followed by an operator, it is part of an expression.
  private mutating func literal() throws(ShellError) -> ExpressionSyntax {
    let start = token.start
    var value: Value?
    var end = token.end
    if case .string = token.kind {
      value = .string(try string())
    } else {
      if case .sign = token.kind { advance() }
      guard case .number = token.kind, token.start - start <= 1 else {
        return try computed(from: start)
      }
      end = token.end
      value = try number(from: start)
    }
    guard let value, !isOperator else { return try computed(from: start) }
    return ExpressionSyntax(.literal(value), SourceSpan(start: start, end: end))
  }

  /// nil if the query language must parse it: a date.
  private mutating func number(from start: Int) throws(ShellError) -> Value? {
    if isDateOrArithmetic { return nil }
    guard let value = NumberText.value(of: bytes[start..<token.end]) else {
      throw failure(.numberTooLarge(text), at: SourceSpan(start: start, end: token.end))
    }
    advance()
    return value
  }

  /// `2026-11-21@…`, `5.`, `3-1`, but not `3->4`, which is part of an expectation.
  private var isDateOrArithmetic: Bool {
    switch nextCharacter {
    case "."?: true
    case "-"?: character(after: token.end - token.start + 1) != ">"
    default: false
    }
  }

  private mutating func wordExpression() throws(ShellError) -> ExpressionSyntax {
    let start = token
    if nextCharacter != "#" {
      if let value = wordLiteral {
        advance()
        if isOperator { return try computed(from: start.start) }
        return ExpressionSyntax(.literal(value), start.span)
      }
      if let literal = try callLiteral() { return literal }
      if isComputedWord { return try computed(from: start.start) }
    }
    return try placeOrQuery()
  }

  private var wordLiteral: Value? {
    if isWord("true") { return .bool(true) }
    if isWord("false") { return .bool(false) }
    if isWord("nil") || isWord("null") { return .null }
    return nil
  }

  /// `binary("…")`, `B64"…"`, `inf`, `T0:0`, `Dog.@count`, `Dog.age.@max`: words that begin an
  /// expression of the query language.
  private var isComputedWord: Bool {
    switch nextCharacter {
    case "("?: true
    case "\""?, "'"?: marksBase64
    case ":"?:
      bytes[token.start] == UInt8(ascii: "T") && Byte.isDigit(bytes[token.start + 1])
    case "-"?: isWord("T") && isNegativeInstant
    case "."?: true
    default: isWord("inf") || isWord("nan")
    }
  }

  /// Whether the word is the `B64` of `B64"…"`.
  var marksBase64: Bool {
    guard case .word = token.kind, text.lowercased() == "b64" else { return false }
    let following = nextCharacter
    return following == "\"" || following == "'"
  }

  /// Whether the word is the `T` of `T-1:0`.
  private var isNegativeInstant: Bool {
    var end = token.end + 1
    while end < bytes.count, Byte.isDigit(bytes[end]) { end += 1 }
    return end > token.end + 1 && end < bytes.count && bytes[end] == Byte.colon
  }

  /// Whether arithmetic continues here.
  var isOperator: Bool {
    guard case .sign = token.kind else { return false }
    let following = character(after: 1)
    switch sign {
    case "+", "*", "/": return following != "="
    case "-": return following != "=" && following != ">"
    default: return false
    }
  }

  mutating func computed(from start: Int) throws(ShellError) -> ExpressionSyntax {
    let (syntax, end) = try reading(about: nil) { notes throws(QueryError) in
      try QueryParser.parseExpression(bytes, from: start, spansLines: spansLines, notes: notes)
    }
    try reach(end)
    return ExpressionSyntax(
      syntax.kind, quantifier: syntax.quantifier, SourceSpan(start: start, end: end))
  }

  /// A predicate from the present token on.
  mutating func predicate() throws(ShellError) -> (syntax: PredicateSyntax, span: SourceSpan) {
    let start = token.start
    let (syntax, end) = try reading(about: nil) { notes throws(QueryError) in
      try QueryParser.parsePredicate(bytes, from: start, spansLines: spansLines, notes: notes)
    }
    try reach(end)
    return (syntax, SourceSpan(start: start, end: end))
  }

  /// The clauses after a class or a collection; nil if there are none.
  mutating func tail(of origin: QuerySyntax.Origin) throws(ShellError) -> QueryTail? {
    if spansLines { skipNewlines() }
    guard
      isKeyword("where") || isKeyword("sort") || isKeyword("distinct") || isKeyword("limit")
    else { return nil }
    let start = token.start
    let (tail, end) = try reading(about: origin) { notes throws(QueryError) in
      try QueryParser.parseTail(bytes, from: start, spansLines: spansLines, notes: notes)
    }
    try reach(end)
    return tail
  }

  private func reading<R>(
    about origin: QuerySyntax.Origin?, _ body: (QueryNotes?) throws(QueryError) -> R
  ) throws(ShellError) -> R {
    let queryNotes = notes.map { _ in QueryNotes() }
    defer {
      if let queryNotes { notes?.add(queryNotes, root: origin.map { PropertyOwner(origin: $0) }) }
    }
    do throws(QueryError) {
      return try body(queryNotes)
    } catch {
      throw failure(.query(error.message), at: error.span)
    }
  }

  /// Continues where the query language's parser stopped.
  mutating func reach(_ end: Int) throws(ShellError) {
    if end > lexer.limit { throw failure(.openBracket("{")) }
    move(to: end)
  }
}
