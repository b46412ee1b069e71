import HeraldEngine
public import HeraldModel
public import HeraldObservation

/// What became of one object between two deliveries.
public enum ObjectFate: Hashable, Sendable {
  case created
  /// Its own properties that changed, in the order of the schema.
  case changed([PropertyChange])
  /// What it held: its single-valued properties that were not nil.
  case deleted([NamedValue])

  public struct NamedValue: Hashable, Sendable {
    public var name: String
    public var value: Value
  }
}

extension Store {
  /// What became of an object in what the delivery under way tells of; nil where nothing did, and
  /// outside of deliveries. O(properties).
  public func fate(of id: ObjectID) -> ObjectFate? {
    switch session.fate(of: id) {
    case nil: return nil
    case .created: return .created
    case .changed(let properties): return .changed(properties)
    case .deleted(let values):
      let properties = schema.classSchema(id.classID)?.properties ?? []
      return .deleted(
        properties.compactMap { property in
          values[property.id].map { ObjectFate.NamedValue(name: property.name, value: $0) }
        })
    }
  }
}

/// Keeps a wish to be told of commits elsewhere: it ends when nothing holds this.
public final class CommitListener: Sendable {
  private let listening: CommitListening

  init(_ listening: CommitListening) { self.listening = listening }
}

extension Store {
  /// Calls `wake` after each commit of another session or another process: the moment to end a turn
  /// of this session, on its own thread, so that its observers hear of it.
  ///
  ///     let listener = try store.onCommitElsewhere { queue.async { takeATurn() } }
  ///
  /// `wake` is called on whichever thread, perhaps once for several commits, perhaps when nothing is
  /// new, and must not block. While nobody commits it costs nothing. Errors: the system has no more
  /// threads or file watches to give.
  public func onCommitElsewhere(_ wake: @escaping @Sendable () -> Void) throws -> CommitListener {
    CommitListener(try session.listenForCommits(wake))
  }

  /// A value after commits of other sessions and other processes; those that come while nobody
  /// awaits are one.
  public func commitsElsewhere() throws -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let listener = try onCommitElsewhere { continuation.yield() }
    continuation.onTermination = { _ in withExtendedLifetime(listener) {} }
    return stream
  }
}

extension Store {
  /// Whether the end of a turn advances the session over others' commits. On by default.
  public var autorefresh: Bool {
    get { session.autorefresh }
    set { session.autorefresh = newValue }
  }

  /// Advances to the newest version and delivers everything; whether anything was new. Inside a
  /// delivery or a write it does nothing and answers false.
  @discardableResult
  public func refresh() throws -> Bool { try session.refresh() }

  /// Calls every block that is owed something at the version where the session stands: the first call
  /// of an observer then tells of what was there when it was registered.
  public func deliverOwed() throws { try session.deliverOwed() }

  /// Ends a turn: advances where autorefresh is on, delivers what is owed and runs queued writes,
  /// until nothing is left. Whether any block was called.
  ///
  /// Throws the first error that a block threw, after the others were called. The write of a block
  /// throws `endlessWriting` where a thousand before it have written in a row, each because of what
  /// the one before had written.
  @discardableResult
  public func endTurn() throws -> Bool { try session.endTurn() }

  /// Ends a turn as above. `chain`: how many blocks of other sessions have written in a row, each
  /// because of what the one before has written.
  package func endTurn(after chain: Int) throws -> Bool { try session.endTurn(after: chain) }

  /// The number of the newest version, whoever committed it.
  package var newestVersion: Int { get throws { try session.newestVersion } }

  /// Whether ending the turn would do anything where `newest` is the newest version.
  package func isTurnDue(at newest: Int) -> Bool { session.isTurnDue(at: newest) }

  /// How many writes blocks have committed or queued so far, of whichever session of the store.
  package var writesOfBlocks: Int { session.hub.writesOfBlocks }

  /// Releases the session's version while the program waits for something: as long as a session holds a
  /// version, no page of it can be used again, and the file grows with every commit.
  ///
  /// The session takes the newest version when it is next used, as if its turn had ended; what happened in
  /// between is then pending for its observers. Best followed by `endTurn` or `refresh`, which deliver it.
  /// The change log tells what happened, and reaches back some ten thousand small commits, 16 MiB: where it
  /// does not, the next use throws `logTrimmed` and the session's observers have ended.
  ///
  /// Does nothing where autorefresh is off, something is frozen at the version, a write is open, something
  /// is pending, or the store is in memory.
  public func rest() { session.rest() }
}
