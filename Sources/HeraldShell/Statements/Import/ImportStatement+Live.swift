import Herald

extension ImportStatement {
  /// Adds objects as lines come, until the input ends.
  func runLive(in context: Context) throws {
    let shell = context.shell
    let store = try context.store
    let waiting = try CommitWaiting(context, word: "import … live")
    let live = try LiveImport(self, context)
    defer { live.confirm() }
    repeat {
      if !store.autorefresh { try store.refresh() }
      try shell.endTurns(after: shell.main, on: shell.main)
      shell.restSessions()
      shell.output.flush()
    } while try shell.isStoreOpen && !shell.wantsToQuit && !live.isOver
      && waiting.awaitNext(adding: live)
  }
}
