import HeraldEngine

/// The commits of a store after a version, in order, each once, and then every new one as it is made, by whichever
/// session or program.
///
///     for try await commit in store.commits(since: store.version) {
///       for change in commit.changes { print(commit.version, change.label, change.change) }
///     }
///
/// Each iteration has a session of its own. It ends when the task is cancelled; it throws `versionNotKept` where the log
/// no longer reaches back: read the store as it is then, and begin again at its version.
public struct CommitSequence: AsyncSequence, Sendable {
  let address: StoreAddress
  let version: Int

  /// Starts an iteration.
  public func makeAsyncIterator() -> Iterator { Iterator(address: address, version: version) }

  /// The iterator of `CommitSequence`.
  public struct Iterator: AsyncIteratorProtocol {
    let address: StoreAddress
    let version: Int
    private var state: State?

    private struct State {
      let store: DynamicStore
      let feed: CommitFeed
      var wakes: AsyncStream<Void>.Iterator
    }

    init(address: StoreAddress, version: Int) {
      self.address = address
      self.version = version
    }

    /// Waits for the next commit; nil at the end.
    public mutating func next() async throws -> Commit? { try await next(isolation: #isolation) }

    /// Waits for the next commit on an actor; nil at the end. Errors: `versionNotKept`, `noSuchVersion`; those of
    /// reading.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(any Error) -> Commit? {
      var state = try self.state ?? begun()
      defer { self.state = state }
      while !Task.isCancelled {
        if let commit = try state.feed.next() { return try Commit(commit) }
        if try state.store.refresh() { continue }
        state.store.session.rest()
        guard await state.wakes.next(isolation: actor) != nil else { return nil }
        try state.store.refresh()
      }
      return nil
    }

    private func begun() throws -> State {
      let store = try address.newSession(named: "commits")
      // Listens before it reads, so that no commit is missed.
      let wakes = try store.commitsElsewhere().makeAsyncIterator()
      try store.refresh()
      return State(store: store, feed: try CommitFeed(store, since: version), wakes: wakes)
    }
  }
}

extension DynamicStore {
  /// The commits after a version: those that the log has, and then every new one. `since` 0 begins with the first.
  package func commits(since version: Int) -> CommitSequence {
    CommitSequence(address: address, version: version)
  }
}
