import HeraldEngine
package import HeraldModel
package import HeraldObservation

extension DynamicStore {
  /// Returns the change of an object within the current delivery; nil where the object is unchanged, and
  /// outside of deliveries. O(properties).
  package func fate(of id: ObjectID) -> ObjectFate? { session.fate(of: id) }

  /// Returns what an object contained before the current delivery, in the order of the schema, also if it was deleted;
  /// nothing outside of deliveries.
  package func previousContents(of id: ObjectID) -> [NamedContent] {
    let names = schema.classSchema(id.classID)?.properties.map(\.name) ?? []
    let fields = names.compactMap { name in
      try? schema.paths(name, from: id.classID).first.map { ProjectionField(name: name, path: $0) }
    }
    return session.previousContents(of: fields, of: id)
  }

  /// Returns what a projection showed of an object before the current delivery; nothing outside of deliveries.
  package func previousContents(
    of id: ObjectID, through projection: ProjectionDefinition
  ) throws -> [NamedContent] {
    session.previousContents(of: try session.fields(of: projection), of: id)
  }

  /// Returns the changes of what a projection shows of an object within the current delivery.
  package func changes(
    of id: ObjectID, through projection: ProjectionDefinition
  ) throws -> [DynamicPropertyChange] {
    session.changes(of: try session.fields(of: projection), of: id)
  }

  /// Returns for which changed objects a row of the observed collection counts as modified in the current
  /// delivery, as far as the observer follows them: the nearest first. None outside of deliveries.
  package func changes(reachedFrom row: ObjectID) -> [ReachedChange] {
    session.changes(reachedFrom: row)
  }
}

extension DynamicStore {
  /// Calls `wake` after commits of other sessions and other processes, so that this session can end a
  /// turn, on its own thread, and notify its observers.
  ///
  ///     let listener = try store.onCommitElsewhere { queue.async { takeATurn() } }
  ///
  /// `wake` is called on any thread, may be called once for several commits or without a new version, and
  /// must not block. Without commits it costs nothing. Errors: `closed`, or the system is out of threads
  /// or file watches.
  package func onCommitElsewhere(_ wake: @escaping @Sendable () -> Void) throws -> CommitListener {
    CommitListener(try session.subscribeToCommits(wake))
  }

  /// Returns a stream with a value after commits of other sessions and other processes. Commits during
  /// which nobody awaits are combined into one value. Errors: those of `onCommitElsewhere`.
  package func commitsElsewhere() throws -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let listener = try onCommitElsewhere { continuation.yield() }
    continuation.onTermination = { _ in withExtendedLifetime(listener) {} }
    return stream
  }
}

extension DynamicStore {
  /// Whether the end of a turn advances the session to the newest version. True by default.
  package var autorefresh: Bool {
    get { session.autorefresh }
    set { session.autorefresh = newValue }
  }

  /// Advances to the newest version, delivers everything that is pending, and returns whether anything
  /// was new. In a delivery or a transaction it does nothing and returns false.
  ///
  /// Errors: the first error of an observer's block, after the other blocks were called; `closed`; errors
  /// of reading, such as `damaged` and `storeReplaced`.
  @discardableResult
  package func refresh() throws -> Bool { try session.refresh() }

  /// Delivers everything that is pending at the session's current version, without advancing. Called
  /// after `observe`, it makes `initial` report the state at registration.
  package func deliverPending() throws { try session.deliverPending() }

  /// Ends a turn: advances if `autorefresh` is on, delivers what is pending and runs queued transactions,
  /// until nothing is left. Returns whether any block was called.
  ///
  /// Errors: the first error of an observer's block, after the other blocks were called. A transaction of
  /// a block throws `endlessWrites` after a thousand in a row, each in reaction to the one before.
  @discardableResult
  package func endTurn() throws -> Bool { try session.endTurn() }

  /// Ends a turn likewise. `chain` is the number of blocks of other sessions that have written in a row,
  /// each in reaction to the one before.
  package func endTurn(after chain: Int) throws -> Bool { try session.endTurn(after: chain) }

  /// The newest version, which any session or process may have committed.
  package var newestVersion: Int { get throws { try session.newestVersion } }

  /// Whether ending the turn would have any effect, given the newest version.
  package func isTurnDue(at newest: Int) -> Bool { session.isTurnDue(at: newest) }

  /// The number of transactions that observers' blocks have committed or queued, in all sessions of the
  /// store in this process.
  package var writesOfBlocks: Int { session.hub.writesOfBlocks }

  /// Releases the session's version while the program waits for something. As long as a session holds a
  /// version, its pages cannot be reused, and the file grows with every commit.
  ///
  /// The next use of the session advances it to the newest version; the changes in between are then
  /// pending for its observers. Call `endTurn` or `refresh` to deliver them. The changes come from the
  /// log, which reaches back some ten thousand small commits (16 MiB). Beyond that the next use
  /// throws `logTrimmed`, and the session's observers have ended.
  ///
  /// Does nothing if `autorefresh` is off, a frozen value holds the version, a transaction is open, a
  /// delivery is pending, or the store is in memory.
  package func rest() { session.rest() }

  /// Does the same for any store, in memory too, if the session has no observers.
  package func restWithoutObservers() { session.restWithoutObservers() }
}

extension DynamicStore {
  /// Makes the next write of other processes wait for this one's, if no other process is before it.
  package func joinWriterQueue() { session.joinWriterQueue() }

  package func leaveWriterQueue() { session.leaveWriterQueue() }
}
