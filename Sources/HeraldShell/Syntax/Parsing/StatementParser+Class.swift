import Herald

extension StatementParser {
  /// Entries in braces, one a line or separated by `;`.
  mutating func braced<Entry>(
    _ entry: (inout StatementParser) throws(ShellError) -> Entry
  ) throws(ShellError) -> [Entry] {
    let opening = token
    let owner = notes?.owner
    try take(sign: "{")
    try enter(opening)
    defer { depth -= 1 }
    var entries: [Entry] = []
    skipEntrySeparators()
    while !isSign("}") {
      notes?.owner = owner
      if case .end = token.kind {
        if isNoted { _ = try entry(&self) }
        throw failure(.openBracket("{"), at: opening.span)
      }
      entries.append(try entry(&self))
      let end = token
      skipEntrySeparators()
      if end == token, !isSign("}") { throw expected("';' or '}'") }
    }
    advance()
    return entries
  }

  private mutating func skipEntrySeparators() {
    while token.kind == .newline || isSign(";") || isSign(",") { advance() }
  }
}
