import Herald

/// `open`, `open PATH read-only`, `open "nats://host/pets" cache PATH`.
struct OpenStatement: StatementForm {
  static let command = Command(
    "open",
    [
      "open", "open PATH [read-only]", "open PATH sync=normal", "open FILE.realm [key FILE]",
      "open \"nats://HOST[:PORT][,HOST...]/STREAM[?replicas=COUNT]\" [cache PATH]",
    ],
    "open a new store in memory, the one at PATH, or one of many machines",
    [
      "The present store is closed once the new one is open. Where there is no file at PATH, the "
        + "store is empty, and its first commit makes the file; leaving it before leaves nothing "
        + "behind. Read-only, a missing file is an error. If another program makes the file first, "
        + "a statement runs again in that file; a transaction that begin has opened is rolled back.",
      "With sync=normal, a commit that changes little does not wait for the disk, as long as no other "
        + "process has the store open. A loss of power or a crash of the system takes the last commits, "
        + "normally those of the last hundredth of a second: never part of one, and never one before "
        + "another that stays. A crash of the program loses nothing. By default, and with sync=full, "
        + "every commit is on the disk when its statement ends.",
      "Of a Realm file the objects of a class are read into memory when the first statement names it, or a class "
        + "that is linked with it: all queries, "
        + "exports and dumps are those of a store, and changes and observers are errors. The file is never "
        + "written, nor is anything beside it; 'convert to app.hdb' makes a store of it. key is "
        + "the file of its key, if it is encrypted: 64 bytes, or 128 hexadecimal digits.",
      "An address in quotes opens a store that many machines share. Each has all of it in a file of "
        + "its own, PATH or a temporary one, and follows one stream of NATS JetStream, which decides "
        + "the order of commits; the stream is made if it does not exist, on three servers or "
        + "COUNT. A write is committed as soon as the majority of the stream's servers has it; "
        + "whether they have written it to their disks, no program can see. If another machine was faster, its "
        + "block runs again, at most five times; then, and at once in a transaction that begin has "
        + "opened, it fails with 'another machine is writing'. A block that runs again repeats what "
        + "it prints.",
      "Where the servers cannot be reached, reading and observing go on with what is in the file, and "
        + "writing fails: there are no histories that diverge. tls:// in place of nats:// asks for TLS. "
        + "Credentials come from the environment, never from the address: HERALD_NATS_USER and "
        + "HERALD_NATS_PASSWORD, HERALD_NATS_TOKEN, HERALD_NATS_CREDENTIALS (a file), "
        + "HERALD_NATS_NKEY with HERALD_NATS_SEED (a file); HERALD_NATS_CA, HERALD_NATS_CERT and "
        + "HERALD_NATS_KEY are files for TLS, and HERALD_NATS_REPLICAS is COUNT for addresses "
        + "without it.",
      "A warning on standard error says where the servers promise less than three replicas on disks "
        + "that are written at once, or where that cannot be seen. If the stream has lost commits that "
        + "PATH has, the store says so and refuses to write until 'herald replicate PATH to ADDRESS' has put "
        + "them back; see herald(1).",
    ],
    examples: ["open pets.hdb", "open", "open pets.hdb sync=normal"], parse: Self.init)

  /// A path or the address of a stream; nil for a store in memory.
  var path: Name?
  var isReadOnly = false
  var durability = Durability.full
  /// The file of a store that follows a stream.
  var cache: Name?
  /// The file of the key of an encrypted Realm file.
  var key: Name?

  init(path: Name?, isReadOnly: Bool, cache: Name?, key: Name?) {
    (self.path, self.isReadOnly, self.cache, self.key) = (path, isReadOnly, cache, key)
  }

  init(_ parser: inout StatementParser) throws(ShellError) {
    path = try parser.optionalPath("a store")
    guard let path else { return }
    if path.isAddress {
      if parser.takeIf("cache") { cache = try parser.path() }
      return
    }
    if parser.takeIf("key") {
      key = try parser.path()
      return
    }
    parser.note(.word("read-only", given: nil))
    parser.note(.word("sync=normal", given: nil))
    if case .word = parser.token.kind, parser.isWord("sync") {
      durability = try Self.durability(&parser)
      return
    }
    guard case .word = parser.token.kind, parser.isWord("read") else { return }
    let start = parser.token.start
    parser.advance()
    guard parser.takeIf(sign: "-"), parser.takeIf("only") else {
      let span = SourceSpan(start: start, end: max(parser.lastEnd, start))
      throw parser.failure(
        .expected("'read-only'", found: "'\(parser.source.text(span))'"), at: span)
    }
    isReadOnly = true
  }

  /// `sync=normal`, `sync=full`.
  private static func durability(_ parser: inout StatementParser) throws(ShellError) -> Durability {
    let start = parser.token.start
    parser.advance()
    if parser.takeIf(sign: "=") {
      if parser.takeIf("normal") { return .normal }
      if parser.takeIf("full") { return .full }
      if case .word = parser.token.kind { parser.advance() }
    }
    let span = SourceSpan(start: start, end: max(parser.lastEnd, start))
    throw parser.failure(
      .expected("'sync=normal' or 'sync=full'", found: "'\(parser.source.text(span))'"), at: span)
  }

  var isForMain: Bool { true }
  var objectsRead: ObjectsRead { .none }

  func run(in context: Context) throws {
    try open(in: context)
    context.confirm { path.map { "opened \($0.text)" } ?? "opened a store in memory" }
  }

  /// Opens another store, and closes the present one afterwards.
  func open(in context: Context) throws {
    let shell = context.shell
    try context.refuseInBlocks("open")
    if let path, key != nil || RealmSource.isLikely(path.text) {
      return try openRealmFile(path, context)
    }
    let opened: DynamicStore
    do {
      do {
        opened = try makeStore(shell.options)
      } catch is HeraldError where shell.isStoreOpen && path != nil && path?.text == shell.storePath
      {
        // The file, or its lock file, was removed or replaced: the present file cannot be opened beside
        // the previous one.
        try shell.closeStore()
        shell.isStoreOpen = false
        shell.storePath = nil
        opened = try makeStore(shell.options)
      }
    } catch let error as HeraldError {
      throw context.failure(
        .opening(error, path: path?.text),
        at: path?.span ?? SourceSpan(start: 0, end: 0))
    }
    try shell.closeStore()
    shell.main.store = shell.interruptible(opened)
    shell.storePath = path?.text
    shell.isStoreOpen = true
    if let path, !opened.hasFile {
      context.confirm { "no store at \(path.text): its first commit makes it" }
    }
    if let replica = opened.replicaStatus { warn(of: replica, shell) }
    if let wake = shell.options.onCommitElsewhere, path != nil {
      shell.commitSubscription = try opened.onCommitElsewhere(wake)
    }
  }

  /// Opens a file of the documented system, which changes nothing.
  private func openRealmFile(_ path: Name, _ context: Context) throws {
    let shell = context.shell
    do {
      let key = try key.map { try OpenRealmFile.key(inFile: $0.text) }
      let (store, file) = try OpenRealmFile.open(
        path.text, key: key, sizeLimit: shell.options.sizeLimit)
      try shell.closeStore()
      shell.main.store = shell.interruptible(store)
      shell.realmFile = file
      shell.storePath = path.text
      shell.isStoreOpen = true
      for loss in file.source.lostClasses {
        shell.report(
          context.failure(.realmLoss(path: path.text, first: loss.text, more: 0), at: path.span))
      }
    } catch let error as HeraldError {
      throw context.failure(.opening(error, path: path.text), at: path.span)
    }
  }

  private func makeStore(_ options: Interpreter.Options) throws -> DynamicStore {
    let store =
      if let path, path.isAddress {
        try makeReplica(path.text, options)
      } else if let path {
        try openFile(path.text, options)
      } else {
        try DynamicStore(sizeLimit: options.sizeLimit)
      }
    if let limit = options.writeLimit { store.writeLimit = limit }
    store.durability = durability
    return store
  }

  private func openFile(_ path: String, _ options: Interpreter.Options) throws -> DynamicStore {
    if path.split(separator: "/").last == ":memory:" {
      throw HeraldError.cannotOpen(
        path: path, reason: "a store in memory has no path: leave it out")
    }
    return try DynamicStore(
      path: path, readOnly: isReadOnly, fileMode: options.fileMode,
      sizeLimit: options.sizeLimit)
  }

  private func makeReplica(
    _ address: String, _ options: Interpreter.Options
  ) throws -> DynamicStore {
    guard let openStream = options.openStream else {
      throw HeraldError.cannotOpen(path: address, reason: "this program opens no streams")
    }
    guard !isReadOnly else {
      throw HeraldError.cannotOpen(path: address, reason: "a stream is not opened read-only")
    }
    return try openStream(address, cache?.text)
  }

  /// Says where a stream promises less than its users may expect, and what it has lost.
  private func warn(of replica: ReplicaStatus, _ shell: Interpreter) {
    var texts = replica.warnings
    if replica.ahead > 0, let error = replica.lastError { texts.append(error) }
    for text in texts {
      let prefix = "stream '\(replica.stream)': "
      let message = text.hasPrefix(prefix) ? text : prefix + text
      shell.sink.writeError(
        ErrorRenderer.warning(message, shell.mode, isShown: shell.sink.showsErrors))
    }
  }
}

extension Name {
  /// Whether it is the address of a stream, rather than a path.
  var isAddress: Bool { text.hasPrefix("nats://") || text.hasPrefix("tls://") }
}
