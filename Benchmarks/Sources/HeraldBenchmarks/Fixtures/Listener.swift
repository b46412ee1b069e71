import Herald

/// What an observer heard, for the benchmark to check that it heard what it should.
final class Listener<Change> {
  private(set) var calls = 0
  private(set) var last: Change?
  private var token: ObservationToken?

  func hear(_ change: Change) {
    calls += 1
    last = change
  }

  func hold(_ token: ObservationToken) { self.token = token }

  func stop() { token?.invalidate() }
}

extension Results {
  /// Observes, and hears the `initial`.
  func listener(depth: Int? = nil) throws -> Listener<CollectionChange> {
    let listener = Listener<CollectionChange>()
    listener.hold(try observe(depth: depth) { _, change in listener.hear(change) })
    try store.endTurn()
    try require(listener.calls == 1, "no initial was told")
    return listener
  }
}

extension Listener where Change == CollectionChange {
  /// The change set of the last call, where it is an update.
  var update: ChangeSet? {
    guard case .update(let changes, _)? = last else { return nil }
    return changes
  }
}
