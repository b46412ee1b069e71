import Herald

/// `histogram Dog where age > 3 by weight bins 5`: how many rows have which values.
struct HistogramStatement: StatementForm {
  static let command = Command(
    "histogram", ["histogram QUERY by EXPRESSION [bins N]"], "show how often values occur",
    [
      "Of numbers and dates there are N parts of equal width, 10 without bins, from the smallest to the largest value: each "
        + "has the values from its beginning on and before its end, the last one its end, too. Values that are all equal "
        + "are one part. Of everything else there is one row a value, the most frequent one first. nil, and numbers that are "
        + "not finite, are left out. In text each row has a bar; watch "
        + "histogram keeps them up to date."
    ],
    examples: ["histogram Dog by age bins 5", "histogram Dog where age > 3 by owner.name"],
    parse: Self.init)

  let syntax: HistogramSyntax

  init(_ parser: inout StatementParser) throws(ShellError) {
    syntax = try HistogramSyntax(&parser, mayBePast: true)
  }

  var objectsRead: ObjectsRead { .ofNamedClasses }

  func run(in context: Context) throws {
    let histogram = try context.histogram(syntax)
    let (rows, names, store) = (
      histogram.present.rows, histogram.present.names, histogram.store
    )
    let printer = RowPrinter(context: context)
    guard context.shell.mode == .text else {
      // Without rows it is not known which columns they would have.
      if rows.isEmpty, context.shell.mode == .markdown {
        return try printer.show(0) { _ in .row([]) }
      }
      return try printer.show(rows.count, names, of: store) { rows[$0] }
    }
    let counts = histogram.present.counts
    let width = barWidth(rows, names, context)
    try printer.show(rows.count, names + [" "], of: store) { row in
      rows[row] + [.string(Bar(counts[row], beside: counts.max() ?? 0).text(in: width))]
    }
  }

  /// The width that the window leaves for bars, in columns.
  private func barWidth(_ rows: [[Value]], _ names: [String], _ context: Context) -> Int {
    guard let window = context.shell.window else { return Bar.widest }
    let widths = names.indices.map { column in
      rows.map { TextWidth.columns(context.session.output($0[column]).briefText) }
        .reduce(TextWidth.columns(names[column]), max)
    }
    let taken = ([TextWidth.columns(String(rows.count))] + widths).reduce(0) {
      $0 + $1 + TableText.gap
    }
    return min(Bar.widest, max(Bar.narrowest, window.columns - taken))
  }
}

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
