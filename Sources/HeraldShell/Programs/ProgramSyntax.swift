import Herald

/// `run "PROGRAM" ARGUMENT ... --after-file FILE` after `do`.
struct ProgramSyntax {
  /// The program and its arguments.
  let words: [Name]
  /// The file that has the version after the last event for which the program ended with status 0.
  let cursor: Name?

  private static let option = "--after-file"

  init(_ parser: inout StatementParser) throws(ShellError) {
    parser.note(.expected("a program", of: nil))
    guard !parser.isAtEndOfStatement else { throw parser.expected("a program") }
    var words: [Name] = []
    var cursor: Name?
    repeat {
      if !words.isEmpty, parser.takesOption(Self.option) {
        cursor = try parser.path()
      } else {
        words.append(try parser.word())
      }
      if !words.isEmpty { parser.note(word: Self.option) }
    } while !parser.isAtEndOfStatement
    self.words = words
    self.cursor = cursor
  }
}

extension StatementParser {
  /// Takes an option that is followed by a blank.
  fileprivate mutating func takesOption(_ option: String) -> Bool {
    let end = token.start + option.utf8.count
    guard beginsOption(at: token.start), end < lexer.limit, Byte.isBlank(bytes[end]),
      bytes[token.start..<end].elementsEqual(option.utf8)
    else { return false }
    notes?.note(.keyword, SourceSpan(start: token.start, end: end))
    move(to: end)
    return true
  }

  /// A word of a program: bare up to the next blank, or a string. One with a slash is a path.
  fileprivate mutating func word() throws(ShellError) -> Name {
    if case .string = token.kind {
      let span = token.span
      return Name(text: try string(), span: span)
    }
    return try bareWord("a program")
  }
}
