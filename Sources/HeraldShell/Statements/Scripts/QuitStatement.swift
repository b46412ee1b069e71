struct QuitStatement: StatementForm {
  static let command = Command("quit", ["quit"], "leave the shell", parse: { _ in Self() })

  static let exit = Command("exit", ["exit"], "leave the shell, like quit", parse: { _ in Self() })

  var objectsRead: ObjectsRead { .none }

  func run(in context: Context) { context.shell.wantsToQuit = true }
}
