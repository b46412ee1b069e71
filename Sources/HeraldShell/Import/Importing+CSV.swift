import Herald

extension Importing {
  /// Adds the records of a CSV file. Rows of plain values, as most are, are read in place, and those of a long file on a
  /// thread of their own, ahead of those that are added.
  mutating func run(
    _ reader: CSVReader, _ names: [String], _ progress: (Int, Double) throws -> Void
  ) throws {
    try checkNamed(names)
    let (columns, numberIndex) = try self.columns(names)
    var reader = reader
    var kinds = [FieldNotation.Kind](repeating: .other, count: names.count)
    for column in columns {
      kinds[column.form.index] = FieldNotation.Kind(column.property.type)
    }
    reader.kinds = kinds
    let forms = columns.map(\.form)
    guard numberIndex == nil, !columns.isEmpty, forms.allSatisfy(\.isPlain) else {
      let number = numberIndex.map { (index: $0, name: names[$0]) }
      return try run(reader, names.count, columns, number, progress)
    }
    let insertion = insertion(of: columns)
    var rows = PlainRowReader(reader, forms, fieldCount: names.count)
    try addRows(&rows, columns, insertion, progress) { importing, rows in
      try importing.addAlone(&rows.reader, columns, progress)
      return true
    }
  }

  /// What adds rows of these columns together; nil if each has to be added alone.
  func insertion(of columns: [RowColumn]) -> RowInsertion? {
    updates || columns.isEmpty
      ? nil : store.insertion(of: classSchema.name, columns.map(\.property.name))
  }

  /// Adds the records of a CSV file with columns that are not plain. `number`: the column of their numbers in the file.
  private mutating func run(
    _ reader: CSVReader, _ fieldCount: Int, _ columns: [RowColumn],
    _ number: (index: Int, name: String)?, _ progress: (Int, Double) throws -> Void
  ) throws {
    var reader = reader
    while try reader.next(count: fieldCount) {
      count += 1
      try add(&reader, columns, number)
      if count % Self.recordsBetween == 0 { try progress(count, reader.progress) }
    }
  }

  /// Adds the object of the record that was read last.
  private mutating func addAlone(
    _ reader: inout CSVReader, _ columns: [RowColumn], _ progress: (Int, Double) throws -> Void
  ) throws {
    count += 1
    try add(&reader, columns, nil)
    if count % Self.recordsBetween == 0 { try progress(count, reader.progress) }
  }

  /// Adds the object of a record that has more than plain values. `number`: the column of its number in the file.
  private mutating func add(
    _ reader: inout CSVReader, _ columns: [RowColumn], _ number: (index: Int, name: String)?
  ) throws {
    var row = Row(line: reader.line, number: count)
    for column in columns {
      let field = try reader.field(column.form.index)
      try take(ImportRecord.Entry(name: column.name, content: .field(field)), column.property, &row)
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
  ) throws -> (columns: [RowColumn], numberIndex: Int?) {
    var columns: [RowColumn] = []
    var numberIndex: Int?
    var unknown: [String] = []
    plan.learn(names)
    for (index, name) in names.enumerated() {
      switch plan.target(of: name) {
      case .property(let property, _):
        columns.append(
          RowColumn(name: name, property: property, form: FieldForm(property.type, index: index)))
      case .number: numberIndex = index
      case .skipped: break
      case .unknown(let name): unknown.append(name)
      case .unclear(let reason):
        let position = Position(line: 1, record: 0, property: name)
        throw Diagnostic.importing(file: file, position: position.text, reason: reason)
      }
    }
    if !unknown.isEmpty { throw unknownColumns(unknown) }
    return (columns, numberIndex)
  }
}
