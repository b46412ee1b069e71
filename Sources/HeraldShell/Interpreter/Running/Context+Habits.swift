import Herald

/// Statements of other languages that can be parsed, and fail because they name a class that does not exist.
extension Context {
  /// The error about an unknown class with what was meant, if the statement is one of another language, such as
  /// `show tables`, or if the word is a text without quotes; nil for any other error.
  func errorOfHabit(_ failure: ShellError, _ statement: Statement) -> ShellError? {
    guard case .library(.unknownClass(let name, let nearest)) = failure.diagnostic,
      failure.source === source
    else { return nil }
    let span = statement.span
    let parser = StatementParser(source, from: span.start, to: span.end)
    if let failure = parser.statementOfHabit(at: span) { return failure }
    guard nearest == nil, statement.form.mayHaveText(at: failure.span, name),
      source.text(failure.span) == name, !parser.continues(failure.span)
    else { return nil }
    return ShellError(.unquotedText(name), failure.source, failure.span)
  }
}

extension StatementParser {
  /// Whether a word is only the beginning of a longer expression: of an object, a path, a query.
  fileprivate func continues(_ word: SourceSpan) -> Bool {
    var parser = self
    parser.move(to: word.end)
    return parser.isSign("#") || parser.isSign(".") || parser.isSign("(")
      || parser.continuesAsQuery(after: word.end)
  }
}
