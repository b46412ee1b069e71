import CNATS
import Dispatch
import Glibc
import HeraldEngine
import HeraldMaintenance
import HeraldModel

/// Makes a snapshot of a store and appends it to the stream of snapshots.
struct SnapshotMaking {
  let stream: NATSStream
  let connection: NATSConnection

  /// Makes a snapshot, unless another machine is faster; returns the number of the last commit in the newest one.
  func make(of hub: StoreHub, due sequence: UInt64) throws -> UInt64 {
    let info = try snapshots()
    let previous = try SnapshotLoading(stream, connection).newest()
    // One that is ahead is of commits that the stream has lost.
    if let previous, previous.sequence <= sequence,
      previous.sequence + UInt64(stream.snapshotInterval) > sequence
    {
      return previous.sequence
    }
    let path = (hub.path ?? "") + ".snapshot-\(getpid())"
    defer { SnapshotLoading.remove(path) }
    SnapshotLoading.remove(path)
    _ = try hub.backup(to: path, interruption: nil) { _, _ in }
    guard let (position, version) = try StoreHub.position(ofFileAt: path) else { return 0 }
    var manifest = SnapshotManifest(
      identity: SnapshotManifest.newIdentity(), stream: position.stream)
    manifest.version = UInt64(version)
    manifest.sequence = position.sequence
    guard try append(path, &manifest, after: info.last) else { return previous?.sequence ?? 0 }
    if stream.removesOldCommits, let previous {
      try connection.purge(stream.snapshots, before: previous.first)
      try connection.purge(stream.name, before: previous.sequence + 1)
    }
    return manifest.sequence
  }

  /// Puts commits that the stream has lost back as a snapshot of a store, in which they are: as the message after
  /// `last`, which is the stream's last one. Returns false, and has put nothing back, if somebody else has appended
  /// something meanwhile, or if the store has changed.
  func refill(from hub: StoreHub, _ commit: CommitIdentity, of identity: String, after last: UInt64)
    throws -> Bool
  {
    let snapshots = try snapshots()
    let path = (hub.path ?? "") + ".refill-\(getpid())"
    defer { SnapshotLoading.remove(path) }
    SnapshotLoading.remove(path)
    _ = try hub.backup(to: path, interruption: nil) { _, _ in }
    let position = StreamPosition(stream: identity, sequence: last + 1)
    do {
      let copy = try StoreHub.open(fileAt: path)
      guard try copy.move(to: position, at: commit.version) else { return false }
      try copy.settleFile()
    }
    var manifest = SnapshotManifest(identity: SnapshotManifest.newIdentity(), stream: identity)
    manifest.version = UInt64(commit.version)
    manifest.sequence = position.sequence
    manifest.isRefill = true
    guard let message = CommitFrame.refill(commit) else {
      throw HeraldError.replication(
        stream: stream.name, reason: "the log of '\(hub.path ?? "")' has lost its newest commit")
    }
    guard try append(path, &manifest, after: snapshots.last) else { return false }
    do throws(NATSFailure) {
      // From this message on the snapshot counts, for everybody.
      _ = try connection.publish(
        message, to: stream.subject, identity: manifest.name(of: SnapshotManifest.refillPart),
        last: last)
    } catch {
      if case .wrongLast = error.kind { return false }
      throw error
    }
    return try hub.move(to: position, at: commit.version)
  }

  private func snapshots() throws -> (last: UInt64, first: UInt64) {
    do throws(NATSFailure) {
      let found = try connection.stream(stream.snapshots)
      return (found.last, found.first)
    } catch {
      guard case .noStream = error.kind else { throw error }
    }
    try connection.addStream(
      stream.snapshots, subject: "herald-snapshots." + stream.name + ".*",
      replicas: stream.replicas)
    return (0, 0)
  }

  /// Appends a file and its description, one message directly after the other, so that of two snapshots the later one is
  /// the newer; returns false if another machine has begun a snapshot meanwhile.
  private func append(
    _ path: String, _ manifest: inout SnapshotManifest, after last: UInt64
  ) throws -> Bool {
    var last = last
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw HeraldError.cannotOpen(path: path, reason: String(cString: strerror(errno)))
    }
    defer { close(descriptor) }
    do throws(NATSFailure) {
      while true {
        let chunk = [UInt8](unsafeUninitializedCapacity: SnapshotManifest.chunkSize) {
          $1 = max(0, read(descriptor, $0.baseAddress, $0.count))
        }
        if chunk.isEmpty { break }
        let index = withUnsafeBytes(of: manifest.chunks.littleEndian) { [UInt8]($0) }
        last = try connection.publish(
          manifest.identity + index + chunk, to: stream.chunkSubject,
          identity: manifest.name(of: "\(manifest.chunks)"), last: last)
        if manifest.chunks == 0 { manifest.first = last }
        manifest.chunks += 1
        manifest.size += UInt64(chunk.count)
        manifest.checksum = SnapshotManifest.checksum(of: chunk, after: manifest.checksum)
      }
      _ = try connection.publish(
        manifest.encoded, to: stream.manifestSubject, identity: manifest.name(of: "manifest"),
        last: last)
      return true
    } catch {
      if case .wrongLast = error.kind { return false }
      throw error
    }
  }
}

extension Replica {
  /// Makes a snapshot in the background if there were enough commits since the last one.
  func makeSnapshotIfDue(_ hub: StoreHub) {
    let due = state.change { state -> (NATSConnection, UInt64)? in
      guard !state.isMakingSnapshot, !state.isStopped, let connection = state.connection,
        state.applied >= state.lastSnapshot + UInt64(stream.snapshotInterval)
      else { return nil }
      state.isMakingSnapshot = true
      return (connection, state.applied)
    }
    guard let (connection, sequence) = due else { return }
    DispatchQueue.global(qos: .utility).async { [self] in
      let made = Result {
        try SnapshotMaking(stream: stream, connection: connection).make(of: hub, due: sequence)
      }
      state.change { state in
        state.isMakingSnapshot = false
        switch made {
        case .success(let newest): state.lastSnapshot = max(newest, state.lastSnapshot)
        // The next commits try again.
        case .failure: state.lastSnapshot = sequence
        }
      }
    }
  }
}
