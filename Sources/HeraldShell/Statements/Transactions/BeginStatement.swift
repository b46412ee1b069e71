import Herald

struct BeginStatement: StatementForm {
  static let command = Command(
    "begin", ["begin"], "begin a transaction that lasts until commit or rollback",
    parse: { _ in Self() })

  func run(in context: Context) throws {
    let store = try context.store
    try context.shell.naming(context.session) { try store.beginWrite(waiting: false) }
    context.session.variablesBeforeWrites.append(context.shell.variables)
  }
}
