package import HeraldModel

/// What puts the commits of a store in one order with those of other machines.
///
/// Its members are called on the threads of sessions. None of them may use a session.
package protocol CommitReplicator: AnyObject, Sendable {
  /// Throws if no commit can be appended now.
  func checkConnected() throws

  /// Appends a commit, which was made on top of that at `position`; returns its own position as soon as it
  /// cannot be lost any more. Errors: `raceLost` if another commit is there; `notConnected`, `notConfirmed`.
  func append(_ commit: [UInt8], after position: StreamPosition) throws -> StreamPosition

  /// Waits until the store has the commits that others have appended. Errors: `notConnected`.
  func catchUp() throws

  /// How a store follows whose last commit has the number `sequence`.
  func status(at sequence: UInt64) -> ReplicaStatus
}

/// How often a block runs whose commit another machine was faster than.
let raceLimit = 5
