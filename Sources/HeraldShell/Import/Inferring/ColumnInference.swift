import Herald

/// Reads the records of a file to find out what its columns contain.
struct ColumnInference {
  private let className: String
  private let choice: ColumnChoice
  private(set) var columns: [InferredColumn] = []
  private var indexes: [MapKey: Int?] = [:]
  private var appearances: [Int] = []
  private var count = 0

  init(className: String, _ choice: ColumnChoice) {
    self.className = className
    self.choice = choice
  }

  mutating func run(
    _ reader: inout ImportReader, _ progress: (Int, Double) throws -> Void
  ) throws {
    if let csv = reader.csv {
      try run(csv, reader.columns) { try progress($0, reader.progress) }
    } else {
      while let record = try reader.next() {
        note(record)
        if count % 1_000 == 0 { try progress(count, reader.progress) }
      }
    }
    for index in columns.indices { columns[index].isAlwaysThere = appearances[index] == count }
  }

  private mutating func run(
    _ reader: CSVReader, _ names: [String], _ progress: (Int) throws -> Void
  ) throws {
    var reader = reader
    for name in names { _ = index(of: name) }
    var noted = names.enumerated().compactMap { position, name in
      index(of: name).map { FieldKinds(position: position, value: columns[$0].value) }
    }
    while try reader.next(count: names.count) {
      count += 1
      for index in noted.indices { noted[index].note(&reader) }
      if count % 1_000 == 0 { try progress(count) }
    }
    for kinds in noted { kinds.report() }
    appearances = appearances.map { _ in count }
  }

  /// What the fields of a column look like, noted without a reference to what is known of the column.
  private struct FieldKinds {
    let position: Int
    private let column: Unmanaged<InferredValue>
    private let isKey: Bool
    private var kinds: ScalarKinds = []
    private var hasNil = false

    /// `value` must outlive it.
    init(position: Int, value: InferredValue) {
      self.position = position
      column = .passUnretained(value)
      isKey = value.key != nil
    }

    @inline(__always)
    mutating func note(_ reader: inout CSVReader) {
      let bytes = reader.bytes(position)
      let isQuoted = reader.isQuoted(position)
      if bytes.isEmpty {
        if isQuoted { kinds.insert(.text) } else { hasNil = true }
      } else if !kinds.contains(.text) {
        kinds.insert(ScalarKinds.kind(of: isQuoted ? bytes : CellText.trimmed(bytes)))
      }
      if isKey { column._withUnsafeGuaranteedRef { $0.noteKey(bytes) } }
    }

    /// Adds what was noted to what is known of the column.
    func report() { column._withUnsafeGuaranteedRef { $0.note(kinds, hasNil: hasNil) } }
  }

  private mutating func note(_ record: ImportRecord) {
    count += 1
    for entry in record.entries {
      guard case .json(let value) = entry.content, let index = index(of: entry.name) else {
        continue
      }
      appearances[index] += 1
      let isText = columns[index].isText && value != .null
      columns[index].value.note(isText ? .string(value.text) : value)
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
    return index
  }

  /// A column that the statement names and a CSV file does not have.
  func missing(in names: [String]) -> String? {
    if names.isEmpty { return nil }
    let known = KeySet(names)
    return choice.entries.first { !known.contains($0.column) }?.column
  }
}
