import Herald

extension Command {
  static let session = Command(
    "session", ["session NAME"], "make a session the current one",
    parse: { parser throws(ShellError) in
      SessionStatement(name: try parser.name("a session"))
    })
}

/// `session bg`: makes a session the current one.
struct SessionStatement: StatementForm {
  let name: Name

  func run(in context: Context) throws { context.shell.current = try context.sessionNamed(name) }
}
