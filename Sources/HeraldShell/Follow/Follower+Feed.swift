import Herald

/// `follow store`: the commits of a store, a line each.
extension Follower {
  /// Prints the commits that the feed has already, and then each new one.
  func register(_ feed: StoreFeed, _ syntax: ObserveSyntax) throws {
    let shell = context.shell
    try refuse(syntax.forRows ?? syntax.keyPathsWord)
    let store = try context.store
    record.token = try store.observe { [self] change in
      if case .error(let error) = change {
        return context.emit(
          .event(
            Event(
              token: record.name, session: record.session.name,
              kind: .error(feed.diagnostic(of: error, store)?.message ?? error.eventMessage))))
      }
      try drain(feed)
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
    try drain(feed)
    countEvent(isFirst: true)
  }

  private func drain(_ feed: StoreFeed) throws {
    let shell = context.shell
    while record.isLive, let commit = try feed.commits.next() {
      if shell.interruption.isRequested { throw HeraldError.interrupted }
      try CommitOutput(commit: commit, context: context).emit()
      if let cursor = feed.cursor {
        // The file has the last version that the reader received.
        guard shell.output.flush() else { return }
        try cursor.write(commit.summary.version, shell.output.place)
      }
      countEvent(isFirst: false)
    }
  }

  /// Writes all objects as inserted ones, some in a line; without any, an empty line.
  private func writeSnapshot(at version: Int) throws {
    let store = try context.store.frozen(at: version)
    let session = context.session.reading(store)
    var changes: [CommitText.Change] = []
    for classSchema in store.schema.classes where classSchema.isDeclared {
      for object in try store.results(of: classSchema)?.objects ?? [] {
        if context.shell.interruption.isRequested { throw HeraldError.interrupted }
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
    context.shell.output.flush()
  }

  private func emitSnapshot(_ version: Int, _ changes: [CommitText.Change], hasMore: Bool) {
    context.emit(
      .commit(
        "snapshot of version \(version)", changes.map(\.line),
        .map([
          OutputValue.Field("version", .int(version)),
          OutputValue.Field("snapshot", .bool(true)),
          OutputValue.Field("more", .bool(hasMore)),
          OutputValue.Field(name: "changes", value: .list(changes.map { .map($0.fields) })),
        ])))
  }
}
