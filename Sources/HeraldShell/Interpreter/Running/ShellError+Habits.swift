import Herald

/// Statements of other languages that can be parsed, and fail because they name a class that does not exist.
extension ShellError {
  /// The same error; one about an unknown class with what was meant, if that can be known.
  func naming(whatWasMeantBy statement: Statement, _ context: Context) -> ShellError {
    guard case .library(.unknownClass(let name, let nearest)) = diagnostic else { return self }
    return ofHabit(name, nearest, statement, context) ?? namingClasses(name, nearest, context)
  }

  /// The error with what was meant, if the statement is one of another language, such as `show tables`, or if the word
  /// is a text without quotes; nil for any other.
  private func ofHabit(
    _ name: String, _ nearest: String?, _ statement: Statement, _ context: Context
  ) -> ShellError? {
    guard source === context.source else { return nil }
    let whole = statement.span
    let parser = StatementParser(source, from: whole.start, to: whole.end)
    if let failure = parser.statementOfHabit(at: whole) { return failure }
    guard nearest == nil, statement.form.mayHaveText(at: span, name),
      source.text(span) == name, !parser.continues(span)
    else { return nil }
    return ShellError(.unquotedText(name), source, span)
  }

  /// Adds the existing classes to an error about a class whose name resembles none. Of names of one letter, none is
  /// like another.
  private func namingClasses(_ name: String, _ nearest: String?, _ context: Context) -> ShellError {
    guard let schema = context.session.store?.schema else { return self }
    if let found = schema.standIn(named: name) {
      return ShellError(.notAClass(name, found: found), source, span)
    }
    guard nearest.map({ $0.count == 1 && name.count == 1 }) ?? true,
      schema.classSchema(named: name) == nil
    else { return self }
    return ShellError(.unknownClass(name, existing: schema.namesOfRows), source, span)
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
