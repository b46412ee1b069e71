import Herald

/// `help`, `help key paths`.
struct HelpStatement: StatementForm {
  static let command = Command(
    "help", ["help [WORD]", "help examples"], "list the commands, or describe a word",
    [
      "WORD is a command, a keyword such as where or BETWEEN, or a section of the manual page "
        + "herald-language(7): dates, types, predicates, key paths. help examples shows the store "
        + "that the examples use, as statements that make it.",
      "herald help WORD prints the same from the command line.",
    ], examples: ["help where", "help key paths"],
    parse: { parser throws(ShellError) in Self(word: try Self.word(&parser)) })

  let word: Name?

  /// All that follows on the line, as it was typed: a topic may have several words.
  fileprivate static func word(_ parser: inout StatementParser) throws(ShellError) -> Name? {
    if parser.isAtEndOfStatement {
      parser.note(.expected("a word", of: nil))
      return nil
    }
    let start = parser.token.start
    while !parser.isAtEndOfStatement { parser.advance() }
    let span = SourceSpan(start: start, end: parser.lastEnd)
    let text = parser.source.text(span)
    if text == "()" { return nil }
    if parser.isNoted {
      for topic in HelpText.topics where topic.hasPrefix(text + " ") {
        parser.note(.word(String(topic.dropFirst(text.utf8.count + 1)), given: nil))
      }
    }
    // Quotes around a topic of several words are as good as none.
    let unquoted = text.count > 2 && text.first == text.last && "\"'".contains(text.prefix(1))
    return Name(text: unquoted ? String(text.dropFirst().dropLast()) : text, span: span)
  }

  var objectsRead: ObjectsRead { .none }

  func run(in context: Context) throws {
    let help = HelpText(columns: context.shell.window?.columns)
    guard let word else { return context.emit(.help(help.overview)) }
    guard let text = help.topic(word.text) else {
      let nearest = HelpText.nearest(to: word.text)
      throw context.failure(.unknownTopic(word.text, nearest: nearest), at: word.span)
    }
    context.emit(.help(text))
  }
}
