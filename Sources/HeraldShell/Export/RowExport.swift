import Herald
import Synchronization

/// Rows in a format that `import` reads.
struct RowExport {
  enum Rows {
    /// Objects of a class: they are read by several threads. `numbered`: those that are written with their numbers.
    case objects([ObjectHandle], ClassSchema?, numbered: Set<ObjectID>)
    /// Rows of columns, which are computed.
    case columns([String], count: Int, (Int) throws -> [Value])
  }

  private let store: DynamicStore
  fileprivate let format: ExportFormat
  fileprivate let rows: Rows
  /// The rows that one thread writes at a time.
  private static let rowsOfPart = 4_096

  init(_ rows: Rows, of store: DynamicStore, _ format: ExportFormat) {
    self.rows = rows
    self.store = store
    self.format = format
  }

  init(_ rows: ColumnRows, _ format: ExportFormat) {
    self.init(
      .columns(rows.names, count: rows.count, rows.values), of: rows.columns.store, format)
  }

  var count: Int {
    switch rows {
    case .objects(let objects, _, _): objects.count
    case .columns(_, let count, _): count
    }
  }

  /// The line before the rows, without its newline; nil for none.
  var opening: String? {
    switch format {
    case .array: count == 0 ? "[]" : "["
    case .lines: nil
    case .csv: header
    }
  }

  /// The first line of CSV; nil if nothing is known of the columns.
  private var header: String? {
    switch rows {
    case .objects(_, let classSchema, let numbered):
      classSchema.map { ExportText(store: store, numbered: numbered).header(of: $0) }
    case .columns(let names, _, _): names.map(\.csvField).joined(separator: ",")
    }
  }

  /// The line after the rows; nil for none.
  var closing: String? { format == .array && count > 0 ? "]" : nil }

  /// What makes the lines of the rows, as `store` reads them.
  fileprivate func lines(by store: DynamicStore) -> RowLines { RowLines(self, store) }

  /// What makes the lines of the rows.
  var lines: RowLines { lines(by: store) }
}

/// Makes the lines of rows, as one store reads them; what all of them need is found once. Used by one thread.
struct RowLines {
  private let export: RowExport
  private let store: DynamicStore
  private let text: ExportText
  /// The columns of objects; nil for rows of columns, and if nothing is known of them.
  private let columns: ExportText.Columns?

  fileprivate init(_ export: RowExport, _ store: DynamicStore) {
    self.export = export
    self.store = store
    switch export.rows {
    case .objects(_, let classSchema, let numbered):
      text = ExportText(store: store, numbered: numbered)
      columns = classSchema.map { ExportText.Columns($0) }
    case .columns:
      text = ExportText(store: store)
      columns = nil
    }
  }

  /// The line of a row.
  subscript(index: Int) -> String {
    get throws {
      var line: [UInt8] = []
      try append(index, to: &line)
      return String(decoding: line, as: UTF8.self)
    }
  }

  /// Appends the line of a row, without its newline.
  func append(_ index: Int, to line: inout [UInt8]) throws {
    if export.format == .array { line += "  ".utf8 }
    switch export.rows {
    case .objects(let objects, _, _):
      if let columns { try append(objects[index].read(by: store), columns, to: &line) }
    case .columns(let names, _, let values): try append(values(index), names, to: &line)
    }
    if export.format == .array, index < export.count - 1 { line.append(Byte.comma) }
  }

  private func append(
    _ object: ObjectHandle, _ columns: ExportText.Columns, to line: inout [UInt8]
  ) throws {
    switch export.format {
    case .csv: try text.append(object, columns, to: &line)
    case .lines, .array: try text.append(asJSON: object, columns, to: &line)
    }
  }

  private func append(_ values: [Value], _ names: [String], to line: inout [UInt8]) throws {
    switch export.format {
    case .csv: try text.append(values, to: &line)
    case .lines, .array: line += try text.object(names, values).utf8
    }
  }
}

// MARK: Files

extension RowExport {
  /// Writes all lines to a file, without a newline after `closing`. Memory that reading takes is released at intervals.
  /// Errors: those of reading and writing; an interruption at `span`.
  func write(to file: OutputFile, _ span: SourceSpan, _ context: Context) throws {
    if let line = opening { try file.write(line + "\n") }
    let parts = (count + Self.rowsOfPart - 1) / Self.rowsOfPart
    switch rows {
    case .objects: try writeConcurrently(parts, to: file)
    case .columns:
      for part in 0..<parts {
        try context.checkInterruption(span)
        try file.write(lines(ofPart: part, by: store))
      }
    }
    try context.checkInterruption(span)
    if let line = closing { try file.write(line) }
  }

  private func writeConcurrently(_ parts: Int, to file: OutputFile) throws {
    let output = OrderedParts(file)
    // What the rows consist of is only read, while this thread waits.
    nonisolated(unsafe) let rows = self
    store.readConcurrently(parts) { part, store in
      output.write(part) { () throws in try rows.lines(ofPart: part, by: store) }
    }
    try output.check()
  }

  /// The text of the rows of a part.
  private func lines(ofPart part: Int, by store: DynamicStore) throws -> [UInt8] {
    let (rows, start) = (lines(by: store), part * Self.rowsOfPart)
    let end = min(count, start + Self.rowsOfPart)
    var text: [UInt8] = []
    for index in start..<end {
      try rows.append(index, to: &text)
      text.append(Byte.newline)
    }
    // Which costs a look at the process's mappings.
    if end % RowPrinter.releaseInterval == 0 { store.releaseMemory() }
    return text
  }
}

/// A file whose parts are made by several threads, and written in their order.
///
/// `@unchecked Sendable`: `file` is used under the lock of `state`.
private final class OrderedParts: @unchecked Sendable {
  private struct State {
    /// Parts that wait for those before them.
    var finished: [Int: [UInt8]] = [:]
    /// The part that is written next.
    var next = 0
    var error: (any Error)?
  }
  private let file: OutputFile
  private let state = Mutex(State())

  init(_ file: OutputFile) { self.file = file }

  /// Writes a part once those before it are written. Does nothing after an error.
  func write(_ part: Int, _ text: () throws -> [UInt8]) {
    if state.withLock({ $0.error != nil }) { return }
    let made = Result { try text() }
    state.withLock { state in
      do {
        state.finished[part] = try made.get()
        while let text = state.finished.removeValue(forKey: state.next) {
          try file.write(text)
          state.next += 1
        }
      } catch {
        state.error = state.error ?? error
      }
    }
  }

  /// Throws the first error of a part.
  func check() throws {
    if let error = state.withLock({ $0.error }) { throw error }
  }
}
