import Herald

extension Importing {
  /// How the fields of a column are read; a trivial type, so that a row retains nothing for it.
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
    var contents: [NamedContent] = columns.map { ($0.property.name, .value(.null)) }
    let forms = columns.map(\.form)
    while try reader.next(count: names.count) {
      count += 1
      var isPlain = numberIndex == nil
      for position in forms.indices where isPlain {
        guard let value = Self.value(in: &reader, forms[position]) else {
          isPlain = false
          break
        }
        contents[position].content = .value(value)
      }
      var row = Row(line: reader.line, number: count)
      if isPlain {
        try add(contents, row)
      } else {
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
      if count % 1_000 == 0 { try progress(count) }
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
    do {
      let object = try store.add(classSchema.name, contents)
      added?.note(object)
    } catch let error as HeraldError {
      throw Diagnostic.importing(
        file: file, position: "line \(row.line), record \(row.number)", reason: error.message)
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
