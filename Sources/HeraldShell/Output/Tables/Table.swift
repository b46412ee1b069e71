import Herald

/// Objects or plain values, one a row, as cells of text.
struct Table {
  struct Cell: Equatable {
    var text: String
    var isNil = false
  }

  /// The properties, in the order of first appearance; empty if the rows are plain values.
  let names: [String]
  /// The label of each row: `Dog#3`; nil for a plain value.
  let labels: [String?]
  /// The cells of each row, one for each name; a single cell for a plain value.
  let cells: [[Cell]]
  /// Whether a column contains only numbers.
  let isNumeric: [Bool]

  /// Whether a row has a label, and so each a column for it.
  var hasLabels: Bool { labels.isEmpty || labels.contains { $0 != nil } || names.isEmpty }

  init(_ rows: [OutputValue]) {
    let names = Table.names(rows)
    self.names = names
    labels = rows.map { row in row.label }
    cells = rows.map { Table.cells($0, names) }
    isNumeric = names.map { name in Table.areNumbers(rows.compactMap { $0.value(of: name) }) }
  }

  private static func names(_ rows: [OutputValue]) -> [String] {
    var names: [String] = []
    var seen: Set<[String]> = []
    for row in rows {
      guard let fields = row.properties?.fields else { continue }
      guard seen.insert(fields.map(\.name)).inserted else { continue }
      for field in fields where !names.contains(field.name) { names.append(field.name) }
    }
    return names
  }

  private static func cells(_ row: OutputValue, _ names: [String]) -> [Cell] {
    guard let fields = row.properties?.fields else { return [cell(row)] }
    let cells = Dictionary(
      fields.map { ($0.name, cell($0.value)) }, uniquingKeysWith: { first, _ in first })
    return names.map { cells[$0] ?? Cell(text: "") }
  }

  private static func cell(_ value: OutputValue) -> Cell {
    Cell(text: LiteralText.bareText(value), isNil: value == .plain(.null))
  }

  /// Whether the values are numbers and nil, with at least one number.
  private static func areNumbers(_ values: [OutputValue]) -> Bool {
    var isThereOne = false
    for value in values {
      switch value {
      case .plain(.int), .plain(.float), .plain(.double), .plain(.decimal): isThereOne = true
      case .plain(.null): break
      case .plain, .link, .object, .embedded, .projection, .row, .list, .map: return false
      }
    }
    return isThereOne
  }
}

extension OutputValue {
  /// The columns of a row that is an object.
  fileprivate var properties: (label: ObjectLabel?, fields: [Field])? {
    switch self {
    case .object(let label, let fields), .embedded(let label, let fields),
      .projection(_, let label, let fields):
      (label, fields)
    case .row(let fields): (nil, fields)
    case .plain, .link, .list, .map: nil
    }
  }

  /// `Dog#3`, `Card of Dog#3`; nil for what is no object.
  fileprivate var label: String? {
    if case .projection(let name, let label, _) = self {
      return "\(name) of \(LiteralText.text(label))"
    }
    return properties?.label.map { LiteralText.text($0) }
  }

  fileprivate func value(of name: String) -> OutputValue? {
    properties?.fields.first { $0.name == name }?.value
  }
}
