import Herald

/// Renders failures for standard error.
package enum ErrorRenderer {
  /// The number of characters of a long line that are shown on each side of the caret.
  private static let reach = 80

  /// - Parameters:
  ///   - isShown: Whether the text goes to a terminal, so that control characters are escaped.
  ///   - columns: The width of the terminal, which the excerpt fits; nil if it is not known.
  static func text(
    _ failure: ShellError, _ mode: OutputMode, isShown: Bool = false, columns: Int? = nil
  ) -> String {
    let position = failure.source.position(of: failure.span.start)
    let head = text(failure.message, named: failure.source.name, position, mode, isShown: isShown)
    // Where a statement was interrupted is no mistake of its text.
    guard failure.diagnostic != .interrupted else { return head }
    return switch mode {
    case .text, .line, .csv, .markdown, .jsonl:
      head + excerpt(failure, isShown: isShown, columns: columns)
    case .json: head
    }
  }

  /// `name:line:column: error: message`, or the same as JSON.
  static func text(
    _ message: String, named name: String, _ position: SourcePosition, _ mode: OutputMode,
    isShown: Bool = false
  ) -> String {
    let line = line(message, named: name, position, mode)
    return (isShown ? line.visible : line) + "\n"
  }

  /// `herald: warning: message`, or the same as JSON.
  static func warning(_ message: String, _ mode: OutputMode, isShown: Bool) -> String {
    let line =
      switch mode {
      case .text, .line, .csv, .markdown, .jsonl: "herald: warning: \(message)"
      case .json: "{\"warning\":{\"message\":\(message.quoted)}}"
      }
    return (isShown ? line.visible : line) + "\n"
  }

  private static func line(
    _ message: String, named name: String, _ position: SourcePosition, _ mode: OutputMode
  ) -> String {
    switch mode {
    case .text, .line, .csv, .markdown, .jsonl:
      "\(name):\(position.line):\(position.column): error: \(message)"
    case .json:
      "{\"error\":{\"message\":\(message.quoted),\"file\":\(name.quoted)"
        + ",\"line\":\(position.line),\"column\":\(position.column)}}"
    }
  }

  /// The line, and a caret under the position. Of a line that is too long, the text around the caret.
  private static func excerpt(_ failure: ShellError, isShown: Bool, columns: Int?) -> String {
    let source = failure.source
    let line = source.line(around: failure.span.start)
    let offset = min(max(failure.span.start, line.lowerBound), line.upperBound)
    var before = String(decoding: source.bytes[line.lowerBound..<offset], as: UTF8.self)
    var after = String(decoding: source.bytes[offset..<line.upperBound], as: UTF8.self)
    if before.isEmpty && after.isEmpty { return "" }
    before = String(before.suffix(reach + 1))
    after = String(after.prefix(reach + 1))
    if isShown { (before, after) = (before.visibleLines, after.visibleLines) }
    // A line that fills the last column may leave an empty one below it.
    let room = columns.map { max(2, $0 - 1) } ?? .max
    let widthAfter = min(width(after), reach)
    let roomBefore = min(reach + 1, max(room - widthAfter, room / 2))
    before = String(cut(before.reversed(), to: roomBefore).reversed())
    after = String(cut(Array(after), to: min(reach + 1, room - width(before))))
    return before + after + "\n" + blanks(under: before) + "^\n"
  }

  /// The beginning of a text that takes at most `room` columns, with an ellipsis if the text is longer.
  private static func cut(_ text: [Character], to room: Int) -> [Character] {
    if text.count <= reach, text.reduce(0, { $0 + width($1) }) <= room { return text }
    var rest = room - 1
    let shown = text.prefix(reach).prefix { character in
      rest -= width(character)
      return rest >= 0
    }
    return shown + ["…"]
  }

  private static func width(_ text: String) -> Int { text.reduce(0) { $0 + width($1) } }

  /// The columns of a character, of a tab the most that it can take.
  private static func width(_ character: Character) -> Int {
    character == "\t" ? 8 : TextWidth.columns(character)
  }

  /// Blanks as wide as a text: tabs stay tabs, so that the caret is aligned whatever their width.
  private static func blanks(under text: String) -> String {
    text.map { $0 == "\t" ? "\t" : String(repeating: " ", count: TextWidth.columns($0)) }.joined()
  }
}
