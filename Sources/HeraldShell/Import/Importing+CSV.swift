import Herald

extension Importing {
  /// How the fields of a column are read; a trivial type, so that reading a row retains no object.
  private struct FieldForm {
    let index: Int
    /// Whether fields are mostly read without making a string of them.
    let isPlain: Bool
    let element: ElementType
    let isOptional: Bool
  }

  /// A column of a CSV file that becomes a property.
  private struct Column {
    let name: String
    let property: PropertySchema
    let form: FieldForm
  }

  /// Adds the records of a CSV file. A row of plain values, as most are, is read in place.
  mutating func run(
    _ reader: CSVReader, _ names: [String], _ progress: (Int) throws -> Void
  ) throws {
    var reader = reader
    try checkNamed(names)
    let (columns, numberIndex) = try self.columns(names)
    let forms = columns.map(\.form)
    let mayBePlain = numberIndex == nil && !columns.isEmpty && forms.allSatisfy(\.isPlain)
    let insertion =
      mayBePlain ? store.insertion(of: classSchema.name, columns.map(\.property.name)) : nil
    let batch = insertion.flatMap { PlainRows($0, count: columns.count) }
    let values = UnsafeMutableBufferPointer<PlainValue>.allocate(capacity: columns.count)
    defer { values.deallocate() }
    while true {
      if !reader.nextInPlace() {
        // The texts of the rows are in the part of the file that is read now.
        try add(batch, columns)
        guard try reader.next() else { break }
      }
      try reader.check(count: names.count)
      count += 1
      if mayBePlain, let batch {
        if Self.read(&reader, forms, into: batch.next), batch.take(at: (reader.line, count)) {
          if batch.isFull { try add(batch, columns) }
        } else {
          try add(batch, columns)
          try addAlone(&reader, forms, columns, into: values, insertion)
        }
      } else if mayBePlain {
        try addAlone(&reader, forms, columns, into: values, insertion)
      } else {
        try add(&reader, columns, numberIndex.map { (index: $0, name: names[$0]) })
      }
      if count % 1_000 == 0 { try progress(count) }
    }
  }

  /// Adds the object of the record that was read last, whose columns are plain.
  @inline(__always)
  private mutating func addAlone(
    _ reader: inout CSVReader, _ forms: [FieldForm], _ columns: [Column],
    into values: UnsafeMutableBufferPointer<PlainValue>, _ insertion: RowInsertion?
  ) throws {
    guard let base = values.baseAddress, Self.read(&reader, forms, into: base) else {
      return try add(&reader, columns, nil)
    }
    if let number = try adding(at: reader.line, { try insertion?.add(.init(values)) }) {
      added?.note(classSchema.id, number..<number + 1)
    } else {
      try add(UnsafeBufferPointer(values), columns, at: reader.line)
    }
  }

  /// Adds the objects of the rows that were read, and empties them.
  private func add(_ rows: PlainRows?, _ columns: [Column]) throws {
    guard let rows, rows.count > 0 else { return }
    defer { rows.removeAll() }
    do {
      if let numbers = try rows.insertion.add(rows: rows.values) {
        added?.note(classSchema.id, numbers)
      } else {
        for row in 0..<rows.count { try add(rows[row], columns, at: rows.last.line) }
      }
    } catch let error as HeraldError {
      throw failure(of: error, at: rows.last)
    }
  }

  /// Runs `body`, whose errors are those of the record that was read last.
  @inline(__always)
  private func adding<Result>(at line: Int, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as HeraldError {
      throw failure(of: error, at: (line, count))
    }
  }

  private func failure(
    of error: HeraldError, at position: (line: Int, record: Int)
  ) -> Diagnostic {
    .importing(
      file: file, position: "line \(position.line), record \(position.record)",
      reason: error.message)
  }

  /// Adds an object with plain values of the columns' properties.
  private func add(
    _ values: UnsafeBufferPointer<PlainValue>, _ columns: [Column], at line: Int
  ) throws {
    let contents = zip(columns, values).map { NamedContent($0.property.name, .value($1.value)) }
    let object = try adding(at: line) { try store.add(classSchema.name, contents) }
    added?.note(object)
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

  /// Reads the fields of a record; returns false if another way to read one must decide.
  @inline(__always)
  private static func read(
    _ reader: inout CSVReader, _ forms: [FieldForm],
    into values: UnsafeMutablePointer<PlainValue>
  ) -> Bool {
    for position in forms.indices {
      let form = forms[position]
      let bytes = reader.bytes(form.index)
      let isQuoted = reader.isQuoted(form.index)
      if bytes.isEmpty, !isQuoted, form.isOptional {
        values[position] = .null
      } else if let value = CellText.value(bytes, isQuoted: isQuoted, form.element) {
        values[position] = value
      } else {
        return false
      }
    }
    return true
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
        let type = property.type
        columns.append(
          Column(
            name: name, property: property,
            form: FieldForm(
              index: index, isPlain: type.shape == .single && type.element.isPlain,
              element: type.element, isOptional: type.isOptional)))
      case .number: numberIndex = index
      case .skipped: break
      case .unknown: unknown.append(name)
      }
    }
    if !unknown.isEmpty { throw unknownColumns(unknown) }
    return (columns, numberIndex)
  }
}

extension ElementType {
  /// Whether a value is neither a link nor of any type.
  fileprivate var isPlain: Bool {
    switch self {
    case .bool, .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID: true
    case .link, .any: false
    }
  }
}
