import CNATS
import Glibc
import Herald
import HeraldEngine
import Synchronization

/// Opens a store that follows a stream: first its file is made ready, then the store in it begins to follow.
struct StreamOpening {
  let stream: NATSStream
  /// The path of the file.
  let cache: String
  private let connection: NATSConnection?
  /// What the servers say about the stream; nil if they cannot be reached.
  private let found: CNATSStream?

  /// The identity of a stream, which a later one of its name does not have.
  static func identity(of stream: NATSStream, _ found: CNATSStream) -> String {
    let description = found.text
    return description.hasPrefix("Herald ")
      ? "\(stream.name)@\(description.dropFirst(7))" : "\(stream.name)@\(found.created)"
  }

  /// Makes the file ready; nil for a temporary one.
  ///
  /// Errors: `notConnected` if the servers cannot be reached and there is no file; `replication`.
  init(_ stream: NATSStream, _ cache: String?) throws {
    try stream.checkName()
    self.stream = stream
    self.cache = try cache ?? TemporaryCache.make(stream.name)
    do {
      let connection = try NATSConnection(stream)
      let found = try Self.prepare(stream, connection)
      if access(self.cache, F_OK) != 0 {
        let cache = self.cache
        try Self.retrying(for: stream) {
          try Self.loadSnapshot(of: stream, found, connection, to: cache)
        }
      }
      (self.connection, self.found) = (connection, found)
    } catch let failure as NATSFailure {
      guard access(self.cache, F_OK) == 0 else {
        throw HeraldError.notConnected(stream: stream.name, reason: failure.reason)
      }
      (connection, found) = (nil, nil)
    }
  }

  /// Returns the stream, which is made if it is missing. Errors: `replication` if there are not enough servers.
  static func prepare(
    _ stream: NATSStream, _ connection: NATSConnection
  ) throws -> CNATSStream {
    let end = Replica.now + stream.patience
    var seen: String?
    while true {
      do throws(NATSFailure) {
        let found = try connection.stream(stream.name)
        // Several machines may make it at once: what the servers agree on shows in a moment.
        let identity = identity(of: stream, found)
        if found.last > 0 || identity == seen { return found }
        seen = identity
        usleep(500_000)
        continue
      } catch {
        switch error.kind {
        case .noStream: break
        case .timeout, .unreachable:
          if Replica.now > end { throw error }
          usleep(200_000)
          continue
        case .wrongLast, .noMessage, .tooFewServers, .other: throw error
        }
      }
      do throws(NATSFailure) {
        try connection.addStream(
          stream.name, subject: stream.subject, replicas: stream.replicas)
      } catch {
        if case .tooFewServers(let isAlone) = error.kind, isAlone || Replica.now > end {
          throw HeraldError.replication(
            stream: stream.name,
            reason: "it is to be stored on \(stream.replicas) servers, and there are fewer; start "
              + "them, or open '\(stream.alone)' to store it on one (replicas=1)")
        }
        if Replica.now > end {
          throw NATSFailure(.other, "the stream cannot be made: " + error.reason)
        }
        usleep(200_000)
      }
    }
  }

  /// Calls `body` again, within the stream's patience, while the servers elect a leader or do not answer.
  private static func retrying(for stream: NATSStream, _ body: () throws -> Void) throws {
    let end = Replica.now + stream.patience
    while true {
      do {
        return try body()
      } catch let failure as NATSFailure where failure.isTemporary && Replica.now < end {
        usleep(200_000)
      }
    }
  }

  private static func loadSnapshot(
    of stream: NATSStream, _ found: CNATSStream, _ connection: NATSConnection, to cache: String
  ) throws {
    let part = cache + ".snapshot-\(getpid())"
    guard try SnapshotLoading(stream, connection).loadNewest(to: part) != nil else {
      // A machine that began from nothing would commit beside those that have all of it.
      if found.last == 0, let earlier = try? connection.stream(stream.snapshots),
        earlier.last > 0
      {
        throw HeraldError.replication(
          stream: stream.name,
          reason: "it has no commits, but there are snapshots of an earlier stream of its name; "
            + "'herald replicate FILE to \(stream.address)' puts back what the file of a machine has, "
            + "and without stream '\(stream.snapshots)' it begins anew")
      }
      return
    }
    guard link(part, cache) == 0 || errno == EEXIST else {
      let reason = String(cString: strerror(errno))
      unlink(part)
      throw HeraldError.cannotWrite(path: cache, reason: reason)
    }
    unlink(part)
  }

  /// Makes an open store follow the stream; returns when it has the last commit that was acknowledged before, if the
  /// servers can be reached.
  ///
  /// Errors, after which the store is closed: `otherStream` for another stream's file; `replication` if the commits do
  /// not arrive within the stream's patience.
  func begin(_ store: DynamicStore) throws {
    do {
      try follow(store.session.hub)
      _ = try store.refresh()
    } catch {
      store.close()
      throw error
    }
  }

  /// The number of the last acknowledged message; nil if it cannot be read, as by a user without permission to write.
  private var lastSequence: UInt64? {
    try? connection?.lastSequence(of: stream.subject)
  }

  /// What the servers promise less than is needed for a commit to outlast a loss of power.
  private static func warnings(_ found: CNATSStream) -> [String] {
    var warnings: [String] = []
    if found.isInMemory {
      warnings.append("its servers keep it in memory alone: a restart of them loses it")
    }
    if found.replicas < 3 {
      warnings.append(
        found.replicas == 1
          ? "it is stored on one server: what that loses is lost"
          : "it is stored on \(found.replicas) servers: with one of them down, it takes no commits")
    }
    warnings.append(
      "when its servers write to their disks cannot be seen: unless 'sync_interval' is 'always', a "
        + "loss of power takes commits that were acknowledged in the last two minutes")
    return warnings
  }

  private func follow(_ hub: StoreHub) throws {
    // A file of an earlier stream of this name is compared with it.
    if let found, try hub.position == nil {
      try hub.begin(stream: Self.identity(of: stream, found), named: stream.name)
    }
    guard let position = try hub.position, position.stream.hasPrefix(stream.name + "@") else {
      throw HeraldError.otherStream(path: cache, stream: stream.name)
    }
    // Another session of the process may follow already.
    let replica = Replica(stream, connection, at: position.sequence)
    if hub.follow(with: replica) { StreamFollower.start(replica, hub) }
    if let found, let replica = hub.replicator as? Replica {
      replica.state.change { $0.warnings = Self.warnings(found) }
      try replica.catchUp(to: max(found.last, lastSequence ?? 0))
    }
  }
}

extension CNATSStream {
  fileprivate var text: String {
    withUnsafeBytes(of: description) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}

/// The files of stores that were opened without one, which end with the process.
enum TemporaryCache {
  private static let folders = Mutex<[String]>([])

  /// Returns the path of a new file.
  static func make(_ name: String) throws -> String {
    let parent = NATSStream.variable("TMPDIR") ?? "/tmp"
    var template = [CChar]((parent + "/herald-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else {
      throw HeraldError.cannotWrite(path: parent, reason: String(cString: strerror(errno)))
    }
    let folder = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    folders.withLock { folders in
      if folders.isEmpty { atexit { TemporaryCache.removeAll() } }
      folders.append(folder)
    }
    return folder + "/" + name + ".hdb"
  }

  private static func removeAll() {
    for folder in folders.withLock({ $0 }) {
      if let entries = opendir(folder) {
        while let entry = readdir(entries) {
          let name = withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
          }
          if name != ".", name != ".." { unlink(folder + "/" + name) }
        }
        closedir(entries)
      }
      rmdir(folder)
    }
  }
}
