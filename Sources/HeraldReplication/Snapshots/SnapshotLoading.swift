import CNATS
import Glibc
import HeraldEngine
import HeraldModel

/// Loads the newest snapshot of a stream.
struct SnapshotLoading {
  let stream: NATSStream
  let connection: NATSConnection

  init(_ stream: NATSStream, _ connection: NATSConnection) {
    self.stream = stream
    self.connection = connection
  }

  /// The description of the stream's newest snapshot; nil if there is none.
  func newest() throws(NATSFailure) -> SnapshotManifest? {
    do throws(NATSFailure) {
      let identity = StreamOpening.identity(of: stream, try connection.stream(stream.name))
      let found = try connection.stream(stream.snapshots)
      // The last message, unless a snapshot is being made. A server that has just trimmed a stream may not find the
      // last message of a subject.
      var sequence = found.last
      while sequence >= max(1, found.first) {
        let message = try connection.message(sequence, of: stream.snapshots)
        sequence -= 1
        guard message.identity.hasSuffix(SnapshotManifest.mark),
          let manifest = SnapshotManifest(message.bytes)
        else { continue }
        // A stream of the same name that was made later has none of these commits.
        if manifest.stream == identity, try counts(manifest) { return manifest }
        sequence = min(sequence, manifest.first - 1)
      }
      return nil
    } catch {
      switch error.kind {
      case .noStream, .noMessage: return nil
      case .timeout, .unreachable, .wrongLast, .tooFewServers, .other: throw error
      }
    }
  }

  /// Whether the stream of commits has taken a snapshot of what it had lost.
  private func counts(_ manifest: SnapshotManifest) throws(NATSFailure) -> Bool {
    guard manifest.isRefill else { return true }
    do throws(NATSFailure) {
      return try connection.message(manifest.sequence, of: stream.name).identity
        == manifest.name(of: SnapshotManifest.refillPart)
    } catch {
      if case .noMessage = error.kind { return false }
      throw error
    }
  }

  /// Writes the newest snapshot to a new file, and returns its description; nil if there is none.
  func loadNewest(to path: String) throws -> SnapshotManifest? {
    while let manifest = try newest() {
      do {
        try load(manifest, to: path)
        return manifest
      } catch let failure as NATSFailure {
        // It may have been removed meanwhile, for a newer one.
        guard let newer = try newest(), newer != manifest else { throw failure }
      }
    }
    return nil
  }

  /// Writes a snapshot to a new file. Errors, after which there is no file: `replication` if it is not complete.
  func load(_ manifest: SnapshotManifest, to path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw HeraldError.cannotWrite(path: path, reason: String(cString: strerror(errno)))
    }
    var isComplete = false
    defer {
      close(descriptor)
      if !isComplete { unlink(path) }
    }
    let subscription = try connection.subscribe(
      stream.snapshots, subject: stream.chunkSubject, from: manifest.first)
    var (count, size, checksum) = (UInt32(0), UInt64(0), UInt32(0))
    while count < manifest.chunks {
      guard let message = try subscription.next(milliseconds: 2 * NATSConnection.timeout) else {
        throw NATSFailure(.timeout, "a snapshot is incomplete")
      }
      let bytes = message.bytes
      guard bytes.starts(with: manifest.identity), bytes.count > 20 else { continue }
      let index = bytes[16..<20].withUnsafeBytes {
        UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self))
      }
      guard index == count else { throw damaged }
      let chunk = bytes[20...]
      checksum = SnapshotManifest.checksum(of: chunk, after: checksum)
      size += UInt64(chunk.count)
      count += 1
      try write(chunk, to: descriptor, path)
    }
    guard size == manifest.size, checksum == manifest.checksum else { throw damaged }
    guard fsync(descriptor) == 0 else {
      throw HeraldError.cannotWrite(path: path, reason: String(cString: strerror(errno)))
    }
    isComplete = true
  }

  private var damaged: HeraldError {
    .replication(stream: stream.name, reason: "its newest snapshot is damaged")
  }

  private func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32, _ path: String) throws {
    try bytes.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        let count = Glibc.write(descriptor, bytes.baseAddress! + done, bytes.count - done)
        guard count > 0 || errno == EINTR else {
          throw HeraldError.cannotWrite(path: path, reason: String(cString: strerror(errno)))
        }
        done += max(0, count)
      }
    }
  }

  /// Replaces the content of an open store by the newest snapshot and the commits after it up to message `last`, as the
  /// stream no longer has all commits since its own. Observers get all of it as one change. Returns the number of the
  /// last commit in it. `isSuspect`: whether the store may have commits that the stream lacks.
  ///
  /// Errors: `replication` if there is no snapshot that reaches to `first`, or if the store has such commits.
  func overwrite(
    _ hub: StoreHub, of identity: String, beyond first: UInt64, through last: UInt64,
    isSuspect: Bool = false
  ) throws -> UInt64 {
    try withCopy(of: identity, beyond: first, through: last, beside: hub) { copy, sequence in
      let mine = try hub.newestCommit().commit
      let info = try copy.info(ofVersion: mine.version)
      let isKnown = mine.version == 0 || (mine.info != nil && mine.info == info)
      guard isKnown || (!isSuspect && (mine.info == nil || info == nil)) else {
        throw StreamComparison.forked(stream, hub, mine.version)
      }
      guard try copy.newestVersion > mine.version else {
        throw NATSFailure(.timeout, "a newer snapshot is being made")
      }
      try hub.overwrite(with: copy)
      return sequence
    }
  }

  /// Calls `body` with a store that has what the stream has up to message `last`, and the number of its last commit; its
  /// file is removed afterwards. Errors: `replication` if there is no snapshot that reaches to `first`.
  func withCopy<R>(
    of identity: String, beyond first: UInt64, through last: UInt64, beside hub: StoreHub,
    _ body: (StoreHub, UInt64) throws -> R
  ) throws -> R {
    let path = (hub.path ?? "") + ".loading-\(getpid())"
    defer { Self.remove(path) }
    let manifest = try loadNewest(to: path)
    let sequence = manifest?.sequence ?? 0
    guard sequence + 1 >= first else {
      throw HeraldError.replication(
        stream: stream.name,
        reason: "it no longer has the commits that the store lacks, and no snapshot of them")
    }
    let copy = try StoreHub.open(fileAt: path)
    if manifest == nil { try copy.begin(stream: identity, named: stream.name) }
    return try body(copy, try replay(on: copy, after: sequence, through: last))
  }

  /// Takes the commits after one into a copy, and returns the number of the last one.
  private func replay(
    on copy: StoreHub, after sequence: UInt64, through last: UInt64
  ) throws -> UInt64 {
    if sequence >= last { return sequence }
    var sequence = sequence
    var commits = CommitBatch()
    let subscription = try connection.subscribe(
      stream.name, subject: stream.subject, from: sequence + 1)
    var complete = sequence
    while sequence < last {
      guard let message = try subscription.next(milliseconds: 2 * NATSConnection.timeout),
        message.sequence <= sequence + 1
      else { throw NATSFailure(.timeout, "commits after a snapshot have not arrived") }
      if message.sequence <= sequence { continue }
      sequence = message.sequence
      if commits.take(message) { complete = sequence }
      // A snapshot that is newer than the one that was loaded has what was put back.
      if commits.refill != nil { throw NATSFailure(.timeout, "commits are being put back") }
      guard commits.isFull else { continue }
      _ = try copy.replay(commits.commits)
      commits.removeAll()
    }
    _ = try copy.replay(commits.commits)
    // The parts of a commit that is not complete are received again.
    return complete
  }

  static func remove(_ path: String) {
    unlink(path)
    unlink(path + "-lock")
  }
}
