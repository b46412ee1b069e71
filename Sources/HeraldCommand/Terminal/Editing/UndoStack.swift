/// The earlier states of the line that is being typed, for undo.
///
/// Characters that are typed one after another are undone together, up to the beginning of their word.
struct UndoStack {
  private var states: [TypedLine] = []
  private var current = TypedLine(text: "", cursor: 0)
  /// Whether the last change has inserted one character, at the end of the previous one's.
  private var isTyping = false

  /// The number of states that are kept.
  private static let limit = 1_000

  /// Notes the line as it is before the next key.
  mutating func note(_ line: TypedLine) {
    guard line.text != current.text else {
      // Where the cursor has moved, a new change begins.
      if line.cursor != current.cursor { isTyping = false }
      current = line
      return
    }
    let typed = line.typed(after: current)
    if !isTyping || typed == nil || typed == .beginningOfWord {
      states.append(current)
      if states.count > Self.limit { states.removeFirst() }
    }
    isTyping = typed != nil
    current = line
  }

  /// Returns the line before the last change; nil if there is none.
  mutating func undo() -> TypedLine? {
    guard let last = states.popLast() else { return nil }
    current = last
    isTyping = false
    return last
  }
}

extension TypedLine {
  fileprivate enum Typed {
    case beginningOfWord, other
  }

  /// The kind of the one character that the line has more than another one, before the cursor; nil if they
  /// differ otherwise.
  fileprivate func typed(after earlier: TypedLine) -> Typed? {
    let (old, new) = (Array(earlier.text.utf8), Array(text.utf8))
    let added = new.count - old.count
    guard added > 0, added <= 4, cursor == earlier.cursor + added,
      new[..<earlier.cursor] == old[..<earlier.cursor], new[cursor...] == old[earlier.cursor...],
      String(decoding: new[earlier.cursor..<cursor], as: UTF8.self).unicodeScalars.count == 1
    else { return nil }
    let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") }
    let isAfterBlank = earlier.cursor > 0 && isBlank(new[earlier.cursor - 1])
    return isAfterBlank && !isBlank(new[earlier.cursor]) ? .beginningOfWord : .other
  }
}
