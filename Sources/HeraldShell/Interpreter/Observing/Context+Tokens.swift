import Herald

extension Context {
  /// Ends an observer, silently.
  func end(_ record: TokenTable.Entry) throws {
    guard let token = record.token else { return }
    record.token = nil
    record.program?.drop()
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

  /// Gives a variable a value. A token that it held ends.
  ///
  /// Errors: a variable of an observer's block, which the event has set.
  func bind(_ name: Name, _ variable: Variable) throws {
    if locals[name.text] != nil { throw failure(.notAssignable("$" + name.text), at: name.span) }
    try endToken(name.text)
    shell.variables[name.text] = variable
  }

  /// Ends the tokens of a block that their variables still hold, and with them the variables.
  func endTokens(of block: BlockTokens) {
    for name in block.names where shell.scopedTokens[name] != nil {
      try? endToken(name)
      shell.variables[name] = nil
    }
  }

  /// Ends the token that a variable holds, silently.
  private func endToken(_ name: String) throws {
    guard let record = shell.scopedTokens.removeValue(forKey: name) else { return }
    try end(record)
  }

  func refuseInBlocks(_ word: String) throws {
    if session !== shell.main || shell.sessions.contains(where: { $0.blocksRunning > 0 }) {
      throw Diagnostic.onlyOnMain(word)
    }
  }
}
