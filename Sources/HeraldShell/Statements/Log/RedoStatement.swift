import Herald

struct RedoStatement: StatementForm {
  static let command = Command(
    "redo", ["redo"], "take back the last undo, unless another commit came after it",
    examples: ["delete $b; undo; redo"], parse: { _ in Self() })

  func run(in context: Context) throws {
    let store = try context.storeOutsideTransaction("redo")
    let undo = try context.shell.naming(context.session) { try store.redo() }
    context.confirm { "took back version \(undo)" }
  }
}
