import Herald

/// `commit`, `commit without t1`, `commit message "why"`.
struct CommitStatement: StatementForm {
  static let command = Command(
    "commit", ["commit [without TOKEN, ...] [message TEXT]"],
    "end the transaction and keep its changes", inWrites: true, parse: Self.init)

  private(set) var options = CommitOptions()

  init(_ parser: inout StatementParser) throws(ShellError) { while try options.take(&parser) {} }

  func run(in context: Context) throws {
    let silenced = try options.silenced(context)
    let text = try options.text(context)
    let store = try context.store
    do {
      try store.commitWrite(without: silenced.compactMap(\.token), message: text)
      CommitOptions.noteEnds(among: silenced, context)
    } catch {
      context.shell.forgetWrite(of: context.session, store)
      throw error
    }
    _ = context.session.variablesBeforeWrites.popLast()
    context.confirm { "committed" }
  }
}
