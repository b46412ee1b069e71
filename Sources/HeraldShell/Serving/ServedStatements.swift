import Herald

/// Which statements another program may send: none that names a file, starts a program, registers an observer, changes
/// how the shell works, or begins and ends transactions itself.
package enum ServedStatements: Sendable {
  /// Statements that read.
  case queries
  /// Statements that change objects and classes, and those that read.
  case changes
  /// `undo` and `redo`.
  case undoing

  /// Whether the statement that a word begins is among them.
  func allow(_ word: String) -> Bool {
    switch self {
    case .queries: Self.wordsOfQueries.contains(word)
    case .changes: Self.wordsOfQueries.contains(word) || Self.wordsOfChanges.contains(word)
    case .undoing: Self.wordsOfUndoing.contains(word)
    }
  }

  /// Whether an assignment is among them.
  var allowAssignments: Bool {
    switch self {
    case .queries, .undoing: false
    case .changes: true
    }
  }

  private static let wordsOfQueries: Set<String> = [
    "show", "group", "count", "print", "describe", "histogram", "diff", "log", "schema", "explain",
    "version", "expect", "help",
  ]

  private static let wordsOfChanges: Set<String> = [
    "add", "new", "upsert", "set", "delete", "let", "append", "insert", "remove", "move", "clear",
    "if", "for", "class", "embedded", "projection", "define", "alter", "drop",
  ]

  private static let wordsOfUndoing: Set<String> = ["undo", "redo"]

  /// Whether a text is an `undo` or a `redo`, which are transactions of their own.
  package static func isUndoing(_ text: String) -> Bool {
    let source = Source(name: "", text: text)
    var parser = StatementParser(source)
    parser.skipSeparators()
    return parser.token.kind == .word && wordsOfUndoing.contains(parser.text)
  }
}
