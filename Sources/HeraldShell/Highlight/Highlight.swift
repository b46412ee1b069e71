import Herald

/// A part of a text that is shown in a colour of its own.
package struct Highlight: Equatable, Sendable {
  package enum Style: Sendable {
    case keyword, className, variable, string, number, comment
    /// A syntax error.
    case mistake
  }
  /// In the UTF-8 of the text.
  package let range: Range<Int>
  package let style: Style

  package init(range: Range<Int>, style: Style) {
    self.range = range
    self.style = style
  }
}

/// Returns the coloured parts of a text, in order and without overlaps. A mistake in the word at the end
/// of the text is ignored, as the word is still being typed. O(text).
package func highlights(_ text: String) -> [Highlight] {
  let bytes = Array(text.utf8)
  var styles = [Highlight.Style?](repeating: nil, count: bytes.count)
  func paint(_ span: SourceSpan, _ style: Highlight.Style) {
    let end = min(span.end, bytes.count)
    for index in min(span.start, end)..<end { styles[index] = style }
  }
  paintTokens(bytes, paint)
  let notes = ParserNotes()
  let mistakes = read(bytes, notes)
  for (span, meaning) in notes.meanings {
    switch meaning {
    case .keyword: paint(span, .keyword)
    case .className: paint(span, .className)
    }
  }
  for span in mistakes where span.end < bytes.count { paint(span, .mistake) }
  return runs(styles)
}

private func paintTokens(_ bytes: [UInt8], _ paint: (SourceSpan, Highlight.Style) -> Void) {
  var lexer = Lexer(bytes)
  var end = 0
  while true {
    let token = lexer.next()
    // Only blanks and comments are between two tokens.
    if let comment = bytes[end..<token.start].firstIndex(of: Byte.number) {
      paint(SourceSpan(start: comment, end: token.start), .comment)
    }
    switch token.kind {
    case .end: return
    case .string, .unterminated: paint(token.span, .string)
    case .number: paint(token.span, .number)
    case .variable: paint(token.span, .variable)
    case .word, .sign, .newline, .unknown: break
    }
    end = token.end
  }
}

/// Parses every statement; returns the spans of mistakes.
private func read(_ bytes: [UInt8], _ notes: ParserNotes) -> [SourceSpan] {
  var parser = StatementParser(Source(name: "", bytes: bytes), notes: notes)
  var mistakes: [SourceSpan] = []
  while true {
    parser.skipSeparators()
    let start = parser.token.start
    do {
      guard try parser.next() != nil else { return mistakes }
    } catch {
      mistakes.append(error.span)
      parser.recover(from: start)
    }
  }
}

/// Joins neighbouring bytes of the same style.
private func runs(_ styles: [Highlight.Style?]) -> [Highlight] {
  var runs: [Highlight] = []
  var start = 0
  for index in styles.indices {
    let isLast = index + 1 == styles.count
    guard isLast || styles[index + 1] != styles[index] else { continue }
    if let style = styles[index] {
      runs.append(Highlight(range: start..<(index + 1), style: style))
    }
    start = index + 1
  }
  return runs
}
