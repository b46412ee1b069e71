import Herald

/// Statements without a keyword: assignments, and expressions whose values are printed.
extension StatementParser {
  /// `$max.age = 4`, `Dog#3.age += 1`, `$x = 4`; or `Dog where age > 5`, `$max.name`, `5 + 3`.
  mutating func assignmentOrExpression() throws(ShellError) -> any StatementForm {
    if let assignment = try assignment() { return assignment }
    let start = token
    if start.kind == .end || start.kind == .newline || isSign("{") { throw expected("a statement") }
    let expression: ExpressionSyntax
    do {
      expression = try valueOrTest()
    } catch { throw unknownStatement(start) ?? misplaced(error, from: start) }
    if case .path = expression.kind, isSign("{"),
      let shown = try ShowStatement.columns(of: expression, &self)
    {
      return ShowStatement(subject: shown)
    }
    if expression.query != nil, let shown = try ShowStatement.sections(of: expression, &self) {
      return ShowStatement(subject: shown)
    }
    if case .path(let path) = expression.kind, path.isTarget, !isAtEndOfStatement || isNoted {
      let error = expected("'='")
      if !isAtEndOfStatement { throw error }
    }
    if case .query = expression.kind, isSign("{"),
      source.text(start.span).first?.isUppercase ?? true || isDeclared(source.text(start.span)),
      let shown = try ShowStatement.columns(of: expression, &self)
    {
      return ShowStatement(subject: shown)
    }
    if !isAtEndOfStatement, !isSign("}"), let error = unknownStatement(start) { throw error }
    // A word that is still being typed may become a command.
    if start.kind == .word, start.end == bytes.count { notes?.forgetMeaning(at: start.span) }
    return BareStatement(expression: expression)
  }

  /// nil, without consuming tokens, if no assignment follows.
  private mutating func assignment() throws(ShellError) -> (any StatementForm)? {
    guard
      token.kind == .variable || isSign("(") || token.kind == .word && nextCharacter == "#"
    else { return nil }
    var ahead = self
    guard let target = try? ahead.target(), let sign = AssignmentSign.take(&ahead) else {
      return nil
    }
    self = ahead
    if sign == .set, let name = target.variable {
      let span = SourceSpan(start: target.span.start, end: target.span.end)
      return try LetStatement(Name(text: name, span: span), &self)
    }
    notes?.owner = PropertyOwner(.path(target))
    return AssignStatement(path: target, sign: sign, expression: try valueOrTest())
  }

  /// The error that a word begins no statement; nil if it begins an expression that has another mistake.
  private func unknownStatement(_ word: Token) -> ShellError? {
    guard word.kind == .word, word.end >= lexer.limit || !".(#".utf8.contains(bytes[word.end])
    else { return nil }
    let text = source.text(word.span)
    if isDeclared(text) || continuesAsQuery(after: word.end) { return nil }
    if let statement = statementOfHabit(at: word.span) { return statement }
    if assigns(after: word) {
      return failure(.unknownStatement(text, nearest: "$" + text), at: word.span)
    }
    let nearest = StatementTable.nearest(to: text)
    let isName = text.first?.isUppercase ?? false
    if QueryParser.isKeyword(text) || (isName && nearest == nil) { return nil }
    return failure(.unknownStatement(text, nearest: nearest), at: word.span)
  }

  /// Whether a clause of a query follows a word.
  func continuesAsQuery(after wordEnd: Int) -> Bool {
    var ahead = Lexer(bytes, from: wordEnd, to: lexer.limit)
    let next = ahead.next()
    return next.kind == .word
      && QueryParser.clauses.contains(source.text(next.span).lowercased())
  }

  /// Whether a sign of assignment follows a word.
  private func assigns(after word: Token) -> Bool {
    var ahead = Lexer(bytes, from: word.end, to: lexer.limit)
    let next = ahead.next()
    return next.kind == .sign && bytes[next.start] == Byte.equals
      && !(next.end < lexer.limit && bytes[next.end] == Byte.equals)
  }

  /// Returns the error of an expression, or `expected a statement` if its first token cannot begin one.
  private func misplaced(_ error: ShellError, from start: Token) -> ShellError {
    guard start.kind == .sign || start.kind == .unknown, error.span.start == start.start,
      case .query(let message) = error.diagnostic, message.hasPrefix("expected")
    else { return error }
    var parser = self
    parser.move(to: start.start)
    return parser.expected("a statement")
  }
}
