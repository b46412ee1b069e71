package import HeraldModel
import HeraldStorage

extension Session {
  /// Throws if the open write could not be committed anyway, because other machines cannot be reached.
  func checkReplicator() throws {
    if hub.hasReplicator { try hub.replicator?.checkConnected() }
  }

  /// Appends the commit of an open write to the stream that the store follows, if there is one.
  /// Errors, after which the write is rolled back: those of `CommitReplicator.append`;
  /// `isReplica` if the store follows a stream that this process has not opened.
  func replicate(_ write: OpenWrite, _ commit: LoggedCommit) throws {
    if hub.environment.isInMemory { return }
    let position = StreamPosition(in: write.reader.storage)
    guard let replicator = hub.replicator else {
      guard let position else { return }
      throw HeraldError.isReplica(path: path ?? "", stream: position.streamName)
    }
    guard let position else { throw HeraldError.closed }
    let changes = try stored { () throws(StorageError) in
      try write.transaction.changes(since: hub.environment.beginRead())
    }
    let new = try replicator.append(
      StreamCommit.encoded(commit, changes: changes), after: position)
    try stored { () throws(StorageError) in
      try write.transaction.setMetadata(StreamPosition.name, new.encoded)
    }
  }

  /// How the store follows a stream; nil if it does not.
  package var replicaStatus: ReplicaStatus? {
    guard let replicator = hub.replicator else { return nil }
    return replicator.status(at: (try? hub.position)?.sequence ?? 0)
  }
}
