import Herald

/// The keywords of statements.
enum StatementWord: String, CaseIterable {
  case open, close, schema
  case classWord = "class"
  case add, new, upsert, set, delete
  case letWord = "let"
  case append, insert, remove, move, clear
  case write, begin, commit, rollback
  case observe, tokens, events, invalidate, refresh, autorefresh, sessions, session
  case show, count, group, print, mode, details, timing, help
  case expect, read, quit, exit
  case ifWord = "if"
  case forWord = "for"
  case importWord = "import"
  case dump, embedded, export, projection
  case define, alter, drop, explain, follow, history, tour
  case watch, why
  case check, backup, readers, compact
  case alias, unalias, edit
  case log, version, keep, diff, undo, redo
  case status

  /// Whether a person may want the statement in a write transaction, which completion offers there.
  var standsInWrites: Bool {
    switch self {
    case .classWord, .embedded, .projection, .define, .alter, .drop, .add, .new, .upsert, .set,
      .delete, .letWord, .append, .insert, .remove, .move, .clear, .commit, .rollback, .observe,
      .invalidate, .show, .count, .group, .print, .explain, .expect, .ifWord, .forWord, .read,
      .importWord, .export:
      true
    case .open, .close, .schema, .write, .begin, .tokens, .events, .refresh, .autorefresh,
      .sessions, .session, .mode, .details, .timing, .help, .quit, .exit, .dump, .follow, .history,
      .tour, .watch, .why, .check, .backup, .readers, .compact, .alias, .unalias, .edit, .log,
      .version, .keep, .diff, .undo, .redo, .status:
      false
    }
  }

  /// The suggestion for an unknown command: a similar keyword, or the counterpart of another shell's command.
  static func nearest(to word: String, in words: [String] = allCases.map(\.rawValue)) -> String? {
    if let counterpart = elsewhere[word.lowercased()] { return counterpart.rawValue }
    let nearest = nearestName(to: word, in: words)
    // `Dog` is a class, rather than `log` with a mistake.
    return word.count <= 3 && nearest?.first != word.lowercased().first ? nil : nearest
  }

  /// Commands of other shells with their counterparts.
  private static let elsewhere: [String: StatementWord] = [
    "q": .quit, "bye": .quit, "logout": .quit, "select": .show, "find": .show,
    "get": .show, "list": .show, "ls": .show, "update": .set, "create": .classWord,
    "tables": .schema, "classes": .schema, "describe": .schema, "desc": .schema, "d": .schema,
    "dt": .schema, "i": .read, "source": .read, "load": .read, "use": .open, "connect": .open,
    "c": .open, "h": .help, "man": .help, "?": .help, "echo": .print, "subscribe": .observe,
    "unobserve": .invalidate, "abort": .rollback,
    "fsck": .check, "verify": .check, "vacuum": .compact, "repair": .check,
    "end": .commit, "discard": .rollback, "multi": .begin, "exec": .commit, "start": .begin,
    "del": .delete, "rm": .delete, "erase": .delete, "truncate": .delete,
    "put": .upsert, "replace": .upsert, "merge": .upsert, "push": .append, "rename": .alter,
    "scan": .show, "hgetall": .show, "cat": .show, "keys": .schema,
    "puts": .print, "printf": .print, "say": .print, "info": .status, "stats": .status,
    "monitor": .follow, "tail": .follow, "attach": .open, "vi": .edit, "vim": .edit,
    "nano": .edit, "timer": .timing, "disconnect": .close,
  ]
}
