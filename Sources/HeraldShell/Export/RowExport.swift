import Herald

/// Rows in a format that `import` reads.
struct RowExport {
  private let format: ExportFormat
  /// The first line of CSV; nil if nothing is known of the columns.
  private let header: String?
  let count: Int
  /// The text of a row.
  private let row: (Int) throws -> String

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

  /// The line of a row.
  func line(_ index: Int) throws -> String {
    let text = try row(index)
    return format == .array ? "  \(text)\(index < count - 1 ? "," : "")" : text
  }

  /// The line after the rows; nil for none.
  var closing: String? { format == .array && count > 0 ? "]" : nil }
}
