import CNATS
import Dispatch
import Glibc
import HeraldEngine
import HeraldModel

/// Makes a snapshot of a store and appends it to the stream of snapshots.
struct SnapshotMaking {
  let stream: NATSStream
  let connection: NATSConnection

  /// Makes a snapshot, unless another machine is faster; returns the number of the last commit in the newest one.
  func make(of hub: StoreHub, due sequence: UInt64) throws -> UInt64 {
    let info = try snapshots()
    let previous = try SnapshotLoading(stream, connection).newest()
    if let previous, previous.sequence + UInt64(stream.snapshotInterval) > sequence {
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
    guard let last = try append(path, &manifest, after: info.last) else {
      return previous?.sequence ?? 0
    }
    do throws(NATSFailure) {
      _ = try connection.publish(
        manifest.encoded, to: stream.manifestSubject, identity: name(manifest, "manifest"),
        last: last)
    } catch {
      if case .wrongLast = error.kind { return previous?.sequence ?? 0 }
      throw error
    }
    if stream.removesOldCommits, let previous {
      try connection.purge(stream.snapshots, before: previous.first)
      try connection.purge(stream.name, before: previous.sequence + 1)
    }
    return manifest.sequence
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

  /// Appends the chunks of a file, one directly after the other, so that of two snapshots the later one is the newer;
  /// returns the number of the last message, or nil if another machine has begun a snapshot meanwhile.
  private func append(
    _ path: String, _ manifest: inout SnapshotManifest, after last: UInt64
  ) throws -> UInt64? {
    var last = last
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw HeraldError.cannotOpen(path: path, reason: String(cString: strerror(errno)))
    }
    defer { close(descriptor) }
    while true {
      let chunk = [UInt8](unsafeUninitializedCapacity: SnapshotManifest.chunkSize) {
        $1 = max(0, read(descriptor, $0.baseAddress, $0.count))
      }
      if chunk.isEmpty { return last }
      let index = withUnsafeBytes(of: manifest.chunks.littleEndian) { [UInt8]($0) }
      do throws(NATSFailure) {
        last = try connection.publish(
          manifest.identity + index + chunk, to: stream.chunkSubject,
          identity: name(manifest, "\(manifest.chunks)"), last: last)
        if manifest.chunks == 0 { manifest.first = last }
      } catch {
        if case .wrongLast = error.kind { return nil }
        throw error
      }
      manifest.chunks += 1
      manifest.size += UInt64(chunk.count)
      manifest.checksum = SnapshotManifest.checksum(of: chunk, after: manifest.checksum)
    }
  }

  private func name(_ manifest: SnapshotManifest, _ part: String) -> String {
    manifest.identity.map { String($0, radix: 36) }.joined() + "-" + part
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
