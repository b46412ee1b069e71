import Herald

extension StatementParser {
  /// `alias ll = show Dog sort(name)`, `alias`, `alias ll`.
  mutating func alias() throws(ShellError) -> Statement.Kind {
    note(.expected("an alias", of: nil))
    if isAtEndOfStatement { return .listAliases(nil) }
    let name = try name("a name")
    if isAtEndOfStatement {
      note(.expected("'='", of: nil))
      return .listAliases(name)
    }
    try take(sign: "=")
    guard !isAtEndOfStatement else { throw expected("a statement") }
    let span = extent(from: token.start)
    if notes != nil {
      // The text may be the beginning of a statement: only what it expects is of interest.
      var inner = self
      _ = try? inner.statement()
    }
    move(to: span.end)
    return .setAlias(name, source.text(span))
  }

  mutating func unalias() throws(ShellError) -> Statement.Kind {
    .removeAlias(try name("an alias"))
  }

  mutating func edit() throws(ShellError) -> Statement.Kind {
    .edit(try optionalName("an alias, a query or a projection"))
  }
}
