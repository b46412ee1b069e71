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
    let destination: OutputDestination = isFile ? .file(try file()) : .program(try command())
    return Statement(
      kind: .redirected(statement, to: destination),
      span: SourceSpan(start: statement.span.start, end: lastEnd))
  }

  /// Parses the name of a file, which must not look like a value: a comparison in the wrong place would write a file of
  /// that name.
  private mutating func file() throws(ShellError) -> Name {
    let isQuoted = token.kind == .string
    if isSign(">") || isSign("=") || isSign("<") { throw expected("a file") }
    let name = try path()
    let text = source.text(name.span)
    let bytes = Array(text.utf8)
    if !isQuoted, let value = try? QueryParser.parseExpression(bytes, from: 0),
      value.end == bytes.count, value.expression.isValue
    {
      throw failure(.valueAsFile(text), at: name.span)
    }
    return name
  }

  /// A command of the system's shell: the rest of the line, in a block up to the brace that closes it.
  private mutating func command() throws(ShellError) -> Name {
    var start = lastEnd
    while start < lexer.limit, Byte.isBlank(bytes[start]) { start += 1 }
    var end = ProgramCommand.end(bytes, from: start, to: lexer.limit, isInBlock: openBlocks > 0)
    let next = end
    while end > start, Byte.isBlank(bytes[end - 1]) { end -= 1 }
    let span = SourceSpan(start: start, end: end)
    move(to: next)
    guard end > start else { throw failure(.query("expected a program"), at: span) }
    lastEnd = end
    return Name(text: source.text(span), span: span)
  }
}

extension ExpressionSyntax {
  /// Whether the text means a value, and not only a word: `0`, `$max.age`, `Dog#3`, `Dog.@count`, `2026-11-22`.
  fileprivate var isValue: Bool {
    switch kind {
    case .literal, .list, .subquery: true
    case .path(let path):
      !path.startsAtRoot
        || path.steps.contains { if case .operation = $0.kind { true } else { false } }
    case .arithmetic(let first, let terms):
      first.isValue && terms.allSatisfy(\.operand.isValue)
    case .measured(let inner, by: _): inner.isValue
    case .record, .generated, .query, .test, .projection: false
    }
  }
}
