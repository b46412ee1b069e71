import Herald

/// Renders rows as a table with aligned columns: numbers to the right, all else to the left.
enum TableText {
  /// The smallest width to which a column is truncated, in columns of the terminal.
  private static let smallestWidth = 6
  static let gap = 2
  static let dim = "\u{1B}[2m"
  static let plain = "\u{1B}[m"

  /// In a window, cells are truncated so that a row takes one line, and nil is dim.
  static func write(_ rows: [OutputValue], in window: Window?, _ output: inout OutputBuffer) {
    if rows.count == 1, case .map(let entries) = rows[0] { return write(entries, &output) }
    let table = Table(rows)
    var cells: [[Table.Cell]] = []
    if !table.names.isEmpty {
      cells.append(
        ([""] + (table.hasLabels ? [""] : []) + table.names).map { Table.Cell(text: $0) })
    }
    for (number, row) in table.cells.enumerated() {
      let leading = [String(number)] + (table.labels[number].map { [$0] } ?? [])
      cells.append(leading.map { Table.Cell(text: $0) } + row)
    }
    for row in cells.indices {
      for column in cells[row].indices {
        show(&cells[row][column])
        if output.isTerminal { cells[row][column].text = cells[row][column].text.visible }
      }
    }
    let isNumeric = (table.hasLabels ? [true, false] : [true]) + table.isNumeric
    for line in lines(cells, isNumeric, window) { output.write(drawn: line) }
  }

  /// A map: a key and its value in each line.
  private static func write(_ entries: [OutputValue.Field], _ output: inout OutputBuffer) {
    let cells = entries.map { [$0.name.quoted, LiteralText.bareText($0.value)] }
    for line in aligned(cells, output) { output.write(line: line) }
  }

  /// A line break or another control character in a cell would break the table.
  static func show(_ cell: inout Table.Cell) {
    guard cell.text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { return }
    cell.text = String(cell.text.quoted.dropFirst().dropLast())
  }

  /// Aligns lines, with two blanks between columns and no trailing blanks.
  static func aligned(_ cells: [[String]], _ output: OutputBuffer) -> [String] {
    lines(
      cells.map { $0.map { Table.Cell(text: output.isTerminal ? $0.visible : $0) } }, [], nil)
  }

  private static func lines(
    _ cells: [[Table.Cell]], _ isNumeric: [Bool], _ window: Window?
  ) -> [String] {
    var widths = self.widths(cells)
    if let window { fit(&widths, to: window.columns) }
    return cells.map { row in
      var line = ""
      for (column, cell) in row.enumerated() where column < widths.count {
        if column > 0 { line += String(repeating: " ", count: gap) }
        let isRight = column < isNumeric.count && isNumeric[column]
        let isLast = column == min(row.count, widths.count) - 1
        line += padded(cell, to: widths[column], isRight: isRight, isLast: isLast, window)
      }
      while line.hasSuffix(" ") { line.removeLast() }
      return line
    }
  }

  private static func padded(
    _ cell: Table.Cell, to width: Int, isRight: Bool, isLast: Bool, _ window: Window?
  ) -> String {
    let text = TextWidth.cut(cell.text, to: width)
    let isDim = cell.isNil && window?.isColored == true
    let blanks = String(repeating: " ", count: width - TextWidth.columns(text))
    let shown = isDim ? dim + text + plain : text
    return isRight ? blanks + shown : isLast ? shown : shown + blanks
  }

  private static func widths(_ cells: [[Table.Cell]]) -> [Int] {
    var widths: [Int] = []
    for row in cells {
      for (column, cell) in row.enumerated() {
        let width = TextWidth.columns(cell.text)
        if column < widths.count {
          widths[column] = max(widths[column], width)
        } else {
          widths.append(width)
        }
      }
    }
    return widths
  }

  /// Narrows the widest columns until the row fits; when all are narrow, removes the last ones.
  static func fit(_ widths: inout [Int], to columns: Int) {
    func total() -> Int { widths.reduce(0, +) + gap * max(0, widths.count - 1) }
    while total() > columns {
      let widest = widths.indices.max { widths[$0] < widths[$1] } ?? 0
      if widths[widest] > smallestWidth {
        let second = widths.indices.filter { $0 != widest }.map { widths[$0] }.max() ?? 0
        let goal = max(smallestWidth, second, widths[widest] - (total() - columns))
        widths[widest] = min(goal, widths[widest] - 1)
      } else if widths.count > 1 {
        widths.removeLast()
      } else {
        widths[0] = max(1, columns)
        return
      }
    }
  }
}
