import Herald

/// The log of commits: `log`, `keep log`, `commit message`, versions.
extension StatementParser {
  /// A version that another operand may follow: `41`, `-1`, a time, `$v`.
  mutating func versionNumber() throws(ShellError) -> ExpressionSyntax {
    try parsed { (parser) throws(QueryError) in try parser.versionNumber() }
  }

  /// `at 41` or `in $f`; nil if neither follows.
  mutating func pastVersion() throws(ShellError) -> VersionSyntax? {
    guard isWord("at") || isWord("in") || isNoted else { return nil }
    return try parsed { (parser) throws(QueryError) in try parser.version(allowsVariable: true) }
  }
}
