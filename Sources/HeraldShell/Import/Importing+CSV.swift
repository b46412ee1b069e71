import Herald

extension Importing {
  /// A column of a CSV file that becomes a property.
  private struct Column {
    let name: String
    let property: PropertySchema
    let form: FieldForm
  }

  /// After how many records the rest of a file is read on another thread.
  private static let recordsAlone = 1 << 14

  /// Adds the records of a CSV file. Rows of plain values, as most are, are read in place, and those of a long file on a
  /// thread of their own, ahead of those that are added.
  mutating func run(
    _ reader: CSVReader, _ names: [String], _ progress: (Int, Double) throws -> Void
  ) throws {
    try checkNamed(names)
    let (columns, numberIndex) = try self.columns(names)
    let forms = columns.map(\.form)
    guard numberIndex == nil, !columns.isEmpty, forms.allSatisfy(\.isPlain) else {
      let number = numberIndex.map { (index: $0, name: names[$0]) }
      return try run(reader, names.count, columns, number, progress)
    }
    let insertion = store.insertion(of: classSchema.name, columns.map(\.property.name))
    var reader = PlainRowReader(reader, forms, fieldCount: names.count)
    let rows = PlainRows(columnCount: columns.count)
    var pause = Self.recordsAlone
    var readsAhead = SystemThread.isUseful ? pause : .max
    while true {
      if reader.count >= readsAhead {
        let rest = try RowsAhead.run(reader) { try add($0, columns, insertion, progress) }
        if let rest {
          reader = rest.reader
          switch rest.ending {
          case .endOfFile, .cancelled: return
          case .failure(let failure): throw failure
          case .other: try addAlone(&reader.reader, columns, progress)
          }
        }
        // In a file with many such records, starting a thread for each would take longer.
        pause *= 2
        readsAhead = reader.count + pause
      }
      let stop = reader.fill(rows)
      try add(rows, columns, insertion, progress)
      rows.removeAll()
      switch stop {
      case .full: break
      case .window: if try !reader.next() { return }
      case .other: try addAlone(&reader.reader, columns, progress)
      case .failure(let failure): throw failure
      }
    }
  }

  /// Adds the records of a CSV file with columns that are not plain. `number`: the column of their numbers in the file.
  private mutating func run(
    _ reader: CSVReader, _ fieldCount: Int, _ columns: [Column],
    _ number: (index: Int, name: String)?, _ progress: (Int, Double) throws -> Void
  ) throws {
    var reader = reader
    while try reader.next(count: fieldCount) {
      count += 1
      try add(&reader, columns, number)
      if count % Self.recordsBetween == 0 { try progress(count, reader.progress) }
    }
  }

  /// The number of rows that are added at once.
  private static let rowsAtOnce = 256

  /// Adds the object of the record that was read last.
  private mutating func addAlone(
    _ reader: inout CSVReader, _ columns: [Column], _ progress: (Int, Double) throws -> Void
  ) throws {
    count += 1
    try add(&reader, columns, nil)
    if count % Self.recordsBetween == 0 { try progress(count, reader.progress) }
  }

  /// Adds the objects of rows.
  private mutating func add(
    _ rows: PlainRows, _ columns: [Column], _ insertion: RowInsertion?,
    _ progress: (Int, Double) throws -> Void
  ) throws {
    var next = 0
    while next < rows.count {
      let some = next..<min(rows.count, next + Self.rowsAtOnce)
      if let insertion, insertion.addsRows {
        try add(rows, some, columns, insertion)
      } else {
        for row in some { try add(rows, row, columns, insertion) }
      }
      next = some.upperBound
      let before = count
      count += some.count
      if before / Self.recordsBetween < count / Self.recordsBetween {
        try progress(count / Self.recordsBetween * Self.recordsBetween, rows.progress)
      }
    }
  }

  /// Adds some of the rows together.
  @inline(__always)
  private func add(
    _ rows: PlainRows, _ some: Range<Int>, _ columns: [Column], _ insertion: RowInsertion
  ) throws {
    do {
      if let numbers = try insertion.add(rows: rows.values(some)) {
        added?.note(classSchema.id, numbers)
      } else {
        for row in some { try add(rows, row, columns, nil) }
      }
    } catch let error as HeraldError {
      throw failure(of: error, at: rows.position(some.upperBound - 1))
    }
  }

  /// Adds one of the rows.
  @inline(__always)
  private func add(
    _ rows: PlainRows, _ row: Int, _ columns: [Column], _ insertion: RowInsertion?
  ) throws {
    let values = rows.values(row..<row + 1)
    do {
      if let number = try insertion?.add(values) {
        added?.note(classSchema.id, number..<number + 1)
        return
      }
      let contents = zip(columns, values).map { NamedContent($0.property.name, .value($1.value)) }
      let object = try store.add(classSchema.name, contents)
      added?.note(object)
    } catch let error as HeraldError {
      throw failure(of: error, at: rows.position(row))
    }
  }

  private func failure(
    of error: HeraldError, at position: (line: Int, record: Int)
  ) -> Diagnostic {
    .importing(
      file: file, position: "line \(position.line), record \(position.record)",
      reason: error.message)
  }

  /// Adds the object of a record that has more than plain values. `number`: the column of its number in the file.
  private mutating func add(
    _ reader: inout CSVReader, _ columns: [Column], _ number: (index: Int, name: String)?
  ) throws {
    var row = Row(line: reader.line, number: count)
    for column in columns {
      let field = try reader.field(column.form.index)
      try take(
        ImportRecord.Entry(name: column.name, content: .field(field)), column.property, &row)
    }
    if let number {
      let content = ImportRecord.Content.field(try reader.field(number.index))
      row.key = try objectNumber(content, row.position(number.name))
    }
    try add(row)
  }

  /// The columns that become properties, and the position of the one with the numbers of objects.
  private mutating func columns(
    _ names: [String]
  ) throws -> (columns: [Column], numberIndex: Int?) {
    var columns: [Column] = []
    var numberIndex: Int?
    var unknown: [String] = []
    for (index, name) in names.enumerated() {
      switch plan.target(of: name) {
      case .property(let property, _):
        columns.append(
          Column(
            name: name, property: property, form: FieldForm(property.type, index: index)))
      case .number: numberIndex = index
      case .skipped: break
      case .unknown: unknown.append(name)
      }
    }
    if !unknown.isEmpty { throw unknownColumns(unknown) }
    return (columns, numberIndex)
  }
}
