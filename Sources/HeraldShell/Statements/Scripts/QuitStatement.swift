struct QuitStatement: StatementForm {
  static let command = Command("quit", ["quit"], "leave the shell", parse: { _ in QuitStatement() })

  static let exit = Command(
    "exit", ["exit"], "leave the shell, like quit",
    parse: { _ in QuitStatement() })

  func run(in context: Context) { context.shell.wantsToQuit = true }
}
