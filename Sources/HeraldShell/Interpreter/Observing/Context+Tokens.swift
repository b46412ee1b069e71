import Herald

extension Context {
  func invalidate(_ names: [Name]) throws {
    let records = try names.map { try shell.tokens.record($0, source) }
    for record in records { try end(record) }
    confirm { "invalidated" }
  }

  func invalidateAll() throws {
    for record in shell.tokens.live { try end(record) }
    confirm { "invalidated" }
  }

  /// Ends an observer, silently.
  func end(_ record: TokenTable.Entry) throws {
    guard let token = record.token else { return }
    record.token = nil
    try shell.run(on: record.session, from: session) { token.invalidate() }
    shell.tokens.noteEnd(of: record)
  }

  /// Runs a statement on another session, made at first use, and waits for it.
  func onSession(_ name: Name, _ statement: Statement) throws {
    var inner = Context(shell, source, try sessionNamed(name))
    inner.locals = locals
    inner.block = block
    try shell.run(on: inner.session, from: session) { [inner] in
      try inner.execute(statement)
    }
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
