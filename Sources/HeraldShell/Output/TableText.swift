import Herald

/// Rows as a table with aligned columns: numbers to the right, all else to the left.
enum TableText {
  static func write(_ rows: [OutputValue], _ output: inout OutputBuffer) {
    let names = columns(rows)
    var cells = [["", ""] + names]
    for (number, row) in rows.enumerated() { cells.append(self.cells(row, number, names)) }
    if names.isEmpty { cells[0] = [] }
    let isNumeric = [true, false] + names.map { name in rows.allSatisfy { isNumber(name, $0) } }
    for line in aligned(cells.filter { !$0.isEmpty }, isNumeric) { output.write(line: line) }
  }

  /// Every property name in the order of first appearance.
  private static func columns(_ rows: [OutputValue]) -> [String] {
    var names: [String] = []
    var seen: Set<[String]> = []
    for case .object(_, let fields) in rows {
      guard seen.insert(fields.map(\.name)).inserted else { continue }
      for field in fields where !names.contains(field.name) { names.append(field.name) }
    }
    return names
  }

  private static func cells(_ row: OutputValue, _ number: Int, _ names: [String]) -> [String] {
    guard case .object(let label, let fields) = row else {
      return [String(number), LiteralText.bareText(row)]
    }
    let texts = Dictionary(
      fields.map { ($0.name, LiteralText.bareText($0.value)) },
      uniquingKeysWith: { first, _ in first })
    return [String(number), LiteralText.text(label)] + names.map { texts[$0] ?? "" }
  }

  private static func isNumber(_ name: String, _ row: OutputValue) -> Bool {
    guard case .object(_, let fields) = row,
      let field = fields.first(where: { $0.name == name })
    else { return true }
    switch field.value {
    case .plain(.int), .plain(.float), .plain(.double), .plain(.null): return true
    case .plain, .link, .object, .list: return false
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
