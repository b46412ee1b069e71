import Herald

/// `session bg`: makes a session the current one.
struct SessionStatement: StatementForm {
  static let command = Command(
    "session", ["session NAME"], "make a session the current one",
    parse: { parser throws(ShellError) in Self(name: try parser.name("a session")) })

  let name: Name

  func run(in context: Context) throws { context.shell.current = try context.sessionNamed(name) }
}
