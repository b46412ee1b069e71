import Herald

/// Rows as a table with aligned columns: numbers to the right, all else to the left.
enum TableText {
  static func write(_ rows: [OutputValue], _ output: inout OutputBuffer) {
    if rows.count == 1, case .map(let entries) = rows[0] { return write(entries, &output) }
    let names = columns(rows)
    var cells = [["", ""] + names]
    for (number, row) in rows.enumerated() { cells.append(self.cells(row, number, names)) }
    if names.isEmpty { cells[0] = [] }
    let isNumeric = [true, false] + names.map { name in rows.allSatisfy { isNumber(name, $0) } }
    for line in aligned(cells.filter { !$0.isEmpty }, isNumeric) { output.write(line: line) }
  }

  /// A map: a key and its value in each line.
  private static func write(_ entries: [OutputValue.Field], _ output: inout OutputBuffer) {
    let cells = entries.map { [$0.name.quoted, LiteralText.bareText($0.value)] }
    for line in aligned(cells) { output.write(line: line) }
  }

  /// Every property name in the order of first appearance.
  private static func columns(_ rows: [OutputValue]) -> [String] {
    var names: [String] = []
    var seen: Set<[String]> = []
    for row in rows {
      guard let fields = row.properties?.fields else { continue }
      guard seen.insert(fields.map(\.name)).inserted else { continue }
      for field in fields where !names.contains(field.name) { names.append(field.name) }
    }
    return names
  }

  private static func cells(_ row: OutputValue, _ number: Int, _ names: [String]) -> [String] {
    guard let (label, fields) = row.properties else {
      return [String(number), LiteralText.bareText(row)]
    }
    let texts = Dictionary(
      fields.map { ($0.name, LiteralText.bareText($0.value)) },
      uniquingKeysWith: { first, _ in first })
    return [String(number), LiteralText.text(label)] + names.map { texts[$0] ?? "" }
  }

  private static func isNumber(_ name: String, _ row: OutputValue) -> Bool {
    guard let fields = row.properties?.fields,
      let field = fields.first(where: { $0.name == name })
    else { return true }
    switch field.value {
    case .plain(.int), .plain(.float), .plain(.double), .plain(.decimal), .plain(.null): return true
    case .plain, .link, .object, .part, .projection, .list, .map: return false
    }
  }

  /// Lines with two blanks between columns and none at their ends.
  static func aligned(_ cells: [[String]], _ isNumeric: [Bool] = []) -> [String] {
    var widths: [Int] = []
    for row in cells {
      for (column, cell) in row.enumerated() {
        let width = TextWidth.columns(cell)
        if column < widths.count {
          widths[column] = max(widths[column], width)
        } else {
          widths.append(width)
        }
      }
    }
    return cells.map { row in
      var line = ""
      for (column, cell) in row.enumerated() {
        let blanks = String(repeating: " ", count: widths[column] - TextWidth.columns(cell))
        let isRight = column < isNumeric.count && isNumeric[column]
        line += isRight ? blanks + cell : cell + blanks
        if column < row.count - 1 { line += "  " }
      }
      while line.hasSuffix(" ") { line.removeLast() }
      return line
    }
  }
}

extension OutputValue {
  /// The columns of a row that is an object.
  fileprivate var properties: (label: ObjectLabel, fields: [Field])? {
    switch self {
    case .object(let label, let fields), .part(let label, let fields),
      .projection(_, let label, let fields):
      (label, fields)
    case .plain, .link, .list, .map: nil
    }
  }
}
