import HeraldEngine
import HeraldModel
import HeraldObservation

extension DynamicStore {
  /// Whether a transaction of this session is open.
  package var isInWrite: Bool { session.isInWrite }

  /// Begins a transaction, advances to the newest version, delivers what is pending, runs `body` and
  /// commits. If `body` throws, the transaction is rolled back and the error is rethrown.
  ///
  ///     try store.write { try max.set("age", to: .value(.int(4))) }
  ///
  /// - Parameters:
  ///   - tokens: The tokens that are not notified of this commit.
  ///   - message: What the log says about the commit; nil for nothing.
  ///   - waiting: Whether to wait while another session or program has a transaction open.
  ///   - body: What is done in the transaction; an error that it throws rolls everything back.
  ///
  /// Errors: those of `body`; without waiting, `writerBusy` if another session has a transaction open and
  /// `locked` if another program has, before anything is delivered; `readOnly`, `frozen`, `closed`;
  /// `foreignToken`, `cannotSilence`; `writeTooLarge`, `full`.
  package func write<R>(
    without tokens: [ObservationToken] = [], message: String? = nil, waiting: Bool = true,
    _ body: () throws -> R
  ) throws -> R {
    let silenced = try ids(tokens)
    return try session.write(silencing: silenced, message: message, waiting: waiting, body)
  }

  /// Queues a transaction that runs after the current turn, first in, first out. Use it to react to a
  /// change by writing. Errors: `readOnly`, `frozen`, `closed`, `foreignToken`, `cannotSilence`.
  package func writeAsync(
    without tokens: [ObservationToken] = [], message: String? = nil,
    _ body: @escaping () throws -> Void, onEnd: (((any Error)?) -> Void)? = nil
  ) throws {
    try session.queueWrite(silencing: ids(tokens), message: message, body, onEnd: onEnd)
  }

  /// Begins a transaction that `commitWrite` or `rollbackWrite` ends. `waiting` and the errors are those
  /// of `write`; `writeInProgress` if a transaction is open.
  package func beginWrite(waiting: Bool = true) throws {
    try session.beginWrite(byHand: true, waiting: waiting)
  }

  /// Commits the open transaction; `tokens` are not notified of it, and the log has `message`. Errors: `noOpenWrite`, and those of
  /// committing, such as `full`, after which the transaction is rolled back; `storeMade` if the store had no file, and
  /// another program has made it meanwhile.
  package func commitWrite(
    without tokens: [ObservationToken] = [], message: String? = nil
  ) throws {
    try session.commit(silencing: ids(tokens), message: message)
  }

  /// Rolls back the open transaction. Errors: `noOpenWrite`.
  package func rollbackWrite() throws { try session.rollback() }

  /// Returns the tokens of this store that can be silenced. Errors: `foreignToken`, `cannotSilence`, `deadToken`.
  func ids(_ tokens: [ObservationToken]) throws -> [TokenID] {
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
