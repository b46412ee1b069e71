import HeraldEngine

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
