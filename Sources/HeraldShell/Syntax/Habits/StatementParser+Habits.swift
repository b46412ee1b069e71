import Herald

/// Statements as people write them who know another language: they fail, and the error says what to write.
extension StatementParser {
  /// The error of the statement at `start`, with what to write instead if it is one of another language.
  func advised(_ error: ShellError, from start: Token) -> ShellError {
    guard notes == nil, case .query = error.diagnostic else { return error }
    return statementOfHabit(at: start.span) ?? foreignCall(at: start) ?? error
  }

  /// The error that the statement at a span is one of another language; nil if it is not.
  func statementOfHabit(at span: SourceSpan) -> ShellError? {
    guard translates else { return nil }
    let tokens = tokens(from: span.start, atMost: 12)
    guard let first = tokens.first else { return nil }
    if !isDeclared(source.text(first)), let statement = translatable(from: span.start),
      let text = Translation.statement(statement, isDeclared: isDeclared)
    {
      let end = statement.prefix { !$0.isWhitespace && $0 != "(" }.utf8.count
      let word = SourceSpan(start: span.start, end: span.start + end)
      return failure(.unknownStatement(source.text(word), nearest: text), at: word)
    }
    var words = [source.text(first)]
    var end = first.end
    if let second = tokens.dropFirst().first {
      // The sign of a command of other shells is a token of its own.
      if first.end == second.start, StatementParser.foreignSigns.contains(bytes[first.start]) {
        words = [words[0] + source.text(second)]
        end = second.end
      } else {
        words.append(source.text(second))
      }
    }
    guard
      let (count, text) = ForeignCommand.counterpart(of: words, className: className(in: tokens)),
      !words.prefix(count).contains(where: isDeclared)
    else { return nil }
    if count == 2 { end = tokens[1].end }
    let whole = SourceSpan(start: span.start, end: end)
    return failure(.unknownStatement(source.text(whole), nearest: text), at: whole)
  }

  /// The text of the statement that begins at `start`; nil for a long one, which is not copied.
  private func translatable(from start: Int) -> String? {
    let extent = extent(from: start)
    return extent.end - extent.start <= Translation.longest ? source.text(extent) : nil
  }

  /// The name after a word of SQL that precedes one.
  private func className(in tokens: [SourceSpan]) -> String? {
    let words = tokens.map { source.text($0) }
    let index = words.indices.first {
      ForeignCommand.precedesClass(words[$0]) && $0 + 1 < words.count
        && !ForeignCommand.precedesClass(words[$0 + 1])
    }
    guard let index, words[index + 1].first.map({ $0.isLetter || $0 == "\"" || $0 == "`" }) ?? false
    else { return nil }
    return words[index + 1].filter { $0 != "\"" && $0 != "`" }
  }

  /// The error that a statement is the call of a method or of a command: `Order.count()`, `db.Order.find()`, `exit()`;
  /// nil if it is neither.
  private func foreignCall(at start: Token) -> ShellError? {
    let tokens = tokens(from: start.start, atMost: 12)
    guard let opening = tokens.firstIndex(where: { bytes[$0.start] == Byte.openParenthesis }),
      opening > 0, tokens[opening - 1].end == tokens[opening].start
    else { return nil }
    let path = SourceSpan(start: start.start, end: tokens[opening - 1].end)
    let text = source.text(path)
    let names = text.split(separator: ".").map(String.init)
    guard let method = names.last, !text.contains(where: \.isWhitespace) else { return nil }
    let receiver = names.dropFirst(names.count > 2 && names[0] == "db" ? 1 : 0).dropLast()
      .joined(separator: ".")
    let content = tokens.dropFirst(opening + 1).first.map { source.text($0) }
    let counterpart: String? =
      if !receiver.isEmpty {
        ForeignMethod.counterpart(of: method, receiver: receiver)
      } else if content == "*" {
        ForeignCommand.counterpart(of: [method, "*"], className: nil)?.text
      } else if content == ")" {
        StatementTable.command(named: method) != nil ? method : StatementTable.nearest(to: method)
      } else {
        nil
      }
    return counterpart.map { failure(.unknownStatement(text + "()", nearest: $0), at: path) }
  }

  /// The error that more text follows a statement, which begins at `start`.
  func unexpectedRest(after start: Int) -> ShellError {
    let error = expected("the end of the statement")
    guard notes == nil, case .query(let message) = error.diagnostic else { return error }
    if isJoined("("),
      case let name = SourceSpan(start: wordStart(before: token.start), end: token.start),
      name.start < name.end
    {
      let text = ForeignFunction.message(source.text(name))
      return failure(.query(text), at: name)
    }
    let words = tokens(from: token.start, atMost: 16).map { source.text($0) }
    let statement = source.text(SourceSpan(start: start, end: token.start))
    if translates, let clauses = translatable(from: token.start),
      let text = Translation.query(
        source.text(SourceSpan(start: start, end: lastEnd)), clauses: clauses,
        isDeclared: isDeclared)
    {
      return failure(.query("\(message)\(suggestion(text))"))
    }
    let advice = ForeignClause.advice(words, after: statement)
    return advice.map { failure(.query("\(message); \($0)")) } ?? error
  }

  /// The error that no variable is here: for a word, that it lacks its dollar sign.
  func expectedVariable(_ what: String) -> ShellError {
    let error = expected(what)
    guard case .word = token.kind, case .query(let message) = error.diagnostic else { return error }
    return failure(.query("\(message); did you mean '$\(text)'?"))
  }

  private func wordStart(before end: Int) -> Int {
    var start = end
    while start > 0, Byte.isNamePart(bytes[start - 1]) { start -= 1 }
    return start
  }

  /// The tokens of a line from an offset on.
  private func tokens(from offset: Int, atMost count: Int) -> [SourceSpan] {
    var ahead = Lexer(bytes, from: offset, to: lexer.limit)
    var tokens: [SourceSpan] = []
    while tokens.count < count {
      let token = ahead.next()
      if token.kind == .end || token.kind == .newline { break }
      tokens.append(token.span)
    }
    return tokens
  }
}
