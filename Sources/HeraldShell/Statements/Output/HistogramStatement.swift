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
