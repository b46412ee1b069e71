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
///
/// - Parameter context: What the store has: the names of other classes and properties are mistakes. Nil if
///   any name may be right.
package func highlights(_ text: String, _ context: CompletionContext? = nil) -> [Highlight] {
  let expansion = AliasExpansion(Array(text.utf8), aliases: context?.aliases ?? [:])
  let found = highlights(expansion.bytes, context).compactMap { highlight -> Highlight? in
    guard let start = expansion.original(highlight.range.lowerBound),
      let last = expansion.original(highlight.range.upperBound - 1)
    else { return nil }
    return Highlight(range: start..<(last + 1), style: highlight.style)
  }
  let names = expansion.replaced.map { Highlight(range: $0.name, style: .keyword) }
  let others = found.filter { found in !names.contains { $0.range.overlaps(found.range) } }
  return (others + names).sorted { $0.range.lowerBound < $1.range.lowerBound }
}

private func highlights(_ bytes: [UInt8], _ context: CompletionContext?) -> [Highlight] {
  var styles = [Highlight.Style?](repeating: nil, count: bytes.count)
  func paint(_ span: SourceSpan, _ style: Highlight.Style) {
    let end = min(span.end, bytes.count)
    for index in min(span.start, end)..<end { styles[index] = style }
  }
  paintTokens(bytes, paint)
  let notes = ParserNotes()
  var declared: Set<String> = []
  let mistakes = read(bytes, notes, &declared)
  for (span, meaning) in notes.meanings {
    switch meaning {
    case .keyword: paint(span, .keyword)
    case .className: paint(span, .className)
    }
  }
  let unknown = context.map { UnknownNames($0, declared: declared).spans(notes) } ?? []
  for span in unknown + mistakes where span.end < bytes.count { paint(span, .mistake) }
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

/// Parses every statement; returns the spans of mistakes, and adds the names that the text declares.
private func read(
  _ bytes: [UInt8], _ notes: ParserNotes, _ declared: inout Set<String>
) -> [SourceSpan] {
  var parser = StatementParser(Source(name: "", bytes: bytes), notes: notes)
  var mistakes: [SourceSpan] = []
  while true {
    parser.skipSeparators()
    let start = parser.token.start
    do {
      guard let statement = try parser.next() else { return mistakes }
      if let name = statement.form.declaredName { declared.insert(name) }
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
