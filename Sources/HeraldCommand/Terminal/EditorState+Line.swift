import CEditLine
import Glibc

/// The line that is being typed, as libedit holds it.
struct TypedLine: Equatable {
  let text: String
  /// The cursor's place in the text's UTF-8.
  let cursor: Int

  var isCursorAtEnd: Bool { cursor == text.utf8.count }

  /// libedit shows what it asks for, such as the words of a search, as a last line of its own.
  var isAsking: Bool {
    let last = text[(text.lastIndex(of: "\n").map(text.index(after:)) ?? text.startIndex)...]
    return ["bck:", "fwd:", "/", "?", ": "].contains { last.hasPrefix($0) }
  }
}

extension EditorState {
  /// nil while it holds what is no text.
  var typedLine: TypedLine? {
    guard let line = el_wline(editor)?.pointee, var next = line.buffer, let end = line.lastchar
    else { return nil }
    var text = String.UnicodeScalarView()
    var cursor = 0
    while next < end {
      guard let scalar = Unicode.Scalar(UInt32(bitPattern: next.pointee)) else { return nil }
      text.append(scalar)
      next += 1
      if next <= line.cursor { cursor += UTF8.width(scalar) }
    }
    return TypedLine(text: String(text), cursor: cursor)
  }
}
