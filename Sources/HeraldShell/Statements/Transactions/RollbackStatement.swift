import Herald

struct RollbackStatement: StatementForm {
  static let command = Command(
    "rollback", ["rollback"], "end the transaction and undo its changes", inWrites: true,
    parse: { _ in Self() })

  func run(in context: Context) throws {
    try context.store.rollbackWrite()
    if let before = context.session.variablesBeforeWrites.popLast() {
      context.shell.variables = before
    }
    context.confirm { "rolled back" }
  }
}
