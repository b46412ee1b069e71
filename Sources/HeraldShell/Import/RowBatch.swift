import Herald

/// Rows of plain values that are added together, which takes a fraction of the time that each alone would.
struct RowBatch {
  /// The values of one property: of one type, or, with a nil among them, of any.
  private struct Column {
    let name: String
    var ints: [Int] = []
    var doubles: [Double] = []
    var strings: [String] = []
    var others: [Value] = []

    mutating func append(_ value: Value) {
      switch value {
      case .int(let value) where others.isEmpty: ints.append(value)
      case .double(let value) where others.isEmpty: doubles.append(value)
      case .string(let value) where others.isEmpty: strings.append(value)
      case _:
        if others.isEmpty { mix() }
        others.append(value)
      }
    }

    /// A column has values of one type, so that at most one array has any.
    private mutating func mix() {
      others = ints.map(Value.int) + doubles.map(Value.double) + strings.map(Value.string)
    }

    var content: ColumnContent {
      if !others.isEmpty { return .values(others) }
      if !ints.isEmpty { return .ints(ints) }
      return doubles.isEmpty ? .strings(strings) : .doubles(doubles)
    }

    mutating func removeAll() {
      ints.removeAll(keepingCapacity: true)
      doubles.removeAll(keepingCapacity: true)
      strings.removeAll(keepingCapacity: true)
      others.removeAll(keepingCapacity: true)
    }
  }

  private var columns: [Column]
  private(set) var count = 0
  /// The position of the first row.
  private(set) var first: (line: Int, number: Int) = (0, 0)

  /// The number of rows that are added together at most.
  static let limit = 1_000

  init(_ names: [String]) { columns = names.map { Column(name: $0) } }

  var isEmpty: Bool { count == 0 }

  /// Appends a row with a value for each column.
  mutating func append(_ values: [Value], line: Int, number: Int) {
    if count == 0 { first = (line, number) }
    count += 1
    for index in columns.indices { columns[index].append(values[index]) }
  }

  var contents: [NamedColumn] { columns.map { ($0.name, $0.content) } }

  mutating func removeAll() {
    count = 0
    for index in columns.indices { columns[index].removeAll() }
  }
}
