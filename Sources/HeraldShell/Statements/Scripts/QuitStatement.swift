extension Command {
  static let quit = Command("quit", ["quit"], "leave the shell", parse: { _ in QuitStatement() })

  static let exit = Command(
    "exit", ["exit"], "leave the shell, like quit",
    parse: { _ in QuitStatement() })
}

struct QuitStatement: StatementForm {
  func run(in context: Context) { context.shell.wantsToQuit = true }
}
