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
}
