import Herald

/// Renders rows as a table with aligned columns: numbers to the right, all else to the left.
struct TableText {
  /// The smallest width to which a column of texts is truncated, in columns of the terminal.
  private static let smallestWidth = 16
  /// The same of numbers, dates and links, which are whole or left out unless they are very long.
  private static let smallestWholeWidth = 32
  /// The same of the only column.
  private static let smallestOnlyWidth = 6
  static let gap = 2
  static let dim = "\u{1B}[2m"
  static let plain = "\u{1B}[m"

  /// The window in which a row takes one line; nil if lines may have any length.
  private let window: Window?
  private var rowCount = 0
  private var widths: [Int] = []
  /// The names of the columns that the window has no room for.
  private var hiddenColumns: [String] = []

  /// The smallest widths of the columns that are narrowed rather than removed; empty if all are.
  private let smallest: [Int]

  init(in window: Window?, smallest: [Int] = []) {
    self.window = window
    self.smallest = smallest
  }

  /// Writes the next rows. In a window cells are truncated so that a row takes one line, and nil is dim.
  mutating func write(_ table: Table, isFirst: Bool, _ output: inout OutputBuffer) {
    let columns = table.columns
    var cells: [[Table.Cell]] = []
    if isFirst, !columns.names.isEmpty {
      let leading = columns.hasLabels ? ["", columns.keyName] : [""]
      cells.append((leading + columns.names).map { Table.Cell(text: $0) })
    }
    for (label, row) in zip(table.labels, table.cells) {
      cells.append([Table.Cell(text: String(rowCount))])
      if let label { cells[cells.count - 1].append(Table.Cell(text: label)) }
      cells[cells.count - 1] += row
      rowCount += 1
    }
    for row in cells.indices {
      for column in cells[row].indices { Self.show(&cells[row][column], output) }
    }
    fit(cells, columns)
    let isNumeric = (columns.hasLabels ? [true, false] : [true]) + columns.isNumeric
    for row in cells {
      output.write(drawn: Self.line(row, widths, isNumeric, isColored: window?.isColored == true))
    }
  }

  /// Widens the columns to the cells, up to the width of the window.
  private mutating func fit(_ cells: [[Table.Cell]], _ columns: Table.Columns) {
    let needed = Self.widths(cells)
    let known = widths.count
    widths = needed.enumerated().map { max($1, $0 < known ? widths[$0] : 0) }
    guard let window else { return }
    let fixed = columns.names.isEmpty ? 0 : columns.hasLabels ? 2 : 1
    // A column of texts can be read in part; what is in others is shown whole, or not at all.
    let least =
      smallest.isEmpty
      ? columns.hasTexts.enumerated().map { index, hasTexts in
        Self.leastWidth(widths[index + fixed], hasTexts: hasTexts)
      } : smallest
    Self.fit(&widths, to: window.columns, keeping: fixed, smallest: least)
    if fixed > 0 { hiddenColumns = Array(columns.names.dropFirst(widths.count - fixed)) }
  }

  /// The smallest width of a column whose cells take `width` columns.
  static func leastWidth(_ width: Int, hasTexts: Bool) -> Int {
    min(width, hasTexts ? smallestWidth : smallestWholeWidth)
  }

  /// Words about the columns that the window has no room for; nil if it shows all.
  var hidden: String? {
    guard !hiddenColumns.isEmpty else { return nil }
    let count = "\(hiddenColumns.count) more column\(hiddenColumns.count == 1 ? "" : "s")"
    return "\(count); 'mode line' shows all: \(hiddenColumns.joined(separator: ", "))"
  }

  /// A line that fits the window.
  func cut(_ line: String) -> String { window.map { TextWidth.cut(line, to: $0.columns) } ?? line }

  /// A map: a key and its value in each line.
  static func write(_ entries: [OutputValue.Field], _ output: inout OutputBuffer) {
    let cells = entries.map { [$0.name.quoted, LiteralText.bareText($0.value)] }
    for line in aligned(cells, output) { output.write(line: line) }
  }

  private static func show(_ cell: inout Table.Cell, _ output: OutputBuffer) {
    show(&cell)
    if output.isTerminal { cell.text = cell.text.visible }
  }

  /// Escapes what would break the table: a line break or another control character in a cell.
  static func show(_ cell: inout Table.Cell) {
    // Control characters beyond ASCII begin with C2 in UTF-8.
    guard cell.text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 }),
      cell.text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { return }
    cell.text = String(cell.text.quoted.dropFirst().dropLast())
  }

  /// Aligns lines, with two blanks between columns and no trailing blanks.
  static func aligned(_ cells: [[String]], _ output: OutputBuffer) -> [String] {
    let cells = cells.map { $0.map { Table.Cell(text: output.isTerminal ? $0.visible : $0) } }
    let widths = widths(cells)
    return cells.map { line($0, widths, [], isColored: false) }
  }

  private static func line(
    _ row: [Table.Cell], _ widths: [Int], _ isNumeric: [Bool], isColored: Bool
  ) -> String {
    var line = ""
    /// The blanks before the next text, so that no line ends with blanks.
    var blanks = 0
    for (column, cell) in row.enumerated() where column < widths.count {
      if column > 0 { blanks += gap }
      let text = TextWidth.cut(cell.text, to: widths[column])
      let room = max(0, widths[column] - TextWidth.columns(text))
      let isRight = column < isNumeric.count && isNumeric[column]
      if isRight { blanks += room }
      if !text.isEmpty {
        line += String(repeating: " ", count: blanks)
        blanks = 0
        line += cell.isNil && isColored ? dim + text + plain : text
      }
      if !isRight { blanks += room }
    }
    while line.utf8.last == UInt8(ascii: " ") { line.removeLast() }
    return line
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
  ///
  /// - Parameters:
  ///   - fixed: The leading columns that keep their widths and are never removed, since they identify a row.
  ///   - smallest: The smallest widths of the other columns. The last columns are removed rather than that one of them gets
  ///     narrower.
  static func fit(
    _ widths: inout [Int], to columns: Int, keeping fixed: Int, smallest: [Int] = []
  ) {
    func total() -> Int { widths.reduce(0, +) + gap * max(0, widths.count - 1) }
    func smallestWidth(_ column: Int) -> Int {
      if column == fixed, widths.count == fixed + 1 {
        return min(widths[column], smallestOnlyWidth)
      }
      return column - fixed < smallest.count ? smallest[column - fixed] : Self.smallestWidth
    }
    func spare(_ column: Int) -> Int {
      column < fixed ? 0 : max(0, widths[column] - smallestWidth(column))
    }
    if !smallest.isEmpty {
      while widths.count > max(1, fixed),
        total() - widths.indices.reduce(0, { $0 + spare($1) }) > columns
      {
        widths.removeLast()
      }
    }
    while total() > columns {
      let widest = widths.indices.filter { spare($0) > 0 }.max { widths[$0] < widths[$1] }
      if let widest {
        let second =
          widths.indices.dropFirst(fixed).filter { $0 != widest }.map { widths[$0] }.max() ?? 0
        let goal = max(smallestWidth(widest), second, widths[widest] - (total() - columns))
        widths[widest] = min(goal, widths[widest] - 1)
      } else if widths.count > max(1, fixed) {
        widths.removeLast()
      } else {
        if fixed == 0 { widths[0] = max(1, columns) }
        return
      }
    }
  }
}
