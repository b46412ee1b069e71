package import HeraldModel
import HeraldStorage

extension Session {
  /// Throws if the open write could not be committed anyway, because other machines cannot be reached.
  func checkReplicator() throws {
    if hub.hasReplicator { try hub.replicator?.checkConnected() }
  }

  /// Returns the position in the stream after which the commit of an open write has to be appended; nil if the store
  /// follows none. Errors: `isReplica` if the store follows a stream that this process has not opened.
  func streamPosition(of write: OpenWrite) throws -> StreamPosition? {
    if hub.environment.isInMemory { return nil }
    let position = StreamPosition(in: write.reader.storage)
    guard hub.hasReplicator else {
      guard let position else { return nil }
      throw HeraldError.isReplica(path: path ?? "", stream: position.streamName)
    }
    guard let position else { throw HeraldError.closed }
    return position
  }

  /// Returns the commit of an open write as it is sent to other copies of the store. Writes its changes to their records.
  func content(
    of write: OpenWrite, _ commit: PreparedCommit
  ) throws(StorageError) -> [UInt8]? {
    if commit.position == nil { return nil }
    // `append` throws if nobody follows the stream any more.
    guard let replicator = hub.replicator else { return [] }
    let logged = LoggedCommit(info: commit.info, record: commit.record)
    return try replicator.message(of: logged, in: write.transaction)
  }

  /// Appends commits, of which the first was made on top of that at `position`, to the stream that the store follows.
  /// Errors, after which the writes are rolled back: those of `CommitReplicator.append`.
  func append(
    _ messages: [[UInt8]], after position: StreamPosition,
    in transaction: borrowing WriteTransaction
  ) throws {
    guard let replicator = hub.replicator else { throw HeraldError.closed }
    let new = try replicator.append(messages, after: position)
    try stored { () throws(StorageError) in
      try transaction.setMetadata(StreamPosition.name, new.encoded)
    }
  }

  /// How the store follows a stream; nil if it does not.
  package var replicaStatus: ReplicaStatus? {
    guard let replicator = hub.replicator else { return nil }
    // In this order, the version is not older than the position.
    let position = (try? hub.position)?.sequence ?? 0
    return replicator.status(at: position, version: (try? hub.environment.committedVersion()) ?? 0)
  }
}
