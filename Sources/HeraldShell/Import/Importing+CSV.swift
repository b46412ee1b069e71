import Herald

extension Importing {
  /// A column of a CSV file that becomes a property.
  private struct Column {
    let index: Int
    let name: String
    let property: PropertySchema
    /// Whether fields of it are mostly read without making a string of them.
    let isPlain: Bool
    let element: ElementType
    let isOptional: Bool
  }

  /// Adds the records of a CSV file. A row of plain values, as most are, is read in place.
  mutating func run(
    _ reader: CSVReader, _ names: [String], _ progress: (Int) throws -> Void
  ) throws {
    var reader = reader
    try checkNamed(names)
    let (columns, numberIndex) = try self.columns(names)
    var contents: [NamedContent] = columns.map { ($0.property.name, .value(.null)) }
    while try reader.next(count: names.count) {
      count += 1
      var isPlain = numberIndex == nil
      for (position, column) in columns.enumerated() where isPlain {
        let bytes = reader.bytes(column.index)
        let isQuoted = reader.isQuoted(column.index)
        if !column.isPlain {
          isPlain = false
        } else if bytes.isEmpty, !isQuoted, column.isOptional {
          contents[position].content = .value(.null)
        } else if bytes.isEmpty, column.element == .string {
          contents[position].content = .value(.string(""))
        } else if let value = CellText.value(bytes, isQuoted: isQuoted, column.element) {
          contents[position].content = .value(value)
        } else {
          isPlain = false
        }
      }
      var row = Row(line: reader.line, number: count)
      if isPlain {
        try add(contents, row)
      } else {
        for column in columns {
          let field = try reader.field(column.index)
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
            index: index, name: name, property: property,
            isPlain: type.shape == .single && type.element.isPlain, element: type.element,
            isOptional: type.isOptional))
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
