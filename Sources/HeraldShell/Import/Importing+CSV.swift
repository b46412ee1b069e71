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
    var values = [Value](repeating: .null, count: columns.count)
    let forms = columns.map(\.form)
    // A key is looked up for each row.
    var batch = classSchema.primaryKey == nil ? RowBatch(columns.map(\.property.name)) : nil
    while try reader.next(count: names.count) {
      count += 1
      var isPlain = numberIndex == nil
      for position in forms.indices where isPlain {
        guard let value = Self.value(in: &reader, forms[position]) else {
          isPlain = false
          break
        }
        values[position] = value
      }
      var row = Row(line: reader.line, number: count)
      if isPlain, !columns.isEmpty {
        if batch == nil {
          try add(zip(columns, values).map { ($0.property.name, .value($1)) }, row)
        } else {
          batch?.append(values, line: row.line, number: row.number)
        }
      } else {
        try add(&batch)
        for column in columns {
          let field = try reader.field(column.form.index)
          try take(
            ImportRecord.Entry(name: column.name, content: .field(field)), column.property, &row)
        }
        if let numberIndex {
          let content = ImportRecord.Content.field(try reader.field(numberIndex))
          row.key = try objectNumber(content, row.position(names[numberIndex]))
        }
        try add(row)
      }
      if count % RowBatch.limit == 0 {
        try add(&batch)
        try progress(count)
      }
    }
    try add(&batch)
  }

  /// Adds the rows of a batch, and empties it.
  private func add(_ batch: inout RowBatch?) throws {
    guard let (line, number) = batch?.first, let contents = batch?.contents, batch?.isEmpty == false
    else { return }
    batch?.removeAll()
    try adding(at: line, number) {
      let numbers = try store.insert(classSchema.name, columns: contents)
      added?.note(classSchema.id, numbers)
    }
  }

  /// The value of a field; nil if another way to read it must decide.
  @inline(__always)
  private static func value(in reader: inout CSVReader, _ form: FieldForm) -> Value? {
    guard form.isPlain else { return nil }
    let bytes = reader.bytes(form.index)
    let isQuoted = reader.isQuoted(form.index)
    if bytes.isEmpty {
      if !isQuoted, form.isOptional { return .null }
      if form.element == .string { return .string("") }
    }
    return CellText.value(bytes, isQuoted: isQuoted, form.element)
  }

  private func add(_ contents: [NamedContent], _ row: Row) throws {
    try adding(at: row.line, row.number) {
      let object = try store.add(classSchema.name, contents)
      added?.note(object)
    }
  }

  /// Runs `body`, whose errors are those of a record.
  private func adding(at line: Int, _ number: Int, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as HeraldError {
      throw Diagnostic.importing(
        file: file, position: "line \(line), record \(number)", reason: error.message)
    }
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
