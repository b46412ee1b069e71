import Herald

/// Rows in a format that `import` reads.
struct RowExport {
  let format: ExportFormat
  /// The first line of CSV; nil if nothing is known of the columns.
  let header: String?
  let count: Int
  /// The text of a row.
  let row: (Int) throws -> String

  init(
    format: ExportFormat, header: String?, count: Int, row: @escaping (Int) throws -> String
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
    ) { row in
      let values = try values(row)
      return format == .csv
        ? try values.map(text.field).joined(separator: ",") : try text.object(names, values)
    }
  }

  init(_ rows: ColumnRows, _ format: ExportFormat) {
    self.init(
      rows.names, ExportText(store: rows.columns.store), format, count: rows.objects.count,
      values: rows.values)
  }

  /// - Parameters:
  ///   - line: Writes a line, given without its newline.
  ///   - isWanted: Called before each row; false ends it.
  func write(to line: (String) throws -> Void, while isWanted: () throws -> Bool) throws {
    switch format {
    case .array: try line(count == 0 ? "[]" : "[")
    case .lines: break
    case .csv: if let header { try line(header) }
    }
    for index in 0..<count {
      guard try isWanted() else { return }
      let text = try row(index)
      try line(format == .array ? "  \(text)\(index < count - 1 ? "," : "")" : text)
    }
    if format == .array, count > 0 { try line("]") }
  }
}
