import Herald

extension StatementParser {
  /// nil if the statement ends here.
  mutating func optionalName(_ what: String) throws(ShellError) -> Name? {
    note(.expected(what, of: nil))
    return token.kind == .word ? try name(what) : nil
  }

  /// Empty if no brace follows.
  mutating func columns(of origin: QuerySyntax.Origin) throws(ShellError) -> [ColumnSyntax] {
    guard isSign("{") else { return [] }
    let columns = try parsed { (parser) throws(QueryError) in try parser.columns(of: origin) }
    var names: Set<String> = []
    for column in columns where !names.insert(column.name.text).inserted {
      throw failure(.duplicateEntry(column.name.text), at: column.name.span)
    }
    return columns
  }

  /// The clauses after the braces of columns.
  mutating func clauses(
    afterColumnsOf origin: QuerySyntax.Origin
  ) throws(ShellError) -> [QueryTail] {
    try parsed { (parser) throws(QueryError) in try parser.clauses(afterColumnsOf: origin) }
  }
}
