import Herald

/// Output of many rows, which are written while they are read: the first are there at once, memory does not
/// grow with their number, and an interruption ends it.
struct RowPrinter {
  let context: Context

  /// The rows that determine the columns of a table and their widths.
  private static let firstRows = 1_000
  /// The rows that are read, and then written, together.
  private static let rows = 256
  /// The rows after which the memory of the pages that were read is released.
  static let releaseInterval = 16_384

  /// Shows rows as a table, at the prompt only those that fit the window.
  ///
  /// - Parameters:
  ///   - header: The columns of a table without rows.
  ///   - smallest: The smallest widths of columns, before which the last ones are left out.
  func show(
    _ count: Int, header: [String] = [], smallest: [Int] = [], _ row: (Int) throws -> OutputValue
  ) throws {
    var window = context.shell.window
    if count == 0, window != nil, context.shell.mode == .text || context.shell.mode == .line {
      try context.session.store?.checkIntact()
      return context.shell.output.write(line: "0 rows")
    }
    let limit =
      context.shell.options.cutsTables && context.shell.mode == .text ? window?.tableRows : nil
    // A pager scrolls to the columns that the window has no room for.
    if let rows = window?.rows, context.shell.options.isPaged, count >= rows {
      window?.columns = .max
    }
    var table = TableWriter(context.shell.mode, in: window, smallest: smallest)
    let shown = min(count, limit ?? count)
    try write(shown, row) { rows in
      if table.isFirst, window != nil { table.keyName = keyName(of: rows) }
      table.write(rows, header: header, &context.shell.output)
    }
    table.end(more: count - shown, &context.shell.output)
  }

  /// The name of the primary key of objects of one class; nil if they have none.
  private func keyName(of rows: [OutputValue]) -> String? {
    guard case .object(let label, _)? = rows.first,
      rows.allSatisfy({
        if case .object(let other, _) = $0 { other.className == label.className } else { false }
      })
    else { return nil }
    return context.session.store?.schema.classSchema(named: label.className)?.primaryKey?.name
  }

  /// Shows rows that are not objects, with values of `store`.
  func show(
    _ count: Int, _ names: [String], of store: DynamicStore,
    row values: @escaping (Int) throws -> [Value]
  ) throws {
    if let format = context.shell.mode.rowFormat {
      return try emit(RowExport(.columns(names, count: count, values), of: store, format))
    }
    let session = context.session.reading(store)
    try show(count, header: names) { row in
      OutputValue.row(try session.fields(names, values(row)))
    }
  }

  /// Prints the objects of results, one a line.
  func print(_ results: DynamicResults) throws {
    let objects = try results.objects
    let row = { (row: Int) in
      try context.session.output(objects[row], of: results)
    }
    if context.shell.mode == .json { return try show(objects.count, row) }
    if objects.isEmpty { return context.emit(.values([.list([])])) }
    try write(objects.count, row) { rows in
      for row in rows { context.shell.output.write(line: LiteralText.text(row)) }
    }
  }

  /// Writes rows to the output as they are, whatever the mode.
  func emit(_ rows: RowExport) throws {
    if let line = rows.opening { context.shell.output.write(line: line) }
    let rowLines = rows.lines
    func line(_ index: Int) throws -> String { try rowLines[index] }
    try write(rows.count, line) { lines in
      for line in lines { context.shell.output.write(line: line) }
    }
    if let line = rows.closing { context.shell.output.write(line: line) }
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
          if context.shell.interruption.isRequested { throw HeraldError.interrupted }
          return try row(number)
        }
        try context.session.store?.checkIntact()
        write(piece)
        if end / Self.releaseInterval > start / Self.releaseInterval {
          context.session.store?.releaseMemory()
        }
        start = end
      } while start < count && context.shell.output.sink.isRead
    } catch {
      context.shell.output.endLine()
      throw error
    }
  }

  /// Writes a remark to a terminal if the query has no rows.
  func remark(on query: QuerySyntax, count: Int) {
    guard count == 0, context.shell.window != nil,
      context.shell.mode == .text || context.shell.mode == .line,
      let predicate = query.tail?.predicate
    else { return }
    let className: String? = if case .className(let name) = query.origin { name.text } else { nil }
    let properties =
      className.flatMap { context.session.store?.schema.classSchema(named: $0)?.properties } ?? []
    for remark in predicate.remarks(properties.map(\.name)) {
      context.shell.output.write(line: "hint: \(remark)")
    }
  }

  func remark(on expression: ExpressionSyntax, count: Int) {
    guard case .query(let query) = expression.kind else { return }
    remark(on: query, count: count)
  }
}
