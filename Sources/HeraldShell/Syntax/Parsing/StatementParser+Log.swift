import Herald

/// The log of commits: `log`, `keep log`, `commit message`, versions.
extension StatementParser {
  /// `log`, `log 20`, `log Dog`, `log 20 Dog`, `log version 42`.
  mutating func log() throws(ShellError) -> Statement.Kind {
    if takeIf("version") { return .logVersion(try versionNumber()) }
    var count: ExpressionSyntax?
    if token.kind == .number || token.kind == .variable { count = try expression() }
    return .log(count, of: try optionalName("a class"))
  }

  /// A version that another operand may follow: `41`, `-1`, a time, `$v`.
  mutating func versionNumber() throws(ShellError) -> ExpressionSyntax {
    try parsed { (parser) throws(QueryError) in try parser.versionNumber() }
  }

  /// `at 41` or `in $f`; nil if neither follows.
  mutating func pastVersion() throws(ShellError) -> VersionSyntax? {
    guard isWord("at") || isWord("in") || isNoted else { return nil }
    return try parsed { (parser) throws(QueryError) in try parser.version(allowsVariable: true) }
  }

  /// `version`, `version at "2026-11-22"`.
  mutating func versionStatement() throws(ShellError) -> Statement.Kind {
    .version(at: takeIf("at") ? try versionNumber() : nil)
  }

  /// `log 7d`, `log 1GB`, `log 10000`, `log all` after `keep`; nil for `log` alone.
  mutating func retention() throws(ShellError) -> Name? {
    try take("log")
    if isAtEndOfStatement, !isNoted { return nil }
    let start = token.start
    while token.kind == .word || token.kind == .number {
      advance()
      if token.start != lastEnd { break }
    }
    guard lastEnd > start else {
      for word in ["7d", "1GB", "10000", "all"] { note(word: word) }
      throw expected("'7d', '1GB', '10000' or 'all'")
    }
    let span = SourceSpan(start: start, end: lastEnd)
    return Name(text: source.text(span), span: span)
  }
}
