import Herald

extension Context {
  /// Ends an observer, silently.
  func end(_ record: TokenTable.Entry) throws {
    guard let token = record.token else { return }
    record.token = nil
    try shell.run(on: record.session, from: session) { token.invalidate() }
    shell.tokens.noteEnd(of: record)
  }

  func sessionNamed(_ name: Name) throws -> ShellSession {
    if let session = shell.sessions.first(where: { $0.name == name.text }) { return session }
    guard shell.isStoreOpen else { throw Diagnostic.noStore }
    guard let thread = SessionThread() else {
      throw HeraldError.storage("cannot start a thread for session '\(name.text)'")
    }
    let session = ShellSession(name: name.text, thread: thread)
    do {
      try shell.run(on: shell.main, from: self.session) {
        session.store = shell.interruptible(
          try shell.store(of: shell.main).newSession(named: name.text))
      }
    } catch {
      thread.stop()
      throw located(error, source, name.span)
    }
    shell.sessions.append(session)
    return session
  }
}
