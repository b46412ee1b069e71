import CEditLine
import Glibc

// Windows that libedit has no picture of: one that is lower than the line, and one of another width.
extension EditorState {
  /// Shows the part of the line around the cursor if the line does not fit in the window, over what libedit
  /// has drawn; returns false if it fits.
  func showPartOfTallLine() -> Bool {
    guard isEditing, let line = typedLine else { return false }
    let window = windowSize
    let positions = cursorPositions()
    guard positions.end.row >= window.rows else {
      if tall.isShown {
        tall = TallLine()
        clearScreen()
        ce_refresh(editor)
      }
      return false
    }
    if tall.line == line { return true }
    tall.line = line
    tall.show(positions.cursor.row, in: window.rows)
    write(picture(of: line, at: positions.cursor))
    return true
  }

  /// Shows the end of a line that does not fit, before it is over.
  func showEndOfTallLine() {
    guard tall.isShown, let line = typedLine else { return }
    let end = cursorPositions().end
    tall.show(end.row, in: windowSize.rows)
    write(picture(of: line, at: end))
    tall = TallLine()
  }

  private func picture(of line: TypedLine, at cursor: ScreenPosition) -> String {
    let rows = ScreenRows(prompt.text + line.text, columns: windowSize.columns).rows
    let shown = rows.dropFirst(tall.top).prefix(windowSize.rows)
    return "\u{1B}[H\u{1B}[2J" + shown.joined(separator: "\r\n")
      + "\u{1B}[\(cursor.row - tall.top + 1);\(cursor.column + 1)H"
  }

  private func clearScreen() {
    decoration = Decoration()
    write("\u{1B}[H\u{1B}[2J")
  }

  // MARK: Another size

  /// Redraws the line in a window of another size. Where it has become narrower, some terminals wrap the rows
  /// anew and others do not. The terminal reports the column of the cursor, which shows what it does.
  func resize() {
    let old = cursorPositions(columns: knownSize.columns).cursor
    let rows = ScreenRows(prompt.text + (typedLine?.text ?? ""), columns: knownSize.columns)
    el_resize(editor)
    let width = windowSize.columns
    let isNarrower = width < knownSize.columns
    knownSize = windowSize
    tall = TallLine()
    var row = old.row
    if isNarrower {
      let wrapped = rows.position(of: old, wrappedAt: width)
      let isCut = wrapped.column != old.column && askForColumn() == min(old.column, width - 1)
      row = isCut ? old.row : wrapped.row
    }
    decoration = Decoration()
    write((row > 0 ? "\u{1B}[\(row)A" : "") + "\r\u{1B}[J")
    ce_refresh(editor)
  }

  /// Returns the cursor's column as the terminal reports it, counted from 0; nil without a report.
  private func askForColumn() -> Int? {
    guard isEditing, canMoveCursor else { return nil }
    write("\u{1B}[6n")
    let deadline = ContinuousClock.now + Self.reportTimeout
    while true {
      if let column = keys.takeReportedColumn() { return column - 1 }
      let rest = deadline - .now
      var input = pollfd(fd: terminal.input, events: Int16(POLLIN), revents: 0)
      guard rest > .zero, poll(&input, 1, Int32(rest / .milliseconds(1)) + 1) > 0 else {
        return nil
      }
      var bytes = [UInt8](repeating: 0, count: 256)
      let count = read(terminal.input, &bytes, bytes.count)
      guard count > 0 else { return nil }
      keys.append(bytes[..<count])
    }
  }

  private static let reportTimeout = Duration.milliseconds(100)
}

/// The shown part of a line that is taller than the window.
struct TallLine {
  /// The line that is shown; nil if libedit shows it.
  var line: TypedLine?
  /// The first row that is shown.
  private(set) var top = 0

  var isShown: Bool { line != nil }

  /// Moves the part as little as possible so that a row is in it.
  mutating func show(_ row: Int, in height: Int) { top = min(row, max(top, row - height + 1)) }
}

/// A text in rows as wide as the screen, by libedit's rules.
struct ScreenRows {
  private(set) var rows = [""]

  init(_ text: String, columns: Int) {
    var position = ScreenPosition(columns: columns)
    for scalar in text.unicodeScalars {
      let character = wchar_t(bitPattern: scalar.value)
      position.makeRoom(for: character)
      while rows.count <= position.row { rows.append("") }
      let before = position
      position.pass(character)
      switch scalar {
      case "\n": break
      case "\t":
        let end = position.row > before.row ? columns : position.column
        rows[before.row] += String(repeating: " ", count: end - before.column)
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        rows[before.row] += "^" + String(Character(Unicode.Scalar(UInt8(scalar.value) ^ 0x40)))
      case _ where ce_width(character) < 0:
        rows[before.row] += "\\U+" + String(scalar.value, radix: 16, uppercase: true)
      case _ where ce_width(character) == 0: break
      default: rows[before.row].unicodeScalars.append(scalar)
      }
    }
    while rows.count <= position.row { rows.append("") }
  }

  /// Where a terminal that wraps each row anew has moved a position.
  func position(of position: ScreenPosition, wrappedAt width: Int) -> (row: Int, column: Int) {
    let above = rows.prefix(position.row).map { row in
      let columns = row.unicodeScalars.reduce(0) {
        $0 + Int(max(0, ce_width(wchar_t(bitPattern: $1.value))))
      }
      return max(1, (columns + width - 1) / width)
    }
    return (above.reduce(0, +) + position.column / width, position.column % width)
  }
}
