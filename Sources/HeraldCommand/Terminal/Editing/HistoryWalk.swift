/// A walk through the statements typed earlier that have the same beginning.
struct HistoryWalk {
  private let entries: [String]
  private let original: TypedLine
  private let beginning: String
  private var index: Int
  /// The text that the walk has put into the line.
  private(set) var shown: String

  /// - Parameter line: The line where the walk begins; entries must begin like its text up to the cursor.
  init(_ entries: [String], from line: TypedLine) {
    self.entries = entries
    original = line
    beginning = line.beforeCursor
    index = entries.count
    shown = line.text
  }

  /// Returns the next older entry; nil if there is none.
  mutating func older() -> TypedLine? {
    guard let found = entries[..<index].lastIndex(where: isWanted) else { return nil }
    return show(found)
  }

  /// Returns the next newer entry, or at last the line where the walk began; nil if it is there.
  mutating func newer() -> TypedLine? {
    guard index < entries.count else { return nil }
    if let found = entries[(index + 1)...].firstIndex(where: isWanted) { return show(found) }
    index = entries.count
    shown = original.text
    return original
  }

  private func isWanted(_ entry: String) -> Bool { entry.hasPrefix(beginning) && entry != shown }

  private mutating func show(_ found: Int) -> TypedLine {
    index = found
    shown = entries[found]
    return TypedLine(text: shown, cursor: shown.utf8.count)
  }
}

extension TypedLine {
  var beforeCursor: String { String(text[..<text.utf8.index(text.startIndex, offsetBy: cursor)]) }

  var afterCursor: String { String(text[text.utf8.index(text.startIndex, offsetBy: cursor)...]) }
}
