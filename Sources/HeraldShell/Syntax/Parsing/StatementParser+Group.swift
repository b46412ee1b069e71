import Herald

extension StatementParser {
  /// `group Dog by breed { n: @count } sort(n desc)`; nil if the next word is not `group` before a query, since a class
  /// may have that name.
  mutating func group() throws(ShellError) -> GroupSyntax? {
    guard isWord("group") else { return nil }
    let start = token
    var ahead = Lexer(bytes, from: token.end, to: lexer.limit)
    let next = ahead.next()
    let isQuery =
      switch next.kind {
      case .variable: true
      case .word: !StatementParser.clauses.contains(source.text(next.span))
      case .sign: bytes[next.start] == Byte.openParenthesis
      case .string, .number, .newline, .end, .unterminated, .unknown: false
      }
    guard isQuery else { return nil }
    notes?.note(.keyword, token.span)
    advance()
    return try groups(from: start.start)
  }

  mutating func count() throws(ShellError) -> Statement.Kind {
    if let group = try group() { return .countGroups(group) }
    return .count(try expression())
  }

  mutating func groups(from start: Int) throws(ShellError) -> GroupSyntax {
    try parsed { (parser) throws(QueryError) in try parser.group(from: start) }
  }

  /// The words that follow the name of a class.
  private static let clauses: Set = [
    "where", "sort", "distinct", "limit", "offset", "as", "on", "do",
  ]
}
