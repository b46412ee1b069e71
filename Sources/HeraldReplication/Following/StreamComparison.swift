import CNATS
import HeraldEngine
import HeraldModel

/// Compares the commits of a store with those of a stream, which may have lost some: a server that loses its power loses
/// what it has not written to its disk.
struct StreamComparison {
  enum Relation {
    /// Both end with the same commit, which is the message of this number.
    case same(UInt64)
    /// The store goes on after the stream's newest version.
    case storeIsAhead(of: Int)
    /// The stream goes on after the store's newest version, or after one before it.
    case streamIsAhead
  }

  /// Thrown where the store has commits that the stream lacks.
  struct Lost: Error {
    let count: Int
    let error: HeraldError
  }

  let stream: NATSStream
  let connection: NATSConnection
  let hub: StoreHub
  /// The identity of the stream, and the numbers of its first and last message.
  let identity: String
  let first: UInt64
  let last: UInt64

  init(
    _ stream: NATSStream, _ connection: NATSConnection, _ hub: StoreHub, _ found: CNATSStream,
    last: UInt64
  ) {
    self.stream = stream
    self.connection = connection
    self.hub = hub
    identity = StreamOpening.identity(of: stream, found)
    (first, self.last) = (found.first, last)
  }

  /// Returns whether the message at the store's position is the one that made its newest commit, as far as the stream
  /// still has it.
  func isAtPosition(_ newest: (commit: CommitIdentity, position: StreamPosition?)) throws -> Bool {
    guard let position = newest.position, position.stream == identity, position.sequence <= last
    else { return false }
    if position.sequence == 0 { return newest.commit.version == 0 }
    switch try connection.entry(position.sequence, of: stream.name) {
    case .commit(let commit): return commit.isSame(as: newest.commit)
    case .incomplete: return false
    case .missing: return true
    }
  }

  /// Makes a store follow the stream whose position is not one of it, or not the one that it was; returns the number of
  /// the message that the store is at.
  ///
  /// Errors, after which nothing has changed: `Lost` where the store has commits that the stream lacks; `replication`
  /// where both have such.
  func align() throws -> UInt64 {
    switch try relation() {
    case .same(let sequence):
      let position = StreamPosition(stream: identity, sequence: sequence)
      guard try hub.move(to: position, at: hub.newestCommit().commit.version) else {
        throw NATSFailure(.timeout, "the store was written to")
      }
      return sequence
    case .streamIsAhead:
      return try SnapshotLoading(stream, connection).overwrite(
        hub, of: identity, beyond: first, through: last, isSuspect: true)
    case .storeIsAhead(let version): throw try lost(after: version)
    }
  }

  /// Errors: `replication` if neither goes on where the other ends.
  func relation() throws -> Relation {
    let mine = try hub.newestCommit().commit
    let (tail, sequence) = try newestOfStream()
    if tail.isSame(as: mine) { return .same(sequence) }
    if tail.version > mine.version { return .streamIsAhead }
    if tail.version == 0 { return .storeIsAhead(of: 0) }
    if tail.version == mine.version { throw forked(at: mine.version) }
    guard let info = try hub.info(ofVersion: tail.version) else {
      throw unknown(tail.version)
    }
    if info != tail.info { throw forked(at: mine.version) }
    return .storeIsAhead(of: tail.version)
  }

  /// The stream's newest commit, with the number of its message; version 0 if it has none.
  private func newestOfStream() throws -> (CommitIdentity, UInt64) {
    var sequence = last
    while sequence >= max(1, first) {
      if case .commit(let commit) = try connection.entry(sequence, of: stream.name) {
        return (commit, sequence)
      }
      sequence -= 1
    }
    let loading = SnapshotLoading(stream, connection)
    guard try loading.newest() != nil else {
      return (CommitIdentity(version: 0, digest: 0, info: nil), last)
    }
    return try loading.withCopy(of: identity, beyond: first, through: last, beside: hub) {
      (try $0.newestCommit().commit, $1)
    }
  }

  private func lost(after version: Int) throws -> Lost {
    let count = try hub.newestVersion - version
    let path = hub.path ?? "FILE"
    let versions =
      count == 1 ? "version \(version + 1)" : "versions \(version + 1) to \(version + count)"
    return Lost(
      count: count,
      error: .replication(
        stream: stream.name,
        reason: "it has lost \(versions), which '\(path)' has; nothing is written until "
          + "'herald replicate \(path) to \(stream.address)' puts them back"))
  }

  private func forked(at version: Int) -> HeraldError {
    Self.forked(stream, hub, version)
  }

  static func forked(_ stream: NATSStream, _ hub: StoreHub, _ version: Int) -> HeraldError {
    .replication(
      stream: stream.name,
      reason: "others have committed since it lost commits up to version \(version), which "
        + "'\(hub.path ?? "")' has; the file keeps them: open it by its path to read them, and the "
        + "stream with another file")
  }

  private func unknown(_ version: Int) -> HeraldError {
    let path = hub.path ?? "FILE"
    return .replication(
      stream: stream.name,
      reason: "it ends at version \(version), which the log of '\(path)' no longer has, so that "
        + "nobody can say whether that goes on from there; 'herald replicate \(path) to "
        + "nats://HOST/NAME' makes a new stream of the whole file")
  }
}

extension NATSConnection {
  enum Entry {
    /// The message is a commit, or completes one.
    case commit(CommitIdentity)
    /// It is a part of a commit, or nothing that can be read.
    case incomplete
    /// The stream does not have it.
    case missing
  }

  /// Reads what a message of a stream of commits is.
  func entry(_ sequence: UInt64, of stream: String) throws(NATSFailure) -> Entry {
    guard let message = try stored(sequence, of: stream) else { return .missing }
    guard let frame = CommitFrame(message), frame.index < sequence else { return .incomplete }
    var batch = CommitBatch()
    if frame.kind == .part { return .incomplete }
    for number in (sequence - UInt64(frame.index))..<sequence {
      guard let part = try stored(number, of: stream) else { return .missing }
      _ = batch.take(part)
    }
    guard batch.take(message), let commit = batch.refill ?? batch.commits.last else {
      return .incomplete
    }
    return .commit(commit)
  }

  private func stored(
    _ sequence: UInt64, of stream: String
  ) throws(NATSFailure) -> StreamMessage? {
    do throws(NATSFailure) {
      return try message(sequence, of: stream)
    } catch {
      if case .noMessage = error.kind { return nil }
      throw error
    }
  }
}
