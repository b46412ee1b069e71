struct CloseStatement: StatementForm {
  static let command = Command(
    "close", ["close"], "close the store; its observers end silently", parse: { _ in Self() })

  var isForMain: Bool { true }

  var objectsRead: ObjectsRead { .none }

  func run(in context: Context) throws {
    let shell = context.shell
    try context.refuseInBlocks("close")
    guard shell.isStoreOpen else { throw Diagnostic.noStore }
    try shell.closeStore()
    shell.isStoreOpen = false
    shell.storePath = nil
    context.confirm { "closed" }
  }
}
