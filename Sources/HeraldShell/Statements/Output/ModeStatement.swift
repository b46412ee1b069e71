struct ModeStatement: StatementForm {
  static let command = Command(
    "mode", ["mode text | line | csv | jsonl | markdown | json"], "set the format of the output",
    [
      "line writes one property a line, csv, jsonl and markdown write tables for other programs, "
        + "and json writes all output as one JSON object a line. What csv and jsonl, one JSON "
        + "object a row, write of objects, import takes back. At a terminal a table of mode text "
        + "is cut to the window."
    ], parse: { parser throws(ShellError) in Self(mode: try Self.mode(&parser)) })

  let mode: OutputMode

  fileprivate static func mode(_ parser: inout StatementParser) throws(ShellError) -> OutputMode {
    if parser.takeIf("text") { return .text }
    if parser.takeIf("line") { return .line }
    if parser.takeIf("csv") { return .csv }
    if parser.takeIf("markdown") { return .markdown }
    if parser.takeIf("json") { return .json }
    if parser.takeIf("jsonl") { return .jsonl }
    throw parser.expected("'text', 'line', 'csv', 'markdown', 'json' or 'jsonl'")
  }

  var objectsRead: ObjectsRead { .none }

  func run(in context: Context) throws {
    context.shell.mode = mode
    for record in context.shell.tokens.live { try record.keepRows(context) }
  }
}
