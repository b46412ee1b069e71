import Herald

/// `follow store`: the commits of a store, a line each.
extension Context {
  /// The commits that a `follow store` prints; nil for another `follow`.
  func feed(of syntax: FollowSyntax, _ span: SourceSpan) throws -> StoreFeed? {
    guard case .store = syntax.observed.target else { return nil }
    let store = try self.store
    let cursor = try syntax.cursor.map { try CursorFile($0.text) }
    var start = try syntax.start.map { try version($0) }
    if let kept = cursor?.version { start = kept }
    let place = (cursor?.version == nil ? syntax.start?.span : syntax.cursor?.span) ?? span
    func advice(isRunning: Bool) -> String {
      if let file = syntax.cursor, isRunning || cursor?.version != nil {
        return "remove '\(file.text)', and begin with all objects by '--snapshot'"
      }
      return syntax.beginsWithSnapshot && !isRunning
        ? "leave out 'from' to begin with all objects as they are now"
        : "begin with all objects, by '--snapshot'"
    }
    do {
      return StoreFeed(
        commits: try CommitFeed(store, since: start ?? store.version), cursor: cursor,
        beginsWithSnapshot: syntax.beginsWithSnapshot && cursor?.version == nil,
        advice: advice(isRunning: true))
    } catch HeraldError.versionNotKept(let version, let oldest) {
      let advice = advice(isRunning: false)
      throw ShellError(.feedNotKept(version, oldest: oldest, advice: advice), source, place)
    } catch {
      throw located(error, source, place)
    }
  }

  /// Prints the commits that the feed has already, and then each new one.
  func register(
    _ follower: Follower, _ feed: StoreFeed, _ syntax: FollowSyntax, _ span: SourceSpan
  ) throws {
    try refuse(syntax.observed.forRows ?? syntax.observed.keyPathsWord, span)
    let store = try self.store
    follower.record.token = try store.observe { change in
      if case .error(let error) = change {
        return emit(
          .event(
            Event(
              token: follower.record.name, session: follower.record.session.name,
              kind: .error(feed.diagnostic(of: error, store)?.message ?? error.eventMessage))))
      }
      try drain(feed, follower)
    }
    if feed.beginsWithSnapshot { try writeSnapshot(at: feed.commits.version) }
    // From the beginning: nothing is missed if this ends before the first commit.
    if let cursor = feed.cursor, cursor.version == nil, shell.output.flush() {
      try cursor.write(feed.commits.version, shell.output.place)
    }
    // What was written after the file said so is not written again.
    if let place = feed.cursor?.place, let now = shell.output.place, place.isFollowed(by: now),
      let written = shell.output.sink.written(after: place.length)
    {
      shell.output.skip(written)
    }
    try drain(feed, follower)
    follower.countEvent(isFirst: true)
  }

  private func drain(_ feed: StoreFeed, _ follower: Follower) throws {
    while follower.record.isLive, let commit = try feed.commits.next() {
      if shell.interruption.isRequested { throw HeraldError.interrupted }
      try emit(commit)
      if let cursor = feed.cursor {
        // The file has the last version that the reader received.
        guard shell.output.flush() else { return }
        try cursor.write(commit.summary.version, shell.output.place)
      }
      follower.countEvent(isFirst: false)
    }
  }

  /// Writes all objects as inserted ones, some in a line; without any, an empty line.
  private func writeSnapshot(at version: Int) throws {
    let store = try self.store.frozen(at: version)
    let session = self.session.reading(store)
    var changes: [CommitText.Change] = []
    for classSchema in store.schema.classes where classSchema.isDeclared {
      for object in try store.presentObjects(classSchema) {
        if shell.interruption.isRequested { throw HeraldError.interrupted }
        if changes.count == StoreFeed.objectsInLine {
          emitSnapshot(version, changes, hasMore: true)
          changes = []
        }
        changes.append(
          CommitText.Change(
            object.label, .inserted(try session.fields(object).filter { !$0.isReadOnly })))
      }
    }
    emitSnapshot(version, changes, hasMore: false)
    shell.output.flush()
  }

  private func emitSnapshot(_ version: Int, _ changes: [CommitText.Change], hasMore: Bool) {
    emit(
      .commit(
        "snapshot of version \(version)", changes.map(\.line),
        .map([
          OutputValue.Field(name: "version", value: .plain(.int(version))),
          OutputValue.Field(name: "snapshot", value: .plain(.bool(true))),
          OutputValue.Field(name: "more", value: .plain(.bool(hasMore))),
          OutputValue.Field(name: "changes", value: .list(changes.map { .map($0.fields) })),
        ])))
  }
}

/// What a `follow store` prints.
final class StoreFeed {
  /// The largest number of objects in a line of a snapshot.
  static let objectsInLine = 256

  let commits: CommitFeed
  let cursor: CursorFile?
  let beginsWithSnapshot: Bool
  /// What to do if the log was trimmed before the next commit was read.
  private let advice: String

  init(commits: CommitFeed, cursor: CursorFile?, beginsWithSnapshot: Bool, advice: String) {
    self.commits = commits
    self.cursor = cursor
    self.beginsWithSnapshot = beginsWithSnapshot
    self.advice = advice
  }

  /// Returns what to say of an error that means that the next commit is not kept; nil for others.
  func diagnostic(of error: HeraldError, _ store: DynamicStore) -> Diagnostic? {
    var isTrimmed = false
    if case .logTrimmed = error { isTrimmed = true }
    if case .versionNotKept = error { isTrimmed = true }
    guard isTrimmed else { return nil }
    let oldest = (try? store.oldestVersion) ?? commits.version + 1
    return .feedNotKept(commits.version, oldest: oldest, advice: advice)
  }
}
