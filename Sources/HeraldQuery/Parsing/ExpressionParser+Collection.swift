extension ExpressionParser {
  /// Parses `[a, b]` in a statement, or `{a, b}` or `[a, b]` in a query.
  mutating func list() throws(QueryError) -> ExpressionSyntax {
    switch grammar {
    case .query:
      let opening = try peek()
      let closing: QuerySymbol =
        opening.kind == .symbol(.leftBrace) ? .rightBrace : .rightBracket
      return try nested { (parser) throws(QueryError) in
        try parser.advance()
        var elements: [ExpressionSyntax] = []
        if try !parser.peeks(closing) {
          repeat { elements.append(try parser.operand()) } while try parser.take(.comma)
        }
        try parser.expect(closing)
        let span = SourceSpan(start: opening.span.start, end: parser.lastEnd)
        return ExpressionSyntax(.list(elements), span)
      }
    case .statement:
      let owner = notes?.owner
      var elements: [ExpressionSyntax] = []
      let span = try bracketed(by: Byte.openBracket) { (parser) throws(QueryError) in
        parser.notes?.owner = owner
        elements.append(try parser.value())
      }
      return ExpressionSyntax(.list(elements), span)
    }
  }

  /// Parses `{ name: "Max", age: 3 }`: commas or newlines between entries.
  package mutating func record() throws(QueryError) -> RecordSyntax {
    let owner = notes?.owner
    var entries: [RecordSyntax.Entry] = []
    let span = try bracketed(by: Byte.openBrace) { (parser) throws(QueryError) in
      parser.notes?.owner = owner
      parser.notes?.owner?.given = entries.map(\.name.text)
      entries.append(try parser.entry())
    }
    return RecordSyntax(entries: entries, span: span)
  }

  /// Parses a record whose values are expressions of the rows of a query.
  package mutating func record(ofRows origin: QuerySyntax.Origin) throws(QueryError) -> RecordSyntax
  {
    rowOrigin = origin
    defer { rowOrigin = nil }
    return try record()
  }

  /// Parses `{…}`, or `[{…}, {…}]`.
  package mutating func records() throws(QueryError) -> [RecordSyntax] {
    guard nextByte() == Byte.openBracket else { return [try record()] }
    let owner = notes?.owner
    var records: [RecordSyntax] = []
    _ = try bracketed(by: Byte.openBracket) { (parser) throws(QueryError) in
      parser.notes?.owner = owner
      records.append(try parser.record())
    }
    return records
  }

  private mutating func entry() throws(QueryError) -> RecordSyntax.Entry {
    let token = nextPlainToken()
    let name: String
    switch token.kind {
    case .string: name = try lexer.content(ofString: token.span)
    case .word: name = lexer.text(token.span)
    case .variable, .number, .sign, .newline, .end, .unterminated, .unknown:
      throw try expected("a property")
    }
    moveTo(token.end)
    guard nextByte() == Byte.colon else { throw try expected("':'") }
    moveTo(nextOffset() + 1)
    skipNewlines()
    if let owner = notes?.owner {
      notes?.refer(to: Name(text: name, span: token.span), of: .owner(owner))
    }
    notes?.owner = notes?.owner?.appending(name)
    return RecordSyntax.Entry(
      name: Name(text: name, span: token.span),
      value: rowOrigin == nil ? try value() : try valueOrTest())
  }

  /// Parses elements, separated by commas or newlines, between `[` and `]` or `{` and `}`; returns the span
  /// of all.
  package mutating func bracketed(
    by opening: UInt8, _ element: (inout ExpressionParser) throws(QueryError) -> Void
  ) throws(QueryError) -> SourceSpan {
    guard nextByte() == opening else {
      throw try expected("'\(Character(Unicode.Scalar(opening)))'")
    }
    let start = nextOffset()
    try nested { (parser) throws(QueryError) in
      parser.moveTo(start + 1)
      try parser.separatedByLines { (parser) throws(QueryError) in
        try parser.elements(after: start, element)
      }
    }
    return SourceSpan(start: start, end: lastEnd)
  }

  /// Parses elements up to the bracket that closes the one at `start`.
  private mutating func elements(
    after start: Int, _ element: (inout ExpressionParser) throws(QueryError) -> Void
  ) throws(QueryError) {
    let opening = lexer.bytes[start]
    let closing = opening == Byte.openBrace ? Byte.closeBrace : Byte.closeBracket
    skipNewlines()
    var isSeparated = true
    while nextByte() != closing {
      if nextByte() == nil {
        if isNoted, isSeparated { try element(&self) }
        let span = SourceSpan(start: start, end: start + 1)
        throw QueryError(.openBracket(lexer.text(span)), span)
      }
      try element(&self)
      isSeparated = skipNewlines()
      if nextByte() == Byte.comma {
        moveTo(nextOffset() + 1)
        skipNewlines()
        isSeparated = true
      } else if !isSeparated, let next = nextByte(), next != closing {
        throw try expected("',' or '\(Character(Unicode.Scalar(closing)))'")
      }
    }
    moveTo(nextOffset() + 1)
  }

  /// Returns false if there were none.
  @discardableResult
  private mutating func skipNewlines() -> Bool {
    guard nextByte() == Byte.newline else { return false }
    while nextByte() == Byte.newline { moveTo(nextOffset() + 1) }
    return true
  }
}

// MARK: Elements of expectations

extension ExpressionParser {
  /// A row number or another count: an integer that is not negative.
  package mutating func count(_ what: String) throws(QueryError) -> Int {
    let token = nextPlainToken()
    guard token.kind == .number, let number = Int(lexer.text(token.span)) else {
      throw try expected(what)
    }
    moveTo(token.end)
    return number
  }

  /// The text of a string, if one follows.
  package mutating func stringIfPresent() throws(QueryError) -> String? {
    nextPlainToken().kind == .string ? try string() : nil
  }

  /// The text of a number that has a point, if one follows.
  package mutating func decimalIfPresent() -> String? {
    let token = nextPlainToken()
    let text = lexer.text(token.span)
    guard token.kind == .number, text.contains(".") else { return nil }
    moveTo(token.end)
    return text
  }

  /// Consumes `->`; returns false if it is not there.
  package mutating func takeArrow() -> Bool {
    let start = nextOffset()
    guard lexer.bytes[start..<lexer.limit].starts(with: [Byte.minus, Byte.greater]) else {
      return false
    }
    moveTo(start + 2)
    return true
  }
}
