import HeraldEngine
import HeraldModel

extension Store {
  /// Runs a block in a transaction, as `write` does, and waits without blocking the thread while another session or
  /// program has a transaction open. What `writeAsync` queued before runs first.
  ///
  ///     try await store.asyncWrite { dog.age = 3 }
  ///
  /// The block runs on the caller's actor, which must be the store's. Errors: those of `write`, and
  /// `CancellationError`, after which nothing was changed.
  @discardableResult
  public func asyncWrite<Result>(
    withoutNotifying tokens: [NotificationToken] = [], message: String? = nil,
    _ block: () throws -> Result
  ) async throws -> Result {
    var pause = Duration.microseconds(100)
    while true {
      try Task.checkCancellation()
      core.checkOwner()
      if !core.isInWrite, core.session.hasQueuedWrites { _ = try? core.dynamic.endTurn() }
      if core.isInWrite || core.session.isClosed || !core.session.hasQueuedWrites {
        do {
          return try write(withoutNotifying: tokens, message: message, waiting: false, block)
        } catch let error as HeraldError where error.isOtherWriter {}
      }
      try await Task.sleep(for: pause)
      pause = min(pause * 2, .milliseconds(10))
    }
  }

  /// Advances to the newest version and notifies the observers, as `refresh` does.
  @discardableResult
  public func asyncRefresh() async -> Bool { refresh() }
}

extension HeraldError {
  /// Whether another session or program has a transaction open.
  fileprivate var isOtherWriter: Bool {
    switch self {
    case .writerBusy, .locked: true
    case _: false
    }
  }
}
