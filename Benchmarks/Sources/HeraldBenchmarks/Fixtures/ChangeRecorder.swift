import Herald

/// Records the changes that an observer receives, for the benchmark to check.
final class ChangeRecorder<Change> {
  private(set) var calls = 0
  private(set) var last: Change?
  private var token: ObservationToken?

  func record(_ change: Change) {
    calls += 1
    last = change
  }

  func hold(_ token: ObservationToken) { self.token = token }

  func stop() { token?.invalidate() }
}

extension DynamicResults {
  /// Observes the results and receives the `initial` delivery.
  func recorder(depth: Int? = nil) throws -> ChangeRecorder<DynamicCollectionChange> {
    let recorder = ChangeRecorder<DynamicCollectionChange>()
    recorder.hold(try observe(depth: depth) { _, change in recorder.record(change) })
    try store.endTurn()
    try require(recorder.calls == 1, "no initial was delivered")
    return recorder
  }
}

extension ChangeRecorder where Change == DynamicCollectionChange {
  /// The change set of the last call, if it is an update.
  var update: ChangeSet? {
    guard case .update(let changes, _)? = last else { return nil }
    return changes
  }
}
