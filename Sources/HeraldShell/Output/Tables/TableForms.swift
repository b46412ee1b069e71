import Herald

/// Renders rows in other forms than aligned columns.
enum TableForms {
  /// One property a line, a blank line between rows.
  static func writeLines(_ table: Table, isFirst: Bool, _ output: inout OutputBuffer) {
    for (number, row) in table.cells.enumerated() {
      let label = table.labels[number]
      guard label != nil || !table.names.isEmpty else {
        output.write(line: row.map(\.text).joined())
        continue
      }
      if number > 0 || !isFirst { output.write(line: "") }
      if let label { output.write(line: label) }
      for line in TableText.aligned(zip(table.names, row).map { ["  \($0)", $1.text] }, output) {
        output.write(line: line)
      }
    }
  }

  /// A header and a line for each row (RFC 4180); nil is an empty field, an empty string is `""`.
  static func writeCSV(_ table: Table, isFirst: Bool, _ output: inout OutputBuffer) {
    guard !table.names.isEmpty else {
      for row in table.cells { output.write(line: row.map(csv).joined(separator: ",")) }
      return
    }
    if isFirst { output.write(line: table.names.map(\.csvField).joined(separator: ",")) }
    for row in table.cells { output.write(line: row.map(csv).joined(separator: ",")) }
  }

  /// A JSON object for each row; a plain value as it is.
  static func writeJSONLines(_ rows: [OutputValue], _ output: inout OutputBuffer) {
    for row in rows { output.write(line: JSONRenderer.text(row.fields.map { .row($0) } ?? row)) }
  }

  private static func csv(_ cell: Table.Cell) -> String { cell.isNil ? "" : cell.text.csvField }

  static func writeMarkdown(_ table: Table, isFirst: Bool, _ output: inout OutputBuffer) {
    let columns = table.columns
    if isFirst, !table.cells.isEmpty {
      let first = columns.hasLabels ? ["object"] : []
      output.write(
        line: markdown(columns.names.isEmpty ? ["value"] : first + columns.names.map(markdownCell)))
      let isNumeric =
        columns.names.isEmpty ? [false] : first.map { _ in false } + columns.isNumeric
      output.write(line: markdown(isNumeric.map { $0 ? "--:" : "---" }))
    }
    for (label, row) in zip(table.labels, table.cells) {
      let leading = columns.names.isEmpty || !columns.hasLabels ? [] : [label ?? ""]
      output.write(line: markdown((leading + row.map(\.text)).map(markdownCell)))
    }
  }

  /// A table without rows.
  static func writeMarkdown(header: [String], _ output: inout OutputBuffer) {
    output.write(line: markdown(header.map(markdownCell)))
    output.write(line: markdown(header.map { _ in "---" }))
  }

  private static func markdown(_ cells: [String]) -> String {
    "| \(cells.joined(separator: " | ")) |"
  }

  /// Escapes bars and line breaks, which would end the cell or the row. A backslash before a bar is doubled, so that it does
  /// not escape the backslash of the bar.
  private static func markdownCell(_ text: String) -> String {
    var cell: [UInt8] = []
    var backslashes = 0
    var isAfterReturn = false
    for byte in text.utf8 {
      switch byte {
      case Byte.newline where isAfterReturn: break
      case Byte.newline, Byte.carriageReturn: cell += "<br>".utf8
      case Byte.bar:
        cell += [UInt8](repeating: Byte.backslash, count: backslashes + 1)
        cell.append(byte)
      default: cell.append(byte)
      }
      backslashes = byte == Byte.backslash ? backslashes + 1 : 0
      isAfterReturn = byte == Byte.carriageReturn
    }
    return String(decoding: cell, as: UTF8.self)
  }
}

extension String {
  /// The text as a CSV field, quoted if necessary.
  var csvField: String {
    var field: [UInt8] = []
    field.append(csvField: self)
    return String(decoding: field, as: UTF8.self)
  }
}

extension [UInt8] {
  /// Appends a text as a CSV field, quoted if necessary.
  mutating func append(csvField text: String) {
    var text = text
    text.withUTF8 { bytes in
      guard bytes.isEmpty || bytes.contains(where: Self.isQuotedInCSV) else {
        return append(contentsOf: bytes)
      }
      append(Byte.doubleQuote)
      for byte in bytes {
        if byte == Byte.doubleQuote { append(byte) }
        append(byte)
      }
      append(Byte.doubleQuote)
    }
  }

  @inline(__always)
  private static func isQuotedInCSV(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\n"), UInt8(ascii: "\r"): true
    default: false
    }
  }
}
