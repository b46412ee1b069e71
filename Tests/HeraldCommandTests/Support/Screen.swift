import CEditLine

/// A terminal's picture, for looking at what a person would see: as much of xterm as libedit uses
/// with `TERM=xterm`.
struct Screen {
  private(set) var columns: Int
  private(set) var rows: [[String]]
  private(set) var row = 0
  private(set) var column = 0
  private var isWrapPending = false
  private var escape: [Unicode.Scalar] = []
  /// The numbers of the last colour sequence; empty for plain text.
  private var style = ""
  private var styles: [[String]]
  /// Whether each row continues in the next one.
  private var isContinued: [Bool]
  /// What the terminal answers to questions.
  private(set) var replies: [String] = []
  /// The usual screen while full-screen programs draw on the other one.
  private var usual: Usual?
  private var saved: (row: Int, column: Int, isWrapPending: Bool) = (0, 0, false)

  private struct Usual {
    var rows: [[String]]
    var styles: [[String]]
    var row: Int
    var column: Int
  }

  init(rows: Int, columns: Int) {
    self.columns = columns
    self.rows = Array(repeating: Array(repeating: " ", count: columns), count: rows)
    styles = Array(repeating: Array(repeating: "", count: columns), count: rows)
    isContinued = Array(repeating: false, count: rows)
  }

  mutating func takeReplies() -> [String] {
    defer { replies = [] }
    return replies
  }

  /// Changes the screen's width. Some terminals join what they have wrapped, and wrap rows that do not fit;
  /// the others cut them.
  mutating func resize(to width: Int, reflowing: Bool) {
    let old = self
    self = Screen(rows: old.rows.count, columns: width)
    var (target, offset) = (0, 0)
    for index in old.rows.indices {
      let length = old.rows[index].lastIndex { $0 != " " }.map { $0 + 1 } ?? 0
      let last = max(length, index == old.row ? old.column + 1 : 0)
      for cell in 0..<last where reflowing || offset + cell < width {
        let (down, place) = (offset + cell).quotientAndRemainder(dividingBy: width)
        guard target + down < rows.count else { break }
        rows[target + down][place] = old.rows[index][cell]
        styles[target + down][place] = old.styles[index][cell]
      }
      if index == old.row {
        let end = offset + old.column
        row = target + (reflowing ? end / width : 0)
        column = reflowing ? end % width : min(width - 1, end)
      }
      let isJoined = reflowing && old.isContinued[index]
      offset = isJoined ? offset + old.columns : 0
      if !isJoined { target += reflowing ? max(1, (length + width - 1) / width) : 1 }
    }
  }

  /// The row with the cursor, each part of another colour in angles with its numbers before it.
  var styledCursorLine: String {
    var line = ""
    var last = ""
    for (cell, style) in zip(rows[row], styles[row]) {
      if style != last {
        line += last.isEmpty ? "" : ">"
        line += style.isEmpty ? "" : "<\(style) "
      }
      last = style
      line += cell
    }
    if !last.isEmpty { line += ">" }
    while line.last == " " { line.removeLast() }
    return line
  }

  /// Every row without the spaces at its end, down to the last one that is not empty.
  var text: String {
    var lines = rows.map(Self.line)
    while lines.last == "" { lines.removeLast() }
    return lines.joined(separator: "\n")
  }

  var cursorLine: String { Self.line(rows[row]) }

  private static func line(_ cells: [String]) -> String {
    var line = cells.joined()
    while line.last == " " { line.removeLast() }
    return line
  }

  mutating func write(_ scalar: Unicode.Scalar) {
    if !escape.isEmpty {
      escape.append(scalar)
      if isEscapeComplete { runEscape() }
      return
    }
    switch scalar {
    case "\u{1B}": escape = [scalar]
    case "\r": move(to: (row, 0))
    case "\n": lineFeed()
    case "\u{8}": move(to: (row, max(0, column - 1)))
    case "\t": move(to: (row, min(columns - 1, (column | 7) + 1)))
    case "\u{0}"..<" ": break
    default: put(scalar)
    }
  }

  private mutating func put(_ scalar: Unicode.Scalar) {
    let width = Int(ce_width(wchar_t(scalar.value)))
    guard width > 0 else { return }
    if isWrapPending || column + width > columns {
      isContinued[row] = true
      lineFeed()
      move(to: (row, 0))
    }
    rows[row][column] = String(scalar)
    styles[row][column] = style
    if width == 2 {
      rows[row][column + 1] = ""
      styles[row][column + 1] = style
    }
    column += width
    if column >= columns {
      column = columns - 1
      isWrapPending = true
    }
  }

  private mutating func lineFeed() {
    isWrapPending = false
    if row + 1 < rows.count {
      row += 1
    } else {
      rows.removeFirst()
      rows.append(Array(repeating: " ", count: columns))
      isContinued.removeFirst()
      isContinued.append(false)
      styles.removeFirst()
      styles.append(Array(repeating: "", count: columns))
    }
  }

  private mutating func move(to place: (row: Int, column: Int)) {
    isWrapPending = false
    row = min(max(0, place.row), rows.count - 1)
    column = min(max(0, place.column), columns - 1)
  }

  private var isEscapeComplete: Bool {
    guard escape.count > 1 else { return false }
    guard escape[1] == "[" else { return escape[1] != "(" || escape.count == 3 }
    guard escape.count > 2, let last = escape.last else { return false }
    return ("@"..."~").contains(last)
  }

  private mutating func runEscape() {
    defer { escape = [] }
    if escape.count == 2 { return runShortEscape(escape[1]) }
    guard escape.count > 2, escape[1] == "[", let last = escape.last else { return }
    let digits = String(String.UnicodeScalarView(escape[2..<(escape.count - 1)]))
    let given = Int(digits)
    let count = max(1, given ?? 1)
    switch last {
    case "A": move(to: (row - count, column))
    case "B": move(to: (row + count, column))
    case "C": move(to: (row, column + count))
    case "D": move(to: (row, column - count))
    case "G": move(to: (row, count - 1))
    case "H": move(to: place(digits))
    case "K": clearLine(given ?? 0)
    case "J": clearBelow(given ?? 0)
    case "m": style = digits == "0" ? "" : digits
    case "h": if digits == "?1049" { leaveUsualScreen() }
    case "l": if digits == "?1049" { returnToUsualScreen() }
    case "n": if digits == "6" { replies.append("\u{1B}[\(row + 1);\(column + 1)R") }
    case "@": shift(by: count)
    case "P": shift(by: -count)
    default: break
    }
  }

  private mutating func leaveUsualScreen() {
    guard usual == nil else { return }
    usual = Usual(rows: rows, styles: styles, row: row, column: column)
    clearBelow(2)
  }

  private mutating func returnToUsualScreen() {
    guard let usual else { return }
    (rows, styles) = (usual.rows, usual.styles)
    move(to: (usual.row, usual.column))
    self.usual = nil
  }

  /// `row;column`, counted from one.
  private func place(_ text: String) -> (row: Int, column: Int) {
    let numbers = text.split(separator: ";").map { Int($0) ?? 1 }
    return numbers.count == 2 ? (numbers[0] - 1, numbers[1] - 1) : (0, 0)
  }

  private mutating func clearLine(_ kind: Int) {
    let range = kind == 0 ? column..<columns : kind == 1 ? 0..<(column + 1) : 0..<columns
    for index in range {
      rows[row][index] = " "
      styles[row][index] = ""
    }
  }

  /// `ESC 7` saves the cursor's position, `ESC 8` restores it.
  private mutating func runShortEscape(_ letter: Unicode.Scalar) {
    if letter == "7" { saved = (row, column, isWrapPending) }
    if letter == "8" { (row, column, isWrapPending) = saved }
  }

  private mutating func clearBelow(_ kind: Int) {
    if kind == 2 {
      for index in rows.indices { clear(row: index) }
      return
    }
    clearLine(0)
    for index in rows.indices where index > row { clear(row: index) }
  }

  private mutating func clear(row: Int) {
    isContinued[row] = false
    rows[row] = Array(repeating: " ", count: columns)
    styles[row] = Array(repeating: "", count: columns)
  }

  private mutating func shift(by count: Int) {
    rows[row].replaceSubrange(column..., with: shifted(rows[row][column...], count, blank: " "))
    styles[row].replaceSubrange(column..., with: shifted(styles[row][column...], count, blank: ""))
  }

  private func shifted(_ cells: ArraySlice<String>, _ count: Int, blank: String) -> [String] {
    let blanks = Array(repeating: blank, count: min(abs(count), cells.count))
    return count > 0
      ? blanks + cells.dropLast(blanks.count) : cells.dropFirst(blanks.count) + blanks
  }
}
