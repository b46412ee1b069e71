import Herald

/// Rows in a format that `import` reads.
struct RowExport {
  private let format: ExportFormat
  /// The first line of CSV; nil if nothing is known of the columns.
  private let header: String?
  let count: Int
  /// Appends the text of a row.
  private let row: (Int, inout [UInt8]) throws -> Void

  init(
    format: ExportFormat, header: String?, count: Int,
    row: @escaping (Int, inout [UInt8]) throws -> Void
  ) {
    self.format = format
    self.header = header
    self.count = count
    self.row = row
  }

  init(
    _ names: [String], _ text: ExportText, _ format: ExportFormat, count: Int,
    values: @escaping (Int) throws -> [Value]
  ) {
    self.init(
      format: format, header: names.map(\.csvField).joined(separator: ","), count: count
    ) { row, line in
      let values = try values(row)
      if format == .csv {
        try text.append(values, to: &line)
      } else {
        line += try text.object(names, values).utf8
      }
    }
  }

  init(_ rows: ColumnRows, _ format: ExportFormat) {
    self.init(
      rows.names, ExportText(store: rows.columns.store), format, count: rows.count,
      values: rows.values)
  }

  /// The line before the rows, without its newline; nil for none.
  var opening: String? {
    switch format {
    case .array: count == 0 ? "[]" : "["
    case .lines: nil
    case .csv: header
    }
  }

  /// Appends the line of a row, without its newline.
  func append(_ index: Int, to line: inout [UInt8]) throws {
    if format == .array { line += "  ".utf8 }
    try row(index, &line)
    if format == .array, index < count - 1 { line.append(Byte.comma) }
  }

  /// Writes all lines to a file, without a newline after `closing`. Memory that reading takes is released at intervals.
  /// Errors: those of reading and writing; an interruption at `span`.
  func write(to file: OutputFile, _ span: SourceSpan, _ context: Context) throws {
    if let line = opening { try file.write(line + "\n") }
    var line: [UInt8] = []
    for row in 0..<count {
      try context.checkInterruption(span)
      if row % RowPrinter.releaseInterval == 0 { context.session.store?.releaseMemory() }
      line.removeAll(keepingCapacity: true)
      try append(row, to: &line)
      line.append(Byte.newline)
      try file.write(line)
    }
    if let line = closing { try file.write(line) }
  }

  /// The line of a row.
  func line(_ index: Int) throws -> String {
    var line: [UInt8] = []
    try append(index, to: &line)
    return String(decoding: line, as: UTF8.self)
  }

  /// The line after the rows; nil for none.
  var closing: String? { format == .array && count > 0 ? "]" : nil }
}
