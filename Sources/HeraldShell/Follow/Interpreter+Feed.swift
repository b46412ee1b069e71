import Herald

/// `follow store`: the commits of a store, a line each.
extension Interpreter {
  /// The commits that a `follow store` prints; nil for another `follow`.
  func feed(
    of syntax: FollowSyntax, _ span: SourceSpan, _ context: Context
  ) throws -> StoreFeed? {
    guard case .store = syntax.observed.target else { return nil }
    let store = try store(context)
    let cursor = try syntax.cursor.map { try CursorFile($0.text) }
    var start = try syntax.start.map { try version($0, context) }
    if let kept = cursor?.version { start = kept }
    if syntax.beginsWithSnapshot, cursor?.version == nil { start = store.version }
    do {
      return StoreFeed(
        commits: try CommitFeed(store, since: start ?? store.version), cursor: cursor,
        beginsWithSnapshot: syntax.beginsWithSnapshot && cursor?.version == nil)
    } catch HeraldError.versionNotKept(let version, let oldest) {
      throw ShellError(
        .feedNotKept(version, oldest: oldest), context.source,
        syntax.start?.span ?? syntax.cursor?.span ?? span)
    }
  }

  /// Prints what is in the feed already, and from then on each commit.
  func register(
    _ follower: Follower, _ feed: StoreFeed, _ syntax: FollowSyntax, _ span: SourceSpan,
    _ context: Context
  ) throws {
    try refuse(syntax.observed.forRows ?? syntax.observed.keyPathsWord, span, context)
    let store = try store(context)
    follower.record.token = try store.observe { [unowned self] change in
      if case .error(let error) = change {
        return emit(
          .event(
            Event(
              token: follower.record.name, session: follower.record.session.name,
              kind: .error(error.eventMessage))))
      }
      try drain(feed, follower, context)
    }
    if feed.beginsWithSnapshot {
      try writeSnapshot(at: feed.commits.version, context)
      try feed.cursor?.write(feed.commits.version)
    }
    try drain(feed, follower, context)
    follower.countEvent(isFirst: true)
  }

  private func drain(_ feed: StoreFeed, _ follower: Follower, _ context: Context) throws {
    while follower.record.isLive, let commit = try feed.commits.next() {
      if interruption.isRequested { throw HeraldError.interrupted }
      try emit(commit, context)
      if let cursor = feed.cursor {
        // The file says what the reader has.
        guard output.flush() else { return }
        try cursor.write(commit.summary.version)
      }
      follower.countEvent(isFirst: false)
    }
  }

  /// Writes all objects as inserted ones, some in a line.
  private func writeSnapshot(at version: Int, _ context: Context) throws {
    let store = try store(context).frozen(at: version)
    let session = session(context.session, for: store)
    for classSchema in store.schema.classes where classSchema.isDeclared {
      let objects = try store.objects(classSchema.name).objects
      for start in stride(from: 0, to: objects.count, by: StoreFeed.objectsInLine) {
        let piece = objects[start..<min(objects.count, start + StoreFeed.objectsInLine)]
        let changes = try piece.map { object in
          CommitText.Change(
            object.label, .inserted(try fields(object, session).filter { !$0.isReadOnly }))
        }
        emit(
          .report(
            changes.map(\.text),
            .map([
              OutputValue.Field(name: "version", value: .plain(.int(version))),
              OutputValue.Field(name: "snapshot", value: .plain(.bool(true))),
              OutputValue.Field(name: "changes", value: .list(changes.map { .map($0.fields) })),
            ])))
      }
    }
    output.flush()
  }
}

/// What a `follow store` prints.
final class StoreFeed {
  /// The largest number of objects in a line of a snapshot.
  static let objectsInLine = 256

  let commits: CommitFeed
  let cursor: CursorFile?
  let beginsWithSnapshot: Bool

  init(commits: CommitFeed, cursor: CursorFile?, beginsWithSnapshot: Bool) {
    self.commits = commits
    self.cursor = cursor
    self.beginsWithSnapshot = beginsWithSnapshot
  }
}
