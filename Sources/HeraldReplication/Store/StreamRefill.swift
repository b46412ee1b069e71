import CNATS
import Glibc
import HeraldEngine
import HeraldModel

/// What became of the commits that a stream lacked.
public struct StreamRefill: Hashable, Sendable {
  /// The versions that were put back; empty if the stream had all that the file has.
  public var versions: Range<Int>
  /// The newest version of the file, which follows the stream from there.
  public var version: Int
}

extension NATSStream {
  /// How often the stream is compared again after it, or the file, was written to meanwhile.
  private static let attempts = 5

  /// Puts back the commits of a machine's file that the stream has lost, each as the version that it was, and makes the
  /// file follow the stream from there; other machines take them in by themselves. A stream without any commits becomes
  /// one of the whole file, which may be any store. Does nothing if the stream lacks none of them. If it is interrupted,
  /// all or none were put back, and it may be repeated.
  ///
  /// Errors: those of opening the file; `notConnected`; `otherStream` for a file of another stream, if this one has
  /// commits; `replication` if others have committed since the stream lost them, or if that cannot be seen, as the log of
  /// the file is too short.
  public func refill(from path: String) throws -> StreamRefill {
    try checkName()
    guard access(path, F_OK) == 0 else {
      throw HeraldError.cannotOpen(path: path, reason: String(cString: strerror(errno)))
    }
    let hub = try StoreHub.open(fileAt: path)
    var reason = "its servers cannot be reached"
    for _ in 0..<Self.attempts {
      do {
        let connection = try NATSConnection(self)
        let found = try StreamOpening.prepare(self, connection)
        if let refill = try refill(from: hub, connection, found) { return refill }
        reason = "it, or the file, is being written to"
      } catch let failure as NATSFailure {
        guard failure.isTemporary else {
          throw HeraldError.replication(stream: name, reason: failure.reason)
        }
        reason = failure.reason
      }
      usleep(200_000)
    }
    throw HeraldError.notConnected(stream: name, reason: reason)
  }

  /// Returns nil if the stream or the file was written to meanwhile.
  private func refill(
    from hub: StoreHub, _ connection: NATSConnection, _ found: CNATSStream
  ) throws -> StreamRefill? {
    let (mine, position) = try hub.newestCommit()
    let last = max(found.last, try connection.lastSequence(of: subject))
    let comparison = StreamComparison(self, connection, hub, found, last: last)
    let relation = try comparison.relation()
    if case .storeIsAhead(of: 0) = relation {
    } else if position?.streamName != name {
      throw HeraldError.otherStream(path: hub.path ?? "", stream: name)
    }
    switch relation {
    case .same, .streamIsAhead:
      // Even so its messages may have other numbers than before.
      let newest = try hub.newestCommit()
      if try !comparison.isAtPosition(newest) { _ = try comparison.align() }
      return StreamRefill(versions: 0..<0, version: try hub.newestVersion)
    case .storeIsAhead(let version):
      let making = SnapshotMaking(stream: self, connection: connection)
      guard try making.refill(from: hub, mine, of: comparison.identity, after: last) else {
        return nil
      }
      return StreamRefill(versions: version + 1..<mine.version + 1, version: mine.version)
    }
  }
}
