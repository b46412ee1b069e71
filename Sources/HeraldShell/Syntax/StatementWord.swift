/// The words that begin statements.
enum StatementWord: String, CaseIterable {
  case open, close, schema
  case classWord = "class"
  case add, new, upsert, set, delete
  case letWord = "let"
  case append, insert, remove, move, clear
  case write, begin, commit, rollback
  case observe, tokens, events, invalidate, refresh, autorefresh, sessions, session
  case show, count, print, mode, details, timing, help
  case expect, read, quit
  case ifWord = "if"
  case importWord = "import"
  case dump, embedded, export, projection
  case alter, drop, explain, follow, history, tour
  case watch, why

  /// Words of the language that this version does not carry out: named as such, never ignored.
  var isAvailable: Bool {
    switch self {
    case .watch: false
    case .open, .close, .schema, .classWord, .add, .new, .upsert, .set, .delete, .letWord, .append,
      .insert, .remove, .move, .clear, .write, .begin, .commit, .rollback, .observe, .tokens,
      .events, .invalidate, .refresh, .autorefresh, .sessions, .session, .show, .count, .print,
      .mode, .details, .timing, .help, .history, .expect, .read, .quit, .ifWord, .importWord, .dump,
      .embedded, .export, .projection, .alter, .drop, .explain, .follow, .why, .tour:
      true
    }
  }
}
