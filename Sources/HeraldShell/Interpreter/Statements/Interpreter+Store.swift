import Herald

extension Context {
  /// Opens another store, and closes the present one afterwards.
  func open(_ syntax: OpenSyntax) throws {
    try refuseInBlocks("open")
    let path = syntax.path
    let opened: DynamicStore
    do {
      do {
        opened = try shell.makeStore(syntax)
      } catch is HeraldError where shell.isStoreOpen && path != nil && path?.text == shell.storePath
      {
        // The file, or its lock file, was removed or replaced: the present file cannot be opened beside
        // the previous one.
        try shell.closeStore()
        shell.isStoreOpen = false
        shell.storePath = nil
        opened = try shell.makeStore(syntax)
      }
    } catch let error as HeraldError {
      throw ShellError(
        .opening(error, path: path?.text), source,
        path?.span ?? SourceSpan(start: 0, end: 0))
    }
    try shell.closeStore()
    shell.main.store = shell.interruptible(opened)
    shell.storePath = path?.text
    shell.isStoreOpen = true
    if let path, !opened.hasFile {
      confirm { "no store at \(path.text): its first commit makes it" }
    }
    if let replica = opened.replicaStatus { shell.warn(of: replica) }
    if let wake = shell.options.onCommitElsewhere, path != nil {
      shell.commitSubscription = try opened.onCommitElsewhere(wake)
    }
  }

  func close() throws {
    try refuseInBlocks("close")
    guard shell.isStoreOpen else { throw Diagnostic.noStore }
    try shell.closeStore()
    shell.isStoreOpen = false
    shell.storePath = nil
    confirm { "closed" }
  }

  func refuseInBlocks(_ word: String) throws {
    if session !== shell.main || shell.sessions.contains(where: { $0.blocksRunning > 0 }) {
      throw Diagnostic.onlyOnMain(word)
    }
  }
}

extension Interpreter {
  /// Says where a stream promises less than its users may expect, and what it has lost.
  fileprivate func warn(of replica: ReplicaStatus) {
    var texts = replica.warnings
    if replica.ahead > 0, let error = replica.lastError { texts.append(error) }
    for text in texts {
      let prefix = "stream '\(replica.stream)': "
      let message = text.hasPrefix(prefix) ? text : prefix + text
      sink.writeError(ErrorRenderer.warning(message, mode, isShown: sink.showsErrors))
    }
  }

  /// A store whose long queries stop when the run is interrupted.
  func interruptible(_ store: DynamicStore) -> DynamicStore {
    store.interruption = interruption
    return store
  }

  fileprivate func makeStore(_ syntax: OpenSyntax) throws -> DynamicStore {
    let store =
      if let path = syntax.path, path.isAddress {
        try makeReplica(path.text, cache: syntax.cache?.text, isReadOnly: syntax.isReadOnly)
      } else if let path = syntax.path {
        try openFile(path.text, syntax)
      } else {
        try DynamicStore(sizeLimit: options.sizeLimit)
      }
    if let limit = options.writeLimit { store.writeLimit = limit }
    store.durability = syntax.durability
    return store
  }

  private func openFile(_ path: String, _ syntax: OpenSyntax) throws -> DynamicStore {
    if lastComponent(path) == ":memory:" {
      throw HeraldError.cannotOpen(
        path: path, reason: "a store in memory has no path: leave it out")
    }
    return try DynamicStore(
      path: path, readOnly: syntax.isReadOnly, fileMode: options.fileMode,
      sizeLimit: options.sizeLimit)
  }

  private func makeReplica(
    _ address: String, cache: String?, isReadOnly: Bool
  ) throws -> DynamicStore {
    guard let openStream = options.openStream else {
      throw HeraldError.cannotOpen(path: address, reason: "this program opens no streams")
    }
    guard !isReadOnly else {
      throw HeraldError.cannotOpen(path: address, reason: "a stream is not opened read-only")
    }
    return try openStream(address, cache)
  }

  /// Ends every session but `main`, and `main`'s view of the store; tokens end silently.
  func closeStore() throws {
    commitSubscription = nil
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
