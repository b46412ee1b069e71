import Herald

extension StatementParser {
  /// `[a, b]`: commas or newlines between elements.
  mutating func list() throws(ShellError) -> ExpressionSyntax {
    let opening = token
    let owner = notes?.owner
    var elements: [ExpressionSyntax] = []
    let end = try bracketed(opening, closing: "]") {
      parser throws(ShellError) in
      parser.setOwner(owner)
      elements.append(try parser.expression())
    }
    return ExpressionSyntax(.list(elements), SourceSpan(start: opening.start, end: end))
  }

  /// `{ name: "Max", age: 3 }`: commas or newlines between entries.
  mutating func record() throws(ShellError) -> RecordSyntax {
    let opening = token
    guard isSign("{") else { throw expected("'{'") }
    let owner = notes?.owner
    var entries: [RecordSyntax.Entry] = []
    let end = try bracketed(opening, closing: "}") {
      parser throws(ShellError) in
      parser.setOwner(owner)
      entries.append(try parser.entry())
    }
    return RecordSyntax(entries: entries, span: SourceSpan(start: opening.start, end: end))
  }

  /// `{…}`, or `[{…}, {…}]`.
  mutating func records() throws(ShellError) -> [RecordSyntax] {
    guard isSign("[") else { return [try record()] }
    let owner = notes?.owner
    var records: [RecordSyntax] = []
    _ = try bracketed(token, closing: "]") {
      parser throws(ShellError) in
      parser.setOwner(owner)
      records.append(try parser.record())
    }
    return records
  }

  private mutating func entry() throws(ShellError) -> RecordSyntax.Entry {
    let name: Name
    if case .string = token.kind {
      let span = token.span
      name = Name(text: try string(), span: span)
    } else {
      name = try self.name("a property")
    }
    try take(sign: ":")
    skipNewlines()
    setOwner(notes?.owner?.appending(name.text))
    return RecordSyntax.Entry(name: name, value: try expression())
  }

  /// Parses the elements between two brackets; returns the offset after the closing one.
  mutating func bracketed(
    _ opening: Token, closing: Unicode.Scalar,
    _ element: (inout StatementParser) throws(ShellError) -> Void
  ) throws(ShellError) -> Int {
    advance()
    try enter(opening)
    let outer = spansLines
    spansLines = false
    defer {
      depth -= 1
      spansLines = outer
    }
    skipNewlines()
    var isSeparated = true
    while !isSign(closing) {
      if case .end = token.kind {
        if isNoted, isSeparated { try element(&self) }
        let bracket = closing == "]" ? "[" : "{"
        throw failure(.openBracket(bracket), at: opening.span)
      }
      try element(&self)
      let hasNewline = token.kind == .newline
      skipNewlines()
      isSeparated = hasNewline
      if takeIf(sign: ",") {
        isSeparated = true
        skipNewlines()
      } else if !hasNewline, !isSign(closing), token.kind != .end {
        throw expected("',' or '\(closing)'")
      }
    }
    let end = token.end
    advance()
    return end
  }

  /// The text of a string token, which is consumed.
  mutating func string() throws(ShellError) -> String {
    guard case .string = token.kind else { throw expected("a string") }
    let text: String
    do throws(TextFault) {
      text = try lexer.content(of: token)
    } catch {
      switch error {
      case .invalidEscape(let span): throw failure(.invalidEscape(source.text(span)), at: span)
      case .invalidUTF8(let span): throw failure(.invalidUTF8, at: span)
      }
    }
    advance()
    return text
  }
}
