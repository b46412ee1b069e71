import CEditLine
import Glibc

// The commands that keys are bound to. Each returns libedit's next action.
extension EditorState {
  // MARK: Characters as a person sees them, which may be several of Unicode's

  func moveLeft() -> UInt8 {
    guard let line = typedLine, let last = line.beforeCursor.last else { return UInt8(CC_ERROR) }
    el_cursor(editor, -Int32(last.unicodeScalars.count))
    return UInt8(CC_CURSOR)
  }

  func moveRight() -> UInt8 {
    guard let line = typedLine, let next = line.nextCharacter else { return UInt8(CC_ERROR) }
    el_cursor(editor, Int32(next.unicodeScalars.count))
    return UInt8(CC_CURSOR)
  }

  func deleteLeft() -> UInt8 {
    guard let line = typedLine, let last = line.beforeCursor.last else { return UInt8(CC_ERROR) }
    el_deletestr(editor, Int32(last.unicodeScalars.count))
    return UInt8(CC_REFRESH)
  }

  func deleteRight() -> UInt8 {
    guard let line = typedLine, let next = line.nextCharacter else { return UInt8(CC_ERROR) }
    let count = Int32(next.unicodeScalars.count)
    el_cursor(editor, count)
    el_deletestr(editor, count)
    return UInt8(CC_REFRESH)
  }

  /// Ctrl-D: ends the input on an empty line.
  func deleteRightOrLeave() -> UInt8 {
    guard typedLine?.text.isEmpty ?? false else { return deleteRight() }
    return UInt8(CC_EOF)
  }

  // MARK: Undo and history

  func undo() -> UInt8 {
    guard let line = undoStack.undo() else { return UInt8(CC_ERROR) }
    return replaceLine(with: line)
  }

  func recallOlder() -> UInt8 {
    guard let line = typedLine else { return UInt8(CC_ERROR) }
    if walk?.shown != line.text { walk = HistoryWalk(past, from: line) }
    return walk?.older().map(replaceLine) ?? UInt8(CC_ERROR)
  }

  func recallNewer() -> UInt8 {
    guard let line = typedLine, walk?.shown == line.text else { return UInt8(CC_ERROR) }
    return walk?.newer().map(replaceLine) ?? UInt8(CC_ERROR)
  }

  private func replaceLine(with line: TypedLine) -> UInt8 {
    guard let old = typedLine else { return UInt8(CC_ERROR) }
    el_cursor(editor, Int32(old.afterCursor.unicodeScalars.count))
    el_deletestr(editor, Int32(old.text.unicodeScalars.count))
    var characters = line.text.unicodeScalars.map { wchar_t(bitPattern: $0.value) }
    characters.append(0)
    // libedit fails to insert nothing.
    if !line.text.isEmpty, el_winsertstr(editor, characters) != 0 { return UInt8(CC_ERROR) }
    el_cursor(editor, -Int32(line.afterCursor.unicodeScalars.count))
    return UInt8(CC_REFRESH)
  }
}

extension TypedLine {
  /// The character after the cursor, with what combines with it.
  fileprivate var nextCharacter: Character? { afterCursor.first }
}
