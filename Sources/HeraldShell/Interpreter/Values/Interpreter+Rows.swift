import Herald

/// Output of many rows, which are written while they are read: the first are there at once, memory does not
/// grow with their number, and an interruption ends it.
extension Context {
  /// The rows that determine the columns of a table and their widths.
  private static let firstRows = 1_000
  /// The rows that are read, and then written, together.
  private static let rows = 256
  /// The rows after which the memory of the pages that were read is released.
  static let releaseInterval = 16_384

  /// Shows rows as a table, at the prompt only those that fit the window. `smallest`: the smallest widths of columns, before
  /// which the last ones are left out.
  func show(_ count: Int, smallest: [Int] = [], _ row: (Int) throws -> OutputValue) throws {
    var window = shell.window
    if count == 0, window != nil, shell.mode == .text || shell.mode == .line {
      try session.store?.checkIntact()
      return shell.output.write(line: "0 rows")
    }
    let limit = shell.options.cutsTables && shell.mode == .text ? window?.tableRows : nil
    // A pager scrolls to the columns that the window has no room for.
    if let rows = window?.rows, shell.options.isPaged, count >= rows { window?.columns = .max }
    var table = TableWriter(shell.mode, in: window, smallest: smallest)
    let shown = min(count, limit ?? count)
    try write(shown, row) { table.write($0, &shell.output) }
    table.end(more: count - shown, &shell.output)
  }

  /// Prints the objects of results, one a line.
  func print(_ results: DynamicResults) throws {
    let objects = try results.objects
    let row = { (row: Int) in
      try session.output(objects[row], of: results)
    }
    if shell.mode == .json { return try show(objects.count, row) }
    if objects.isEmpty { return emit(.values([.list([])])) }
    try write(objects.count, row) { rows in
      for row in rows { shell.output.write(line: LiteralText.text(row)) }
    }
  }

  /// Writes rows to the output as they are, whatever the mode.
  func emit(_ rows: RowExport) throws {
    if let line = rows.opening { shell.output.write(line: line) }
    try write(rows.count, rows.line) { lines in
      for line in lines { shell.output.write(line: line) }
    }
    if let line = rows.closing { shell.output.write(line: line) }
  }

  /// Reads rows piece by piece, and writes each piece unless the store turned out to be damaged.
  private func write<Row>(
    _ count: Int, _ row: (Int) throws -> Row, _ write: ([Row]) -> Void
  ) throws {
    var start = 0
    do {
      repeat {
        let end = min(count, start + (start == 0 ? Self.firstRows : Self.rows))
        let piece = try (start..<end).map { number in
          if shell.interruption.isRequested { throw HeraldError.interrupted }
          return try row(number)
        }
        try session.store?.checkIntact()
        write(piece)
        if end / Self.releaseInterval > start / Self.releaseInterval {
          session.store?.releaseMemory()
        }
        start = end
      } while start < count && shell.output.sink.isRead
    } catch {
      shell.output.endLine()
      throw error
    }
  }
}

extension Interpreter {
  /// The window in which rows are written; nil if the output does not go to a window.
  var window: Window? { isRedirected ? nil : options.window?() }
}
