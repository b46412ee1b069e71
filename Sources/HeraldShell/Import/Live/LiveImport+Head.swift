import Herald

/// The header of a file that replaced the first one.
extension LiveImport {
  /// Returns the number of lines before the first record of a file that replaced another; nil until its header is complete.
  ///
  /// A record is a header if at least half of its fields are names of known columns or properties, and the others are not
  /// numbers. Then it gives the order of the columns. A file without one, such as one that was emptied, has the columns of the
  /// last header.
  func head(of batch: LineBatch) -> Int? {
    guard let first = content(of: batch).first else { return nil }
    guard filesHaveHeaders else { return first }
    // Comments, and a line that names the delimiter, come before the header.
    let hasNoRecord = content(of: batch).allSatisfy { line in
      batch[line..<line + 1].first == Byte.number
        || batch[line..<line + 1].starts(with: Array("sep=".utf8))
    }
    if hasNoRecord { return nil }
    let delimiter = syntax.form.delimiter
    syntax.form.delimiter = self.delimiter
    let begin = try? dataBegin(batch)
    let found = try? reader(of: batch)
    syntax.form.delimiter = delimiter
    guard let begin, let found, let dialect = found.csv?.dialect, isHeader(found.columns) else {
      return first
    }
    syntax.form.delimiter = dialect.delimiter
    header = headerLine(batch, before: begin, found.columns, dialect.delimiter)
    take(allColumns)
    return begin
  }

  private func isHeader(_ names: [String]) -> Bool {
    let known = KeySet(columnsOfHeader)
    let classSchema = (try? context.store)?.schema.classSchema(named: syntax.className.text)
    let others = names.filter { name in
      !known.contains(name) && classSchema?.property(forColumn: name) == nil
    }
    return 2 * others.count <= names.count && others.allSatisfy { Double($0) == nil }
  }

  private var columnsOfHeader: [String] { (try? file(header).reader().columns) ?? [] }

  /// Sets what is known of all columns, and applies it to those that the header has.
  func take(_ columns: ColumnChoice) {
    allColumns = columns
    syntax.columns = columns
    if header.isEmpty { return }
    let names = columnsOfHeader
    let here = KeySet(names)
    syntax.columns.entries.removeAll { !here.contains($0.column) }
    hasNewColumns = !columns.skipsOthers && names.contains { !columns.names($0) }
  }
}
