import Herald

/// Draws a watched table: a heading, a line for each row, and the footer.
struct WatchPicture {
  struct Column: Equatable {
    var name: String
    var isNumeric = false
    /// Whether its values are texts, of which a part can be read.
    var hasTexts = true
    /// Whether it has a bar of the number in the column before it.
    var isBar = false
  }

  private enum Style: String {
    case deleted = "31"
    case new = "32"
    case changed = "33"
    case moved = "36"
    case heading = "1"
    case dim = "2"
  }

  private struct Cell {
    let text: String
    let style: Style?
    /// The text before a change.
    let previous: String?
    /// What is drawn in place of the text.
    var bar: Bar?

    init(text: String, style: Style?, previous: String? = nil) {
      self.text = text.visible
      self.style = style
      self.previous = previous?.visible
    }

    /// The text with the one before it.
    var whole: String { previous.map { "\($0)→\(text)" } ?? text }

    /// What a number of columns has room for: of a change, both texts or the present one.
    func shown(in width: Int) -> String {
      if let bar { return bar.text(in: width) }
      return TextWidth.columns(whole) <= width ? whole : TextWidth.cut(text, to: width)
    }
  }

  let columns: [Column]
  /// Whether the rows have names of their own.
  let hasLabels: Bool
  /// The name of the primary key, which is in the names of the rows.
  let keyName: String
  /// The number of rows for which a bar has its full length.
  var largestCount = 0
  /// The number of columns scrolled out of view.
  var firstColumn = 0
  /// The largest width of each column so far, so that columns do not jump.
  private var widths: [Int] = []
  /// The same without the text before a change.
  private var presentWidths: [Int] = []

  init(_ columns: [Column], hasLabels: Bool = false, keyName: String = "") {
    self.columns = columns
    self.hasLabels = hasLabels
    self.keyName = keyName
  }

  /// Resets the widths of the columns to their present contents.
  mutating func forgetWidths() {
    widths = []
    presentWidths = []
  }

  /// The number of table rows that a window shows.
  static func height(in window: Window) -> Int { max(1, window.rows - 2) }

  /// As many lines as the window has, each narrower than it.
  mutating func lines(_ table: WatchTable, _ footer: WatchFooter, in window: Window) -> [String] {
    let room = max(1, window.columns - 1)
    var cells = [heading]
    var row = table.firstShown
    for line in table.shown {
      cells.append(self.cells(line, row: row))
      if !line.isDeleted { row += 1 }
    }
    let widths = widths(of: cells, in: room)
    var lines = cells.map { text($0, widths, isColored: window.isColored) }
    while lines.count < table.height + 1 { lines.append("") }
    let end = footer.text(count: table.count, shown: table.visible, width: room)
    lines.append(Self.styled(end, .dim, window.isColored))
    return Array(lines.suffix(max(1, window.rows)))
  }

  private var heading: [Cell] {
    let leading = hasLabels ? ["", "", keyName] : ["", ""]
    return (leading + shownColumns.map(\.name)).map { Cell(text: $0, style: .heading) }
  }

  private var shownColumns: ArraySlice<Column> { columns.dropFirst(firstColumn) }

  private func cells(_ line: WatchTable.Line, row: Int) -> [Cell] {
    let style = line.mark.flatMap(Self.style)
    var cells = [
      Cell(text: Self.sign(line.mark), style: style ?? (line.mark == nil ? nil : .changed)),
      Cell(text: line.isDeleted ? "" : String(row), style: style),
    ]
    if hasLabels { cells.append(Cell(text: line.content.label ?? "", style: style)) }
    for (column, cell) in line.content.cells.enumerated().dropFirst(firstColumn) {
      var shown = cell
      TableText.show(&shown)
      if let previous = line.previous[column] {
        var old = Table.Cell(text: previous)
        TableText.show(&old)
        cells.append(Cell(text: shown.text, style: .changed, previous: old.text))
      } else {
        cells.append(Cell(text: shown.text, style: style ?? (cell.isNil ? .dim : nil)))
      }
    }
    if columns.last?.isBar == true { cells.append(bar(of: line, style)) }
    return cells
  }

  /// The bar of the number at the end of a row.
  private func bar(of line: WatchTable.Line, _ style: Style?) -> Cell {
    let bar = Bar(line.content.cells.last.flatMap { Int($0.text) } ?? 0, beside: largestCount)
    var cell = Cell(text: bar.text(in: Bar.widest), style: style)
    cell.bar = bar
    return cell
  }

  private static func sign(_ mark: WatchTable.Mark?) -> String {
    switch mark {
    case .new: "+"
    case .deleted: "-"
    case .modified: "~"
    case .moved(isUp: true): "↑"
    case .moved(isUp: false): "↓"
    case nil: " "
    }
  }

  /// In a modified row only the sign and the changed cells are coloured.
  private static func style(_ mark: WatchTable.Mark) -> Style? {
    switch mark {
    case .new: .new
    case .deleted: .deleted
    case .moved: .moved
    case .modified: nil
    }
  }

  private mutating func widths(of cells: [[Cell]], in room: Int) -> [Int] {
    let count = cells[0].count
    if widths.count != count {
      widths = Array(repeating: 1, count: count)
      presentWidths = widths
    }
    for row in cells {
      for (column, cell) in row.enumerated() where column < count {
        widths[column] = max(widths[column], TextWidth.columns(cell.whole))
        presentWidths[column] = max(presentWidths[column], TextWidth.columns(cell.text))
      }
    }
    // The sign is never truncated.
    var rest = Array(widths.dropFirst())
    let leading = hasLabels ? 3 : 2
    let least = zip(presentWidths.dropFirst(leading), shownColumns).map { width, column in
      column.isBar
        ? min(width, Bar.narrowest) : TableText.leastWidth(width, hasTexts: column.hasTexts)
    }
    TableText.fit(
      &rest, to: max(1, room - 1 - TableText.gap), keeping: leading - 1, smallest: least)
    return [1] + rest
  }

  private func text(_ cells: [Cell], _ widths: [Int], isColored: Bool) -> String {
    var line = ""
    let leading = hasLabels ? 3 : 2
    for (column, (cell, width)) in zip(cells, widths).enumerated() {
      if column > 0 { line += String(repeating: " ", count: column == 1 ? 1 : TableText.gap) }
      let text = cell.shown(in: width)
      let blanks = String(repeating: " ", count: max(0, width - TextWidth.columns(text)))
      let shown = Self.styled(text, cell.style, isColored)
      let isRight =
        column == 1 || column >= leading && columns[firstColumn + column - leading].isNumeric
      line += isRight ? blanks + shown : shown + blanks
    }
    while line.hasSuffix(" ") { line.removeLast() }
    return line
  }

  private static func styled(_ text: String, _ style: Style?, _ isColored: Bool) -> String {
    guard isColored, let style, !text.isEmpty else { return text }
    return "\u{1B}[\(style.rawValue)m\(text)\u{1B}[m"
  }
}
