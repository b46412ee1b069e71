import HeraldEngine
import HeraldModel
import HeraldObservation

extension Store {
  public var isInWrite: Bool { session.isInWrite }

  /// Whether one of the session's blocks is being called.
  public var isDelivering: Bool { session.isDelivering }

  /// Waits for the writer's place, advances to the newest version, delivers what is owed, runs
  /// `body` and commits; rolls back where it throws. `tokens` are not told of this commit.
  ///
  /// With `waiting` false it throws `writerBusy` at once where another session has a write open, and
  /// `locked` where another program has; nothing is delivered then.
  public func write<R>(
    without tokens: [ObservationToken] = [], waiting: Bool = true, _ body: () throws -> R
  ) throws -> R {
    let silenced = try ids(tokens)
    return try session.write(silencing: silenced, waiting: waiting, body)
  }

  /// Queues a write that runs after the present turn, first in, first out: the way to react to a
  /// change with a write.
  public func writeAsync(
    without tokens: [ObservationToken] = [], _ body: @escaping () throws -> Void
  ) throws {
    try session.queueWrite(silencing: ids(tokens), body)
  }

  /// Begins a write that lasts until `commitWrite` or `rollbackWrite`.
  public func beginWrite(waiting: Bool = true) throws {
    try session.beginWrite(byHand: true, waiting: waiting)
  }

  public func commitWrite(without tokens: [ObservationToken] = []) throws {
    try session.commit(silencing: ids(tokens))
  }

  public func rollbackWrite() throws { try session.rollback() }

  private func ids(_ tokens: [ObservationToken]) throws -> [TokenID] {
    for token in tokens {
      let name = "#\(token.id.rawValue)"
      guard token.store === self else { throw HeraldError.foreignToken(name) }
      guard token.canBeSilenced else { throw HeraldError.cannotSilence(name) }
    }
    let ids = tokens.map(\.id)
    try session.checkSilenced(ids)
    return ids
  }
}
