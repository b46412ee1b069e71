import Herald

/// `log 20 Dog`: the last commits, newest first.
struct LogStatement: StatementForm {
  static let command = Command(
    "log", ["log [N] [CLASS | OBJECT]", "log version VERSION"],
    "list the last commits, or show one",
    [
      "The newest commits come first, 10 without N; with CLASS, those that changed its objects, even if "
        + "it was dropped since, and with OBJECT, those that touched it, which may be gone. Each line has the version that the commit made, the numbers of "
        + "objects that were inserted (+), modified (~) and deleted (-), the message, the time, the "
        + "session and the process, and the size of its record in bytes.",
      "With version, what one commit did: the objects that it inserted (+) and deleted (-) with their "
        + "values, and of the modified ones (~) each property before and after; of a list the rows "
        + "that were inserted (+[2]), removed (-[0]), replaced ([1]:) and moved ([0→3]). Of a change "
        + "of classes also these, and what it did to the objects. The first commit of a store makes "
        + "version 1.",
      "In JSON: {\"result\":[{\"version\":42,\"time\":\"...\",\"message\":null,\"session\":\"main\","
        + "\"process\":123,\"size\":42,\"classes\":{\"Dog\":{\"inserted\":1,\"modified\":0,"
        + "\"deleted\":2}}}]}, \"reverts\" for the version that an undo or a redo takes back, and for "
        + "one commit also \"changes\": [{\"class\":\"Dog\",\"key\":3,"
        + "\"inserted\":{...}},{\"class\":\"Dog\",\"key\":4,\"modified\":{\"age\":[3,4]}},"
        + "{\"class\":\"Dog\",\"key\":5,\"deleted\":{...}}]. A change of classes has "
        + "\"schemaChanged\":true, all classes as \"schema\", and what it did to objects as "
        + "\"altered\", in the form of changes, by the names of properties before and after.",
    ], examples: ["log", "log 20 Dog", "log Dog#11", "log version 2"], parse: Self.parse)

  /// The number of commits.
  let count: ExpressionSyntax?
  /// A class that they touch.
  let className: Name?
  /// An object that they touch.
  var object: PathSyntax?

  private static func parse(
    _ parser: inout StatementParser
  ) throws(ShellError) -> any StatementForm {
    if parser.takeIf("version") { return LogVersionStatement(version: try parser.versionNumber()) }
    let isCounted = parser.token.kind == .number || parser.token.kind == .variable
    let count = isCounted ? try parser.expression() : nil
    var ahead = parser
    ahead.advance()
    let isObject = parser.token.kind == .variable || parser.token.kind == .word && ahead.isSign("#")
    if isObject {
      return LogStatement(count: count, className: nil, object: try parser.target("an object"))
    }
    return LogStatement(count: count, className: try parser.optionalName("a class"))
  }

  func run(in context: Context) throws {
    let commits = try commits(context)
    if context.shell.mode == .json {
      return context.emit(.values([.list(commits.map { OutputValue.map(CommitText.fields($0)) })]))
    }
    try RowPrinter(context: context).show(commits.count, smallest: CommitText.smallestWidths) {
      .row(CommitText.columns(commits[$0]))
    }
  }

  private func commits(_ context: Context) throws -> [CommitSummary] {
    // A variable alone may be either.
    if object == nil, className == nil, let count,
      case .object(let object) = try context.resolve(count)
    {
      return try commits(of: object.label, 10, count.span, context)
    }
    let limit = try count.map { try number($0, context) } ?? 10
    guard let object else {
      return try context.locating(className?.span ?? count?.span) {
        try context.store.log(limit, of: className?.text)
      }
    }
    if case .object(let className, let key) = object.start, object.steps.isEmpty {
      let key = try context.value(key)
      return try context.locating(object.span) {
        try context.store.log(limit, of: className, key: key)
      }
    }
    guard
      case .object(let found) = try context.resolve(ExpressionSyntax(.path(object), object.span))
    else { throw context.expected("an object", at: object.span) }
    return try commits(of: found.label, limit, object.span, context)
  }

  private func commits(
    of label: ObjectLabel, _ limit: Int, _ span: SourceSpan, _ context: Context
  ) throws -> [CommitSummary] {
    try context.locating(span) { try context.store.log(limit, of: label.className, key: label.key) }
  }

  private func number(_ expression: ExpressionSyntax, _ context: Context) throws -> Int {
    if case .value(.int(let count)) = try context.resolve(expression), count >= 0 { return count }
    throw context.expected("a number of commits", at: expression.span)
  }
}

/// `log version 42`: one commit with its changes.
struct LogVersionStatement: StatementForm {
  let version: ExpressionSyntax

  func run(in context: Context) throws {
    let store = try context.store
    let number = try context.version(version)
    try context.locating(version.span) {
      try CommitOutput(commit: store.commitVersions(number), context: context).emit()
    }
  }
}
