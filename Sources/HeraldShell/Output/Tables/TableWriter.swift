import Herald

/// Writes a table whose rows come in pieces. The first piece determines the columns.
struct TableWriter {
  private let mode: OutputMode
  private var text: TableText
  private var columns: Table.Columns?
  /// Whether no rows have been written, which determine the columns.
  private(set) var isFirst = true
  private let isBrief: Bool
  /// The name of the primary key of the rows; nil if they have none, or if the table is not for a terminal.
  var keyName: String?

  /// - Parameters:
  ///   - window: The window that shows the table; nil if lines may have any length.
  ///   - smallest: The smallest widths of columns: the last ones are removed rather than that others get narrower.
  init(_ mode: OutputMode, in window: Window?, smallest: [Int] = []) {
    self.mode = mode
    text = TableText(in: window, smallest: smallest)
    isBrief = mode == .text && window != nil
  }

  /// - Parameter header: the columns of a table without rows.
  mutating func write(
    _ rows: [OutputValue], header: [String] = [], _ output: inout OutputBuffer
  ) {
    defer { isFirst = false }
    if isFirst, rows.isEmpty, mode == .markdown, !header.isEmpty {
      return TableForms.writeMarkdown(header: header, &output)
    }
    switch mode {
    case .json: write(json: rows, &output)
    case .jsonl: TableForms.writeJSONLines(rows, &output)
    case .text:
      if rows.count == 1, case .map(let entries) = rows[0] {
        TableText.write(entries, &output)
      } else {
        text.write(table(rows), isFirst: isFirst, &output)
      }
    case .line: TableForms.writeLines(table(rows), isFirst: isFirst, &output)
    case .csv: TableForms.writeCSV(table(rows), isFirst: isFirst, &output)
    case .markdown: TableForms.writeMarkdown(table(rows), isFirst: isFirst, &output)
    }
  }

  private mutating func table(_ rows: [OutputValue]) -> Table {
    let table = Table(rows, columns, keyName: isBrief ? keyName : nil, isBrief: isBrief)
    columns = table.columns
    return table
  }

  private func write(json rows: [OutputValue], _ output: inout OutputBuffer) {
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
