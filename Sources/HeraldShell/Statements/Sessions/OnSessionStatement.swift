import Herald

/// `@bg add Dog {…}`: runs a statement on another session, made at first use, and waits for it.
struct OnSessionStatement: StatementForm {
  static let command = Command(
    "@", ["@NAME STATEMENT"], "run a statement on another session, created at first use",
    ["Each session is a thread of its own with its own view of the store."],
    examples: ["@bg add Dog { id: 8 }"], parse: Self.init)

  let name: Name
  let statement: Statement

  /// Parses what follows the sign.
  init(_ parser: inout StatementParser) throws(ShellError) {
    guard parser.token.start == parser.lastEnd else { throw parser.expected("a session") }
    name = try parser.name("a session")
    statement = try parser.statement()
  }

  /// Its statement is executed, and reads what that needs.
  var objectsRead: ObjectsRead { .none }

  func session(in shell: Interpreter) -> ShellSession? {
    statement.form.session(in: shell) ?? shell.sessions.first { $0.name == name.text }
  }

  func run(in context: Context) throws {
    var inner = Context(context.shell, context.source, try context.sessionNamed(name))
    inner.locals = context.locals
    inner.block = context.block
    try context.shell.run(on: inner.session, from: context.session) { [inner] in
      try inner.execute(statement)
    }
  }
}
