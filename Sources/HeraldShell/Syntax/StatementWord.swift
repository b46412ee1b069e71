/// The words that begin statements.
enum StatementWord: String, CaseIterable {
  case open, close, schema
  case classWord = "class"
  case add, new, upsert, set, delete
  case letWord = "let"
  case append, insert, remove, move, clear
  case write, begin, commit, rollback
  case observe, tokens, invalidate, refresh, autorefresh, sessions, session
  case show, count, print, mode, help
  case expect, read, quit
  case ifWord = "if"
  case importWord = "import"
  case alter, details, drop, dump, embedded, explain, export, freeze, history
  case projection, timing, watch, why

  enum Group {
    case store, change, collection, transaction, observation, output, script
    /// Words of the language that this version does not carry out: named as such, never ignored.
    case unavailable
  }

  var group: Group {
    switch self {
    case .open, .close, .schema, .classWord: .store
    case .add, .new, .upsert, .set, .delete, .letWord: .change
    case .append, .insert, .remove, .move, .clear: .collection
    case .write, .begin, .commit, .rollback: .transaction
    case .observe, .tokens, .invalidate, .refresh, .autorefresh, .sessions, .session: .observation
    case .show, .count, .print, .mode, .help: .output
    case .expect, .read, .quit, .ifWord, .importWord: .script
    case .alter, .details, .drop, .dump, .embedded, .explain, .export, .freeze,
      .history, .projection, .timing, .watch, .why:
      .unavailable
    }
  }
}
