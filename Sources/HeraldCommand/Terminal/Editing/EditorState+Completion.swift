import CEditLine
import HeraldShell

extension EditorState {
  /// Completes the line on Tab: inserts the common prefix of the completions, or lists them. Returns
  /// libedit's next action.
  func complete() -> UInt8 {
    guard let aid, let line = typedLine else { return UInt8(CC_ERROR) }
    let found = aid.completions(line.text, cursor: line.cursor)
    guard let first = found.first else { return UInt8(CC_ERROR) }
    let start = line.text.utf8.index(line.text.startIndex, offsetBy: first.start)
    let cursor = line.text.utf8.index(line.text.startIndex, offsetBy: line.cursor)
    let typed = String(line.text[start..<cursor])
    let wanted = found.count == 1 ? first.text + first.suffix : found.commonPrefix
    guard wanted.count > typed.count || found.count == 1 else {
      list(found.map(\.text.visible) + (found.contains(where: \.isOneOfMore) ? ["…"] : []))
      return UInt8(CC_NORM)
    }
    if wanted == typed { return UInt8(CC_NORM) }
    el_deletestr(editor, Int32(typed.unicodeScalars.count))
    var characters = wanted.unicodeScalars.map { wchar_t(bitPattern: $0.value) }
    characters.append(0)
    return UInt8(el_winsertstr(editor, characters) == 0 ? CC_REFRESH : CC_ERROR)
  }

  /// Shows the names below the line, and redraws the line below them.
  private func list(_ names: [String]) {
    let window = windowSize
    leaveLine(showing: "")
    for line in Columns.lines(names, width: window.columns, limit: max(1, window.rows - 3)) {
      write(line + "\r\n")
    }
    decoration = Decoration()
    ce_refresh(editor)
  }
}

/// Names in columns, each column read downwards.
enum Columns {
  /// - Parameters:
  ///   - width: The width of the screen, in columns.
  ///   - limit: The maximum number of lines; the last one shows how many names are left out.
  static func lines(_ names: [String], width: Int, limit: Int) -> [String] {
    let widths = names.map { $0.unicodeScalars.reduce(0) { $0 + columns($1) } }
    let cell = (widths.max() ?? 0) + 2
    let columnCount = max(1, (width + 1) / cell)
    let lineCount = (names.count + columnCount - 1) / columnCount
    guard lineCount <= limit else {
      let shown = Array(names.prefix(max(0, limit - 1) * columnCount))
      return lines(shown, width: width, limit: limit) + ["… and \(names.count - shown.count) more"]
    }
    return (0..<lineCount).map { line in
      var text = ""
      for index in stride(from: line, to: names.count, by: lineCount) {
        text += names[index]
        guard index + lineCount < names.count else { break }
        text += String(repeating: " ", count: cell - widths[index])
      }
      return text
    }
  }

  private static func columns(_ scalar: Unicode.Scalar) -> Int {
    Int(max(0, ce_width(wchar_t(bitPattern: scalar.value))))
  }
}
