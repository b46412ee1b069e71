import Herald

/// Writes a table whose rows come in pieces. The first piece determines the columns.
struct TableWriter {
  private let mode: OutputMode
  private var text: TableText
  private var columns: Table.Columns?

  /// - Parameter window: the window that shows the table; nil if lines may have any length.
  init(_ mode: OutputMode, in window: Window?) {
    self.mode = mode
    text = TableText(in: window)
  }

  mutating func write(_ rows: [OutputValue], _ output: inout OutputBuffer) {
    let isFirst = columns == nil
    if mode == .json { return write(json: rows, isFirst: isFirst, &output) }
    if mode == .jsonl { return TableForms.writeJSONLines(rows, &output) }
    if mode == .text, rows.count == 1, case .map(let entries) = rows[0] {
      return TableText.write(entries, &output)
    }
    let table = Table(rows, columns)
    columns = table.columns
    switch mode {
    case .text, .json, .jsonl: text.write(table, isFirst: isFirst, &output)
    case .line: TableForms.writeLines(table, isFirst: isFirst, &output)
    case .csv: TableForms.writeCSV(table, isFirst: isFirst, &output)
    case .markdown: TableForms.writeMarkdown(table, isFirst: isFirst, &output)
    }
  }

  private mutating func write(
    json rows: [OutputValue], isFirst: Bool, _ output: inout OutputBuffer
  ) {
    columns = Table.Columns(names: [], hasLabels: false, isNumeric: [])
    if isFirst { output.write(piece: "{\"result\":[") }
    for (number, row) in rows.enumerated() {
      if !isFirst || number > 0 { output.write(piece: ",") }
      output.write(piece: JSONRenderer.text(row))
    }
  }

  /// Ends the table, with a line about what is not shown.
  mutating func end(more: Int, _ output: inout OutputBuffer) {
    if mode == .json { return output.write(line: "]}") }
    var parts: [String] = []
    if more > 0 { parts.append("+\(more) more row\(more == 1 ? "" : "s")") }
    if let hidden = text.hidden { parts.append(hidden) }
    if !parts.isEmpty { output.write(line: text.cut(parts.joined(separator: "; "))) }
  }
}
