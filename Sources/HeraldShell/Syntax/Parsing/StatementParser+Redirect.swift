import Herald

/// `show Dog | sort -r`, `show Dog > "dogs.txt"`.
extension StatementParser {
  /// Whether `|` or `>` follows, which take the output of a statement.
  var isAtRedirection: Bool {
    isSign(">")
      || token.kind == .unknown && sign == Unicode.Scalar(Byte.bar) && nextCharacter != "|"
  }

  mutating func redirected(_ statement: Statement) throws(ShellError) -> Statement {
    let isFile = isSign(">")
    advance()
    let destination: OutputDestination = isFile ? .file(try path()) : .program(try command())
    return Statement(
      kind: .redirected(statement, to: destination),
      span: SourceSpan(start: statement.span.start, end: lastEnd))
  }

  /// A command of the system's shell: the rest of the line, whatever it contains.
  private mutating func command() throws(ShellError) -> Name {
    var start = lastEnd
    while start < lexer.limit, Byte.isBlank(bytes[start]) { start += 1 }
    var end = bytes[start..<lexer.limit].firstIndex(of: Byte.newline) ?? lexer.limit
    let next = end
    while end > start, Byte.isBlank(bytes[end - 1]) { end -= 1 }
    let span = SourceSpan(start: start, end: end)
    move(to: next)
    guard end > start else { throw failure(.query("expected a program"), at: span) }
    lastEnd = end
    return Name(text: source.text(span), span: span)
  }
}
