import Herald

extension Interpreter {
  func store(of session: ShellSession) throws -> DynamicStore {
    if let store = session.store { return store }
    guard isStoreOpen else { throw Diagnostic.noStore }
    // A store in memory is created when it is first needed, so that other runs start faster.
    let store = interruptible(try DynamicStore())
    session.store = store
    return store
  }

  /// A store whose long queries stop when the run is interrupted.
  func interruptible(_ store: DynamicStore) -> DynamicStore {
    store.interruption = interruption
    return store
  }

  /// Ends every session but `main`, and `main`'s view of the store; tokens end silently.
  func closeStore() throws {
    awaitPrograms()
    commitSubscription = nil
    realmFile = nil
    lastAddition = nil
    for session in sessions where options.isInteractive && session.store?.isInWrite == true {
      try run(on: session, from: main) { [self] in confirmLoss(of: session) }
    }
    for session in sessions.reversed() {
      if let store = session.store { try run(on: session, from: main) { store.close() } }
      session.store = nil
      session.writesOpen = 0
      session.variablesBeforeWrites = []
      session.thread?.stop()
    }
    sessions = [main]
    current = main
    settledVersion = nil
    tokens.forgetAll()
    scopedTokens = [:]
    variables = variables.filter { $0.value.outlivesStore }
  }

  /// Prints what an open transaction loses when the store is left at a prompt.
  private func confirmLoss(of session: ShellSession) {
    guard let changes = session.store?.uncommittedChanges else { return }
    confirm {
      var parts = [
        (changes.inserted, "inserted"), (changes.modified, "modified"),
        (changes.deleted, "deleted"),
      ].filter { $0.0 > 0 }.map { "\($0.0) object\($0.0 == 1 ? "" : "s") \($0.1)" }
      if changes.isSchemaChanged { parts.append("changes of the schema") }
      let lost = parts.isEmpty ? "it changed nothing" : "lost: " + parts.joined(separator: ", ")
      let name = session === main ? "" : " of session '\(session.name)'"
      return "the open transaction\(name) is rolled back; \(lost)"
    }
  }

  /// Rolls back the transaction of an interrupted statement, also one that was begun with `begin`.
  func endWrite(of session: ShellSession, _ store: DynamicStore, stoppedBy error: any Error) {
    if isInterruption(error), store.isInWrite, !session.variablesBeforeWrites.isEmpty {
      try? store.rollbackWrite()
    }
    forgetWrite(of: session, store)
  }

  /// Restores the variables from before a transaction that a failure has rolled back.
  func forgetWrite(of session: ShellSession, _ store: DynamicStore) {
    guard !store.isInWrite, let before = session.variablesBeforeWrites.popLast() else { return }
    variables = before
    confirm { "rolled back" }
  }

  func isInterruption(_ error: any Error) -> Bool {
    error as? HeraldError == .interrupted || (error as? ShellError)?.diagnostic == .interrupted
  }
}

extension Variable {
  /// Whether the variable is valid in another store.
  fileprivate var outlivesStore: Bool {
    switch self {
    case .value(let value): !value.leadsToObjects
    case .values(let values): !values.contains(where: \.leadsToObjects)
    case .changes(let properties): !properties.contains { $0.content.leadsToObjects }
    case .object, .newObject, .collection, .projection, .frozen, .version: false
    }
  }
}
