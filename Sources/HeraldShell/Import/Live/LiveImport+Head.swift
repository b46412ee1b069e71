import Herald

/// What stands before the records of a file that has replaced the first one.
extension LiveImport {
  /// Returns the number of lines before the first record of a file that has replaced another; nil where more have to come.
  ///
  /// A header, of which at least half of the names are those of columns before it or of properties, and the others are no
  /// numbers, says in which order its columns are; a file that was emptied goes on without one.
  func head(of batch: LineBatch) -> Int? {
    guard let first = content(of: batch).first else { return nil }
    guard filesHaveHeaders else { return first }
    let delimiter = syntax.form.delimiter
    syntax.form.delimiter = self.delimiter
    let begin = try? dataBegin(batch)
    let found = try? reader(of: batch)
    syntax.form.delimiter = delimiter
    // Only comments, and what names the delimiter.
    let isOpen = content(of: batch).allSatisfy { line in
      batch[line..<line + 1].first == Byte.number
        || batch[line..<line + 1].starts(with: Array("sep=".utf8))
    }
    if isOpen { return nil }
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

  /// Takes what is known of the columns, of which the header may have some.
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
