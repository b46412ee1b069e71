import Herald

extension StatementParser {
  /// Takes an option that is offered only where it applies.
  mutating func takeIf(_ word: StaticString, given condition: ParserNotes.Condition) -> Bool {
    let before = notes?.condition
    notes?.condition = condition
    defer { notes?.condition = before }
    return takeIf(word)
  }

  /// Dotted property names; `*` matches every property of a level.
  mutating func keyPath() throws(ShellError) -> Name {
    let start = token.start
    let owner = notes?.owner
    defer { notes?.owner = owner }
    while true {
      guard token.kind == .word || isSign("*") else { throw expected("a key path") }
      if token.kind == .word, let owner = notes?.owner {
        notes?.refer(to: Name(text: text, span: token.span), of: .owner(owner))
      }
      notes?.owner = notes?.owner?.appending(text)
      advance()
      guard isJoined(".") else { break }
      advance()
    }
    let span = SourceSpan(start: start, end: lastEnd)
    return Name(text: source.text(span), span: span)
  }
}
