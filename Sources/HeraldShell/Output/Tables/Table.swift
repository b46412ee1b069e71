import Herald

/// Objects or plain values, one a row, as cells of text.
struct Table {
  struct Cell: Equatable {
    var text: String
    var isNil = false
  }

  /// What all rows of a table share.
  struct Columns {
    /// The properties, in the order of first appearance; empty if the rows are plain values.
    var names: [String]
    /// Whether a row has a label, and so each a column for it.
    var hasLabels: Bool
    /// Whether a column contains only numbers.
    var isNumeric: [Bool]
    /// Whether a column contains texts, of which a part can be read; of a number, a date or a link it cannot.
    var hasTexts: [Bool]
    /// The name of the primary key, which is in the labels and in no column of its own; empty if there is none.
    var keyName = ""
  }

  let columns: Columns
  /// The label of each row: `Dog#3`; nil for a plain value.
  let labels: [String?]
  /// The cells of each row, one for each name; a single cell for a plain value.
  let cells: [[Cell]]

  var names: [String] { columns.names }

  /// - Parameters:
  ///   - columns: those of the rows before them; if nil, these rows determine them.
  ///   - keyName: the name of the primary key of the rows, which is shown in their labels alone.
  ///   - isBrief: whether the time of a date is left out at midnight.
  init(
    _ rows: [OutputValue], _ columns: Columns? = nil, keyName: String? = nil,
    isBrief: Bool = false
  ) {
    labels = rows.map(\.label)
    let columns = columns ?? Columns(rows, labels, keyName: keyName)
    self.columns = columns
    cells = rows.map { Table.cells($0, columns.names, isBrief: isBrief) }
  }

  private static func cells(_ row: OutputValue, _ names: [String], isBrief: Bool) -> [Cell] {
    guard let fields = row.fields else { return [cell(row, isBrief: isBrief)] }
    if fields.count == names.count, zip(fields, names).allSatisfy({ $0.name == $1 }) {
      return fields.map { cell($0.value, isBrief: isBrief) }
    }
    let cells = Dictionary(
      fields.map { ($0.name, cell($0.value, isBrief: isBrief)) },
      uniquingKeysWith: { first, _ in first })
    return names.map { cells[$0] ?? Cell(text: "") }
  }

  private static func cell(_ value: OutputValue, isBrief: Bool) -> Cell {
    if case .plain(.string(let text)) = value { return Cell(text: text) }
    return Cell(text: isBrief ? value.briefText : LiteralText.text(value), isNil: value.isNull)
  }
}

extension Table.Columns {
  fileprivate init(_ rows: [OutputValue], _ labels: [String?], keyName: String?) {
    var names = Self.names(rows)
    if let keyName, let index = names.firstIndex(of: keyName) {
      names.remove(at: index)
      self.keyName = keyName
    }
    self.names = names
    hasLabels = rows.isEmpty || names.isEmpty || labels.contains { $0 != nil }
    isNumeric = names.indices.map { Self.areNumbers($0, names[$0], rows) }
    hasTexts = names.indices.map { Self.areTexts($0, names[$0], rows) }
  }

  private static func names(_ rows: [OutputValue]) -> [String] {
    var names: [String] = []
    var last: [String]?
    for row in rows {
      guard let fields = row.fields else { continue }
      if let last, last.count == fields.count, zip(fields, last).allSatisfy({ $0.name == $1 }) {
        continue
      }
      last = fields.map(\.name)
      for field in fields where !names.contains(field.name) { names.append(field.name) }
    }
    return names
  }

  /// Whether a column contains something else than numbers, dates, links and what is as short.
  private static func areTexts(_ column: Int, _ name: String, _ rows: [OutputValue]) -> Bool {
    rows.contains { row in
      switch row.value(of: name, near: column) {
      case .plain(.string), .plain(.data), .plain(.list), .plain(.map): true
      case .object, .embedded, .projection, .row, .list, .map: true
      case .plain, .link, nil: false
      }
    }
  }

  /// Whether a column contains only numbers and nil, and at least one number.
  private static func areNumbers(_ column: Int, _ name: String, _ rows: [OutputValue]) -> Bool {
    var isThereOne = false
    for row in rows {
      switch row.value(of: name, near: column) {
      case .plain(.int), .plain(.float), .plain(.double), .plain(.decimal): isThereOne = true
      case .plain(.null), nil: break
      case .plain, .link, .object, .embedded, .projection, .row, .list, .map: return false
      }
    }
    return isThereOne
  }
}

extension OutputValue {
  /// The text in a cell at a terminal: that of a date at midnight is without its time.
  var briefText: String {
    let text = LiteralText.bareText(self)
    guard case .plain(.date) = self, text.hasSuffix("@00:00:00") else { return text }
    return String(text.prefix { $0 != "@" })
  }

  fileprivate var isNull: Bool { if case .plain(.null) = self { true } else { false } }

  /// The fields of an object or a row; nil for what is neither.
  var fields: [Field]? {
    switch self {
    case .object(_, let fields), .embedded(_, let fields), .row(let fields): fields
    case .projection(_, _, let fields): fields
    case .plain, .link, .list, .map: nil
    }
  }

  /// `Dog#3`, `Card of Dog#3`; nil for rows that are not objects.
  fileprivate var label: String? {
    switch self {
    case .object(let label, _), .embedded(let label, _): LiteralText.text(label)
    case .projection(let name, let label, _): "\(name) of \(LiteralText.text(label))"
    case .plain, .link, .row, .list, .map: nil
    }
  }

  /// The value of a property that is probably at an index.
  fileprivate func value(of name: String, near index: Int) -> OutputValue? {
    guard let fields else { return nil }
    if index < fields.count, fields[index].name == name { return fields[index].value }
    return fields.first { $0.name == name }?.value
  }
}
