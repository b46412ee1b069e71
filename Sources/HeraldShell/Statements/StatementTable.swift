import Herald

/// The commands: a new statement is listed here twice.
enum StatementTable {
  /// Of two words that are like a mistyped one, the first is suggested.
  static let commands: [Command] = [
    .open, .close, .schema, .class, .add, .new, .upsert, .set, .delete, .let, .append, .insert,
    .remove, .move, .clear, .write, .begin, .commit, .rollback, .observe, .tokens, .events,
    .invalidate, .refresh, .autorefresh, .sessions, .session, .show, .count, .group, .print, .mode,
    .details, .timing, .help, .expect, .read, .quit, .exit, .if, .for, .import, .dump, .embedded,
    .export, .projection, .define, .alter, .drop, .explain, .follow, .history, .tour, .watch, .why,
    .check, .backup, .readers, .compact, .alias, .unalias, .edit, .log, .version, .keep, .diff,
    .undo, .redo, .status,
  ]

  /// The command that a word begins; nil if it begins none.
  static func command(named word: String) -> Command? { byWord[word] }

  private static let byWord = Dictionary(uniqueKeysWithValues: commands.map { ($0.word, $0) })

  /// The suggestion for an unknown command: a similar keyword, or the counterpart of another shell's command.
  static func nearest(to word: String, in words: [String] = commands.map(\.word)) -> String? {
    if let counterpart = elsewhere[word.lowercased()] { return counterpart.word }
    let nearest = nearestName(to: word, in: words)
    // `Dog` is a class, rather than `log` with a mistake.
    return word.count <= 3 && nearest?.first != word.lowercased().first ? nil : nearest
  }

  /// Commands of other shells with their counterparts.
  private static let elsewhere: [String: Command] = [
    "q": .quit, "bye": .quit, "logout": .quit, "select": .show, "find": .show,
    "get": .show, "list": .show, "ls": .show, "update": .set, "create": .class,
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

extension CommandReference {
  /// In the order of `help` and of the manual.
  package static let sections: [Section] = [
    Section(
      title: "Stores and classes",
      commands: [
        .open, .status, .close, .check, .backup, .readers, .compact, .class, .embedded,
        .projection, .define, .alter, .drop, .schema,
      ]),
    Section(title: "Changes", commands: [.add, .new, .upsert, .set, .delete, .let]),
    Section(title: "Collections", commands: [.append, .insert, .remove, .move, .clear]),
    Section(title: "Transactions", commands: [.write, .begin, .commit, .rollback]),
    Section(title: "The log", commands: [.log, .keep, .version, .diff, .undo, .redo]),
    Section(
      title: "Observers",
      commands: [
        .observe, .follow, .watch, .tokens, .events, .why, .explain, .invalidate, .refresh,
        .autorefresh,
      ]),
    Section(title: "Sessions", commands: [.onSession, .sessions, .session]),
    Section(
      title: "Output",
      commands: [
        .show, .count, .group, .print, .mode, .details, .timing, .help, .tour, .history, .edit,
        .alias, .unalias,
      ]),
    Section(
      title: "Scripts",
      commands: [
        .expect, .if, .for, .read, .import, .export, .dump, .quit, .exit,
      ]),
  ]
}
