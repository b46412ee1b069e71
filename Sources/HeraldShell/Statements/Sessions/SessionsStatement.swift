import Herald

struct SessionsStatement: StatementForm {
  static let command = Command(
    "sessions", ["sessions"], "list the sessions", parse: { _ in Self() })

  func run(in context: Context) throws {
    let shell = context.shell
    _ = try shell.store(of: shell.main)
    context.emit(
      .sessions(
        shell.sessions.compactMap { session in
          guard let store = session.store else { return nil }
          return OutputLine.SessionDescription(
            name: session.name, version: store.version, isCurrent: session === shell.current,
            autorefreshes: store.autorefresh, isInWrite: store.isInWrite)
        }))
  }
}
