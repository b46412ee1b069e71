package import HeraldModel
package import HeraldStorage

/// Orders the commits of a store among those of other machines.
///
/// Its members are called on the threads of sessions. None of them may use a session.
package protocol CommitReplicator: AnyObject, Sendable {
  /// Throws if no commit can be appended now.
  func checkConnected() throws

  /// Returns a commit as `append` sends it, with what its transaction has noted since it began (`captured`). Writes the
  /// transaction's changes to their records.
  func message(
    of commit: LoggedCommit, in transaction: borrowing WriteTransaction
  ) throws(StorageError) -> [UInt8]

  /// Appends commits, of which the first was made on top of that at `position`, all or none of them; returns their
  /// position as soon as they cannot be lost any more. Errors: `raceLost` if another commit is there; `notConnected`,
  /// `notConfirmed`.
  func append(_ commits: [[UInt8]], after position: StreamPosition) throws -> StreamPosition

  /// Waits until the store has the commits that others have appended. Errors: `notConnected`.
  func catchUp() throws

  /// Returns how a store at a version follows the stream whose message `sequence` has made that version. While the
  /// store is behind, this asks the servers how far.
  func status(at sequence: UInt64, version: Int) -> ReplicaStatus
}

/// The number of times that the block of a write runs while other machines commit first.
let raceLimit = 5
