import Herald

/// Reads the records of a file to find out what its columns contain.
struct ColumnInference {
  let className: String
  let choice: ColumnChoice
  private(set) var columns: [InferredColumn] = []
  private var indexes: [MapKey: Int?] = [:]
  private var appearances: [Int] = []
  /// The names of all columns, of those that are skipped too.
  private var names: [String] = []
  private var count = 0

  init(className: String, _ choice: ColumnChoice) {
    self.className = className
    self.choice = choice
  }

  mutating func run(_ reader: inout ImportReader, _ progress: (Int, Double) throws -> Void) throws {
    if let csv = reader.csv {
      try run(csv, reader.columns, progress)
    } else {
      try runRecords(&reader, progress)
    }
    updateAlwaysThere()
  }

  private mutating func updateAlwaysThere() {
    for index in columns.indices { columns[index].isAlwaysThere = appearances[index] == count }
  }

  /// Reads the rest of a JSON file or a log. Records of JSON with columns that were seen before are read in place.
  private mutating func runRecords(
    _ reader: inout ImportReader, _ progress: (Int, Double) throws -> Void
  ) throws {
    let pause = Importing.recordsBetween
    var kinds = JSONKinds([], [])
    while true {
      while kinds.count > 0 {
        let read = kinds.note(&reader, limit: pause - count % pause)
        count += read.count
        if read.count > 0, count % pause == 0 {
          try progress(count, reader.progress)
        } else if read.isAtEnd {
          try reader.fill()
        } else {
          break
        }
      }
      guard let record = try reader.next() else { break }
      let before = names.count
      note(record)
      if count % pause == 0 { try progress(count, reader.progress) }
      // Records with new names may follow, for each of which all columns would be noted anew.
      if names.count == before, names.count > kinds.count, reader.isJSON {
        report(&kinds)
        kinds = JSONKinds(
          names,
          names.map { name in
            let column = index(of: name).map { columns[$0] }
            return JSONKinds.Column(value: column?.value, isText: column?.isText ?? false)
          })
      }
    }
    report(&kinds)
  }

  private mutating func report(_ kinds: inout JSONKinds) {
    kinds.report { position, count in
      if let index = index(of: names[position]) { appearances[index] += count }
    }
  }

  /// Reads the rest of a CSV file with columns of these names.
  mutating func run(
    _ reader: CSVReader, _ names: [String], _ progress: (Int, Double) throws -> Void
  ) throws {
    var reader = reader
    reader.kinds = names.map { name in
      index(of: name).map { columns[$0].isText } ?? true ? .text : .any
    }
    // One for each field; a column that is skipped has none of its own.
    let fields = UnsafeMutableBufferPointer<FieldKinds>.allocate(capacity: names.count)
    defer { fields.deallocate() }
    for (position, name) in names.enumerated() {
      let value = index(of: name).map { columns[$0].value }
      fields.initializeElement(at: position, to: FieldKinds(position: position, value: value))
    }
    let pause = Importing.recordsBetween
    while true {
      count += reader.notePlain(fields, limit: pause - count % pause)
      if count % pause == 0 { try progress(count, reader.progress) }
      // The next one is of another form, or not in memory.
      guard try reader.next(count: names.count) else { break }
      count += 1
      for index in fields.indices { fields[index].note(&reader) }
      if count % pause == 0 { try progress(count, reader.progress) }
    }
    for kinds in fields { kinds.report() }
    for index in columns.indices { appearances[index] = count }
  }

  /// Takes what was inferred of the later records of the same file.
  mutating func merge(_ other: ColumnInference) {
    count += other.count
    for name in other.names {
      guard let there = other.indexes[MapKey(name)] ?? nil, let here = index(of: name) else {
        continue
      }
      appearances[here] += other.appearances[there]
      columns[here].value.merge(other.columns[there].value)
    }
    updateAlwaysThere()
  }

  private mutating func note(_ record: ImportRecord) {
    count += 1
    for entry in record.entries {
      guard let index = index(of: entry.name) else { continue }
      appearances[index] += 1
      switch entry.content {
      case .json(let value):
        let isText = columns[index].isText && value != .null
        columns[index].value.note(isText ? .string(value.text) : value)
      case .field(let field): columns[index].value.note(field, isText: columns[index].isText)
      }
    }
  }

  /// The index of a column, which is new if it has not been seen; nil if it is skipped.
  private mutating func index(of name: String) -> Int? {
    if let known = indexes[MapKey(name)] { return known }
    var index: Int?
    if case .property(let property, let isText) = choice.use(of: name) {
      index = columns.count
      let isKey = InferredSchema.rank(property ?? name, className) != nil
      columns.append(
        InferredColumn(
          name: name, property: property, value: InferredValue(isKey: isKey), isText: isText))
      appearances.append(0)
    }
    indexes[MapKey(name)] = .some(index)
    names.append(name)
    return index
  }

  /// A column that the statement names and a CSV file does not have.
  func missing(in names: [String]) -> String? {
    if names.isEmpty { return nil }
    let known = KeySet(names)
    return choice.entries.first { !known.contains($0.column) }?.column
  }
}
