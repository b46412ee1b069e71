import Herald

extension Interpreter {
  func invalidate(_ names: [Name], _ context: Context) throws {
    let records = try names.map { try tokens.record($0, context.source) }
    for record in records { try end(record, context) }
    confirm { "invalidated" }
  }

  func invalidateAll(_ context: Context) throws {
    for record in tokens.live { try end(record, context) }
    confirm { "invalidated" }
  }

  /// Ends an observer, silently.
  func end(_ record: TokenTable.Entry, _ context: Context) throws {
    guard let token = record.token else { return }
    record.token = nil
    try run(on: record.session, from: context.session) { token.invalidate() }
    tokens.noteEnd(of: record)
  }

  /// Runs a statement on another session, made at first use, and waits for it.
  func onSession(_ name: Name, _ statement: Statement, _ context: Context) throws {
    var inner = Context(
      source: context.source, session: try session(named: name, context), locals: context.locals)
    inner.block = context.block
    try run(on: inner.session, from: context.session) { [self, inner] in
      try execute(statement, inner)
    }
  }

  func session(named name: Name, _ context: Context) throws -> ShellSession {
    if let session = sessions.first(where: { $0.name == name.text }) { return session }
    guard isStoreOpen else { throw Diagnostic.noStore }
    guard let thread = SessionThread() else {
      throw HeraldError.storage("cannot start a thread for session '\(name.text)'")
    }
    let session = ShellSession(name: name.text, thread: thread)
    do {
      try run(on: main, from: context.session) { [self] in
        session.store = interruptible(
          try store(of: main).newSession(named: name.text))
      }
    } catch {
      thread.stop()
      throw located(error, context.source, name.span)
    }
    sessions.append(session)
    return session
  }
}
