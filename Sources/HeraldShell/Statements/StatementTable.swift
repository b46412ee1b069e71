import Herald

/// The commands: a new statement is listed here.
enum StatementTable {
  /// In the order of `help` and of the manual.
  static let sections: KeyValuePairs<String, [Command]> = [
    "Stores and classes": [
      OpenStatement.command, StatusStatement.command, CloseStatement.command,
      CheckStatement.command, BackupStatement.command, ConvertStatement.command,
      ReadersStatement.command, CompactStatement.command, ClassStatement.command,
      ClassStatement.embedded, ProjectionStatement.command, DefineStatement.command,
      AlterStatement.command, DropStatement.command, SchemaStatement.command,
    ],
    "Changes": [
      AddStatement.command, NewStatement.command, AddStatement.upsert, SetStatement.command,
      DeleteStatement.command, LetStatement.command,
    ],
    "Collections": [
      AppendStatement.command, InsertStatement.command, RemoveStatement.command,
      MoveStatement.command, ClearStatement.command,
    ],
    "Transactions": [
      WriteStatement.command, BeginStatement.command, CommitStatement.command,
      RollbackStatement.command,
    ],
    "The log": [
      LogStatement.command, KeepStatement.command, VersionStatement.command, DiffStatement.command,
      UndoStatement.command, RedoStatement.command,
    ],
    "Observers": [
      ObserveStatement.command, FollowStatement.command, WatchStatement.command,
      TokensStatement.command, EventsStatement.command, WhyStatement.command,
      ExplainStatement.command, InvalidateStatement.command, RefreshStatement.command,
      AutorefreshStatement.command,
    ],
    "Sessions": [
      OnSessionStatement.command, SessionsStatement.command, SessionStatement.command,
    ],
    "Output": [
      ShowStatement.command, CountStatement.command, ShowStatement.group, DescribeStatement.command,
      HistogramStatement.command, PrintStatement.command, ModeStatement.command,
      DetailsStatement.command,
      TimingStatement.command,
      HelpStatement.command, TourStatement.command, HistoryStatement.command, EditStatement.command,
      AliasStatement.command, RemoveAliasStatement.command,
    ],
    "Scripts": [
      ExpectStatement.command, IfStatement.command, ForStatement.command, ReadStatement.command,
      ImportStatement.command, ExportStatement.command, DumpStatement.command,
      QuitStatement.command, QuitStatement.exit,
    ],
  ]

  /// The command that a word begins; nil if it begins none.
  static func command(named word: String) -> Command? { byWord[word] }

  private static let byWord = Dictionary(
    uniqueKeysWithValues: sections.flatMap(\.value).filter { $0.word != "@" }.map { ($0.word, $0) })

  /// The suggestion for an unknown command: a similar keyword, or the counterpart of another shell's command.
  static func nearest(to word: String, in words: [String] = words) -> String? {
    if let counterpart = elsewhere[word.lowercased()] { return counterpart }
    let nearest = nearestName(to: word, in: words)
    // `Dog` is a class, rather than `log` with a mistake.
    return word.count <= 3 && nearest?.first != word.lowercased().first ? nil : nearest
  }

  /// The words of all commands. Of two that are like a mistyped one, the first is suggested.
  private static let words: [String] = {
    let first = """
      open close schema class add new upsert set delete let append insert remove move clear write
      begin commit rollback observe tokens events invalidate refresh autorefresh sessions session
      show count group print mode details timing help expect read quit exit if for import dump
      embedded export projection define alter drop explain follow history tour watch why check
      backup readers compact alias unalias edit log version keep diff undo redo status
      """.split(whereSeparator: \.isWhitespace).map(String.init)
    return first + byWord.keys.filter { !first.contains($0) }.sorted()
  }()

  /// Commands of other shells with their counterparts.
  private static let elsewhere = [
    "q": "quit", "bye": "quit", "logout": "quit", "select": "show", "find": "show", "get": "show",
    "list": "show", "ls": "show", "update": "set", "create": "class", "tables": "schema",
    "classes": "schema", "desc": "describe", "summarize": "describe", "d": "schema", "dt": "schema",
    "i": "read", "source": "read", "load": "read", "use": "open", "connect": "open", "c": "open",
    "h": "help", "man": "help", "?": "help", "echo": "print", "subscribe": "observe",
    "unobserve": "invalidate", "abort": "rollback", "fsck": "check", "verify": "check",
    "vacuum": "compact", "repair": "check", "end": "commit", "discard": "rollback",
    "multi": "begin", "exec": "commit", "start": "begin", "del": "delete", "rm": "delete",
    "erase": "delete", "truncate": "delete", "put": "upsert", "replace": "upsert",
    "merge": "upsert", "push": "append", "rename": "alter", "scan": "show", "hgetall": "show",
    "cat": "show", "keys": "schema", "puts": "print", "printf": "print", "say": "print",
    "info": "status", "stats": "status", "monitor": "follow", "tail": "follow", "attach": "open",
    "hist": "histogram", "vi": "edit", "vim": "edit", "nano": "edit", "timer": "timing",
    "disconnect": "close",
  ]
}
