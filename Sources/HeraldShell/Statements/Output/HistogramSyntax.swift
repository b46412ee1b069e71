import Herald

/// `Dog where age > 3 by weight bins 5`, after the word `histogram`.
struct HistogramSyntax {
  /// The rows by the values of the expression, with the number of each.
  let groups: GroupSyntax
  let bins: ExpressionSyntax?
  let span: SourceSpan

  private static let mostBins = 10_000

  /// - Parameter mayBePast: whether a version may follow.
  init(_ parser: inout StatementParser, mayBePast: Bool) throws(ShellError) {
    let start = parser.token.start
    var query = try parser.query(mayBePast: mayBePast)
    try parser.take("by")
    let key = try parser.parsed { (parser) throws(QueryError) in
      try parser.key(of: query.origin)
    }
    // A name changes nothing here; of an observer it is its own.
    if mayBePast, parser.takeIf("as") { _ = try parser.name("a new name") }
    bins = parser.takeIf("bins") ? try parser.expression() : nil
    if mayBePast, query.version == nil { query.version = try parser.pastVersion() }
    groups = GroupSyntax(countingRowsOf: query, by: key)
    span = SourceSpan(start: start, end: parser.lastEnd)
  }

  /// The number of parts. Errors: it is none, or too large.
  fileprivate func number(in context: Context) throws -> Int {
    guard let bins else { return 10 }
    if case .value(.int(let count)) = try context.resolve(bins), 1...Self.mostBins ~= count {
      return count
    }
    throw context.expected("a number of parts from 1 to \(Self.mostBins)", at: bins.span)
  }
}

extension StatementParser {
  /// What follows the word `histogram`; nil if the word is not there, or is the name of a class.
  mutating func observedHistogram() throws(ShellError) -> HistogramSyntax? {
    guard takeIfQueryFollows("histogram") else { return nil }
    return try HistogramSyntax(&self, mayBePast: false)
  }
}

extension Context {
  func histogram(_ syntax: HistogramSyntax) throws -> LiveHistogram {
    let bins = try syntax.number(in: self)
    return try LiveHistogram(groups(syntax.groups), bins: bins)
  }
}
