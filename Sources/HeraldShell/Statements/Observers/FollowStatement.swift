import Herald

/// `follow Dog where age > 5 keypaths name --count 3 --for 10s`: prints rows, and then every change of them, until a
/// condition ends it.
struct FollowStatement: StatementForm {
  static let command = Command(
    "follow",
    [
      "follow QUERY [--once] [--count N] [--for TIME]",
      "follow QUERY [as NAME] [keypaths PATH, ... | keypaths none] [depth N] [--once] [--count N] "
        + "[--for TIME]",
      "follow PROJECTION of OBJECT [as NAME] [keypaths PATH, ...] [--once] [--count N] "
        + "[--for TIME]",
      "follow QUERY sections by EXPR [desc] [as NAME] [keypaths PATH, ...] [--once] [--count N] "
        + "[--for TIME]",
      "follow group QUERY by EXPR, ... { ... } ... [--once] [--count N] [--for TIME]",
      "follow value EXPRESSION [when CONDITION] [--once] [--count N] [--for TIME]",
      "follow store [from VERSION] [--snapshot] [--after-file FILE] [--once] [--count N] "
        + "[--for TIME]",
    ], "print rows, and then every change as it happens",
    [
      "The first event contains the rows, and every later one the objects that were inserted and "
        + "modified, below their lines or, in JSON, as rows, inserted and modified: a reader "
        + "that applies them in order has the collection; the keys of inserted sections are "
        + "insertedSections. An object is a single row, also through a projection.",
      "For the store every commit is a line, as 'log version' prints it: in JSON "
        + "{\"result\":{\"version\":42,...,\"changes\":[...]}}. With from, the commits after VERSION come "
        + "first; from 0 is all of them. With --snapshot the objects come first, those of VERSION or "
        + "of now, as inserted ones in lines with \"snapshot\":true, 256 a line and \"more\":true in "
        + "all but the last, and then the commits after them, without a gap.",
      "FILE has the version from which a reader continues: the one at which it began, and then that of "
        + "each line once the line has left. If FILE exists, the commits after that version come "
        + "first, and from and --snapshot do not count. So a reader that is started again misses none. If "
        + "standard output is a regular file, FILE also says where it ended, and no line comes twice. "
        + "Through a pipe, or after a power cut, which brings back an earlier FILE, lines may come again, with "
        + "the same versions. A snapshot that was not finished begins again.",
      "It ends with --once when the rows, or the commits that there are, are printed, with --count "
        + "after that many updates, with --for after that time (500ms, 10s, 5m, 1h), or when the object, or the owner of the "
        + "collection, is deleted. Otherwise it lasts until Ctrl-C or until nobody reads the "
        + "output any more.",
      "Changes may come from any process; between them it waits without using the processor. The "
        + "session advances even with autorefresh off, and other observers are notified "
        + "meanwhile.",
      "It runs only in the session main, outside of transactions and of observers' blocks.",
    ],
    examples: [
      "follow Dog where age > 5 sort(name) --once", "follow $max --for 10ms",
      "follow Card of $max --once",
    ], parse: Self.init)

  private(set) var observed: ObserveSyntax
  /// The number of updates after which it ends; 0 for the initial event only, nil for no limit.
  private(set) var updates: Int?
  /// The time after which it ends; nil for no limit.
  private(set) var time: Duration?
  /// Of the store: the version after which it begins; nil for the present one.
  private(set) var start: ExpressionSyntax?
  /// Whether it begins with all objects of the store.
  private(set) var beginsWithSnapshot = false
  /// The file that keeps the version of the last commit that was written.
  private(set) var cursor: Name?

  func run(in context: Context) throws {
    let shell = context.shell
    try context.refuseObservingRealmFile()
    // Registered before the first rows are read, so that no commit is missed.
    let waiting = try CommitWaiting(context, word: "follow")
    let store = try context.store
    let deadline = time.map { ContinuousClock.now + $0 }
    let follower = Follower(try record(context), updates: updates, in: context)
    let feed = try feed(context)
    if feed == nil { try follower.register(observed) }
    shell.tokens.insert(follower.record)
    defer {
      follower.record.token?.invalidate()
      shell.tokens.noteEnd(of: follower.record)
    }
    shell.output.flush()
    shell.output.sink.beginStream()
    defer { shell.output.sink.endStream() }
    do {
      if let feed { try follower.register(feed, observed) }
      repeat {
        if !store.autorefresh { try store.refresh() }
        try shell.endTurns(after: shell.main, on: shell.main)
        shell.restSessions()
        shell.output.flush()
      } while try isActive(follower, context)
        && waiting.awaitNext(until: deadline, adding: shell.live)
    } catch let error as HeraldError {
      guard let diagnostic = feed?.diagnostic(of: error, store) else { throw error }
      throw context.failure(diagnostic, at: context.span)
    }
  }

  private func record(_ context: Context) throws -> TokenTable.Entry {
    if let name = observed.name { try context.shell.tokens.check(name, context.source) }
    return TokenTable.Entry(
      name: observed.name?.text ?? context.shell.tokens.nextName(), session: context.session,
      subject: observed.subject(context.source), keyPaths: observed.keyPaths.texts)
  }

  private func isActive(_ follower: Follower, _ context: Context) -> Bool {
    let shell = context.shell
    return shell.isStoreOpen && !shell.wantsToQuit && follower.record.isLive
      && shell.live?.isOver != true
  }

  /// The commits that a `follow store` prints; nil for another `follow`.
  private func feed(_ context: Context) throws -> StoreFeed? {
    guard case .store = observed.target else { return nil }
    let store = try context.store
    let cursor = try cursor.map { try CursorFile($0.text) }
    var start = try start.map { try context.version($0) }
    if let kept = cursor?.version { start = kept }
    let place = (cursor?.version == nil ? self.start?.span : self.cursor?.span) ?? context.span
    func advice(isRunning: Bool) -> String {
      if let file = self.cursor, isRunning || cursor?.version != nil {
        return "remove '\(file.text)', and begin with all objects by '--snapshot'"
      }
      return beginsWithSnapshot && !isRunning
        ? "leave out 'from' to begin with all objects as they are now"
        : "begin with all objects, by '--snapshot'"
    }
    do {
      return StoreFeed(
        commits: try CommitFeed(store, since: start ?? store.version), cursor: cursor,
        beginsWithSnapshot: beginsWithSnapshot && cursor?.version == nil,
        advice: advice(isRunning: true))
    } catch HeraldError.versionNotKept(let version, let oldest) {
      let advice = advice(isRunning: false)
      throw context.failure(.feedNotKept(version, oldest: oldest, advice: advice), at: place)
    } catch { throw located(error, context.source, place) }
  }
}

// MARK: Syntax

extension FollowStatement {
  private static let options = ["--once", "--count", "--for"]
  private static let optionsOfStore = ["--snapshot", "--after-file"]

  init(_ parser: inout StatementParser) throws(ShellError) {
    observed = ObserveSyntax(target: try Self.target(&parser))
    let isOfStore = if case .store = observed.target { true } else { false }
    while true {
      if isOfStore, start == nil, parser.takeIf("from") {
        start = try parser.versionNumber()
      } else if parser.takeIf("as") {
        observed.name = try parser.name("a new name")
      } else if try observed.takeRestriction(&parser) {
        continue
      } else if parser.beginsOption(at: parser.token.start) {
        try option(&parser)
      } else {
        for word in Self.options { parser.note(word: word) }
        if isOfStore { for word in Self.optionsOfStore { parser.note(word: word) } }
        return
      }
    }
  }

  /// The query ends before the options, which its own language would parse as arithmetic.
  private static func target(
    _ parser: inout StatementParser
  ) throws(ShellError) -> ObserveSyntax.Target {
    if parser.takeIf("store") { return .store }
    guard let end = parser.startOfOptions else { return try ObserveSyntax.groupOrQuery(&parser) }
    let source = parser.source
    // A newline ends the query in both languages, without being the end of the text for completion.
    let cut = Source(
      name: source.name, bytes: source.bytes[..<end] + [Byte.newline], path: source.path,
      firstLine: source.firstLine)
    var inner = StatementParser(cut, from: parser.token.start, notes: parser.notes)
    inner.depth = parser.depth
    let target: ObserveSyntax.Target
    do throws(ShellError) {
      target = try ObserveSyntax.groupOrQuery(&inner)
    } catch { throw ShellError(error.diagnostic, source, error.span) }
    parser.move(to: inner.lastEnd)
    return target
  }

  private mutating func option(_ parser: inout StatementParser) throws(ShellError) {
    parser.advance()
    parser.advance()
    if parser.takeIf("once") {
      updates = 0
    } else if parser.takeIf("count") {
      let count = try parser.count("a number of updates")
      // With --once it has ended before the first update, wherever --count is.
      if updates != 0 { updates = count }
    } else if parser.takeIf("for") {
      time = try Self.duration(&parser)
    } else if case .store = observed.target, parser.takeIf("snapshot") {
      beginsWithSnapshot = true
    } else if case .store = observed.target, parser.takeIf("after") {
      try parser.take(sign: "-")
      try parser.take("file")
      cursor = try parser.path()
    } else {
      throw parser.expected("'--once', '--count' or '--for'")
    }
  }

  /// `10s`, `500ms`, `1.5m`, `2h`; a number alone is seconds.
  private static func duration(_ parser: inout StatementParser) throws(ShellError) -> Duration {
    let what = "a time such as 10s"
    guard case .number = parser.token.kind, let number = Double(parser.text), number.isFinite else {
      throw parser.expected(what)
    }
    parser.advance()
    var seconds = 1.0
    if case .word = parser.token.kind, parser.token.start == parser.lastEnd {
      guard let unit = units[parser.text] else { throw parser.expected(what) }
      seconds = unit
      parser.advance()
    }
    return .seconds(min(number * seconds, longestTime))
  }

  /// In seconds.
  private static let units = ["ms": 0.001, "s": 1, "m": 60, "h": 3600]
  /// A hundred years, in seconds: longer times are limited to it.
  private static let longestTime = 3_155_760_000.0
}
