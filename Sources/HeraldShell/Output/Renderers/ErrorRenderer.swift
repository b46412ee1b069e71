import Herald

/// Renders failures for standard error.
package enum ErrorRenderer {
  /// The number of characters of a long line that are shown on each side of the caret.
  private static let reach = 80

  /// - Parameter isShown: whether the text goes to a terminal, so that control characters are escaped.
  static func text(
    _ failure: ShellError, _ mode: OutputMode, isShown: Bool = false
  ) -> String {
    let position = failure.source.position(of: failure.span.start)
    let head = text(
      failure.message, named: failure.source.name, position, mode, isShown: isShown)
    return switch mode {
    case .text, .line, .csv, .markdown, .jsonl: head + excerpt(failure, isShown: isShown)
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

  /// The line, and a caret under the position.
  private static func excerpt(_ failure: ShellError, isShown: Bool) -> String {
    let source = failure.source
    let line = source.line(around: failure.span.start)
    let offset = min(max(failure.span.start, line.lowerBound), line.upperBound)
    let before = Array(String(decoding: source.bytes[line.lowerBound..<offset], as: UTF8.self))
    let after = Array(String(decoding: source.bytes[offset..<line.upperBound], as: UTF8.self))
    if before.isEmpty && after.isEmpty { return "" }
    var shownBefore = (before.count > reach ? "…" : "") + String(before.suffix(reach))
    var shownAfter = String(after.prefix(reach)) + (after.count > reach ? "…" : "")
    if isShown { (shownBefore, shownAfter) = (shownBefore.visibleLines, shownAfter.visibleLines) }
    return shownBefore + shownAfter + "\n" + blanks(under: shownBefore) + "^\n"
  }

  /// Blanks as wide as a text: tabs stay tabs, so that the caret is aligned whatever their width.
  private static func blanks(under text: String) -> String {
    text.map { $0 == "\t" ? "\t" : String(repeating: " ", count: TextWidth.columns($0)) }.joined()
  }
}
