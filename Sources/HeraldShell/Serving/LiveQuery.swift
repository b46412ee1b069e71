import Herald

/// A query that readers elsewhere follow: what `follow` prints, as lines of JSON.
package final class LiveQuery {
  /// What a reader that has an earlier version receives.
  package enum Continuation: Equatable {
    /// Nothing has changed for it.
    case unchanged
    /// The change from its version to the present one.
    case change(String)
    /// All rows, with the reason.
    case restart(String)
  }

  private let follower: Follower
  private let syntax: ObserveSyntax
  /// The first event of readers at a version.
  private var first: (version: Int, text: String)?
  /// What readers of a version receive at another one.
  private var continued: (from: Int, to: Int, Continuation)?

  fileprivate init(_ follower: Follower, _ syntax: ObserveSyntax) {
    self.follower = follower
    self.syntax = syntax
  }

  /// Whether events will follow: the object, or the owner of the collection, is there, and can be read.
  package var isLive: Bool { follower.record.isLive }

  /// Ends it, without an event.
  package func end() {
    follower.record.token?.invalidate()
    follower.record.token = nil
  }

  /// The first event of a reader: the rows as of the last delivery, read once for all readers of a version. The query is
  /// not run again. Errors: those of reading.
  package func initial() throws -> String {
    let version = try follower.context.store.version
    if let first, first.version == version { return first.text }
    let text = try initial(because: nil)
    first = (version, text)
    return text
  }

  private func initial(because reason: String?) throws -> String {
    guard var event = try follower.first?() else { throw HeraldError.closed }
    event.reasonToRestart = reason
    return JSONRenderer.text(event)
  }

  /// What a reader needs that has the rows of a version: the difference of the rows then and now, as they are written.
  /// O(rows of both, and changes since).
  ///
  /// Everything is sent anew, with the reason, where the log does not reach back to the version, the query could not be
  /// evaluated there, or what changed has no row: in sections, a map, or an object.
  package func continuation(since version: Int) throws -> Continuation {
    let present = try follower.context.store.version
    if version == present { return .unchanged }
    if let continued, continued.from == version, continued.to == present { return continued.2 }
    let continuation: Continuation
    do {
      let context = follower.context
      let old = context.past(
        context.shell.interruptible(try context.store.frozen(at: version)))
      let (before, after) = (
        try RenderedRows(of: syntax.target, in: old),
        try RenderedRows(of: syntax.target, in: context)
      )
      continuation = try self.continuation(from: before, to: after, context)
    } catch {
      if follower.context.shell.isInterruption(error) { throw error }
      let failure = located(error, follower.context.source, follower.context.span)
      continuation = .restart(try initial(because: failure.message))
    }
    continued = (version, present, continuation)
    return continuation
  }

  private func continuation(
    from old: RenderedRows, to new: RenderedRows, _ context: Context
  ) throws -> Continuation {
    if old == new { return .unchanged }
    guard old.hasChanges, new.hasChanges else {
      return .restart(try initial(because: "the change cannot be given by rows"))
    }
    let event = try follower.event(from: old, to: new, context.store)
    return event.map { .change(JSONRenderer.text($0)) } ?? .unchanged
  }
}

/// Why a query cannot be followed, or a statement not be answered.
package struct ServedFailure: Error {
  /// The line of JSON that says so.
  package let line: String
  package let isInterruption: Bool
}

extension Interpreter {
  /// Observes a query for readers elsewhere, and delivers its first event, at the session's version. To be called between
  /// statements, in a mode that writes JSON.
  ///
  /// - Parameters:
  ///   - source: what `follow` takes: `Dog where age > 3 sort(name)`, `Dog sections by breed`, `group Dog by breed
  ///     { n: @count }`, `value (Dog).@count`, with `keypaths` and `depth` where they may stand.
  ///   - receive: called with each later event, a line of JSON without its end, on the thread of `takeTurns`.
  package func follow(
    _ source: Source, named name: String, receive: @escaping (String) -> Void
  ) throws(ServedFailure) -> LiveQuery {
    clearInterruption()
    do {
      var parser = parser(of: source)
      var syntax = ObserveSyntax(target: try ObserveSyntax.groupOrQuery(&parser))
      while try syntax.takeRestriction(&parser) {}
      parser.skipSeparators()
      guard parser.token.kind == .end else { throw parser.expected("the end of the query") }
      return try follow(syntax, of: source, named: name, receive: receive)
    } catch {
      throw failure(located(error, source, SourceSpan(start: 0, end: source.bytes.count)))
    }
  }

  private func follow(
    _ syntax: ObserveSyntax, of source: Source, named name: String,
    receive: @escaping (String) -> Void
  ) throws -> LiveQuery {
    var context = Context(self, source, main)
    context.span = SourceSpan(start: 0, end: source.bytes.count)
    try context.refuseObservingRealmFile()
    main.beginStatement()
    let record = TokenTable.Entry(
      name: name, session: main, subject: source.text(context.span),
      keyPaths: syntax.keyPaths.texts)
    var hasBegun = false
    let follower = Follower(record, updates: nil, in: context) { event in
      if hasBegun { receive(JSONRenderer.text(event)) }
    }
    try follower.register(syntax)
    let query = LiveQuery(follower, syntax)
    do {
      try endTurns(after: main, on: main)
      _ = try query.initial()
    } catch {
      query.end()
      throw error
    }
    hasBegun = true
    return query
  }

  /// The failure of a reader, as a line.
  package func failure(_ error: any Error) -> ServedFailure {
    let failure = located(error, Source(name: "query", text: ""), SourceSpan(start: 0, end: 0))
    if failure.diagnostic == .interrupted { clearInterruption() }
    let line = ErrorRenderer.text(failure, .json)
    return ServedFailure(
      line: String(line.dropLast()), isInterruption: failure.diagnostic == .interrupted)
  }
}
