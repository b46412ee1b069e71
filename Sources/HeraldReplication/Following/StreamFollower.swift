import CNATS
import Glibc
import HeraldEngine
import HeraldModel

/// The thread that takes the commits of other machines from a stream into a store.
final class StreamFollower {
  private weak var replica: Replica?
  private weak var hub: StoreHub?
  private let stream: NATSStream
  private let state: Monitor<Replica.State>
  private var assembly = CommitAssembly()
  /// The commits that were received and not yet taken in.
  private var pending: [(bytes: [UInt8], sequence: UInt64)] = []
  private var pendingBytes = 0

  /// How much is taken in at once.
  private static let batchCount = 1000
  private static let batchBytes = 8 << 20
  /// After how many seconds without a message the stream is asked whether there are any.
  private static let silence = 3.0

  init(_ replica: Replica, _ hub: StoreHub) {
    self.replica = replica
    self.hub = hub
    stream = replica.stream
    state = replica.state
  }

  private var isStopped: Bool { state.read(\.isStopped) || hub == nil }

  /// Follows the stream until the store is closed.
  func run() {
    while !isStopped {
      do {
        let connection = try connected()
        try follow(connection)
      } catch let error as HeraldError {
        fail(error)
        return
      } catch let failure as NATSFailure {
        state.change { state in
          state.lastError = failure.reason
          state.isConnected = state.connection?.isConnected ?? false
        }
        _ = state.wait(0.2) { $0.isStopped }
      } catch {
        fail(.replication(stream: stream.name, reason: "\(error)"))
        return
      }
    }
  }

  private func fail(_ error: HeraldError) {
    state.change { state in
      state.failure = error
      state.isConnected = false
    }
  }

  private func connected() throws -> NATSConnection {
    if let connection = state.read(\.connection) { return connection }
    let connection = try NATSConnection(stream)
    state.change { $0.connection = connection }
    return connection
  }

  /// Receives messages until something goes wrong. Nothing here may hold the hub while it waits.
  private func follow(_ connection: NATSConnection) throws {
    guard let sequence = try begin(connection) else { return }
    let subscription = try connection.subscribe(
      stream.name, subject: stream.subject, from: sequence + 1)
    try receive(subscription, connection, after: sequence)
  }

  /// Compares the store with the stream, and loads a snapshot if it is too far behind; returns the number of its last
  /// commit.
  private func begin(_ connection: NATSConnection) throws -> UInt64? {
    guard let hub, let position = try hub.position else { return nil }
    let found = try connection.stream(stream.name)
    guard StreamOpening.identity(of: stream, found) == position.stream else {
      throw HeraldError.otherStream(path: hub.path ?? "", stream: stream.name)
    }
    var sequence = position.sequence
    if found.first > sequence + 1, found.last > sequence {
      sequence = try SnapshotLoading(stream, connection).overwrite(hub, beyond: found.first)
    }
    guard found.last >= sequence else {
      throw HeraldError.replication(
        stream: stream.name, reason: "it has lost messages that the store has; it was restored")
    }
    assembly = CommitAssembly()
    (pending, pendingBytes) = ([], 0)
    state.change { state in
      state.isConnected = true
      state.lastError = nil
      state.last = max(state.last, found.last)
      state.applied = max(state.applied, sequence)
      state.note(seen: sequence, isCommit: true)
      if state.applied >= state.last { state.currentAt = Replica.now }
    }
    return sequence
  }

  private func receive(
    _ subscription: NATSSubscription, _ connection: NATSConnection, after sequence: UInt64
  ) throws {
    var sequence = sequence
    var heardAt = Replica.now
    while !isStopped {
      guard let message = try subscription.next(milliseconds: pending.isEmpty ? 500 : 0) else {
        try takeIn(upTo: sequence)
        if Replica.now - heardAt > Self.silence {
          let found = try connection.stream(stream.name)
          noteCurrent(found.last, sequence)
          // A message was lost on the way: subscribe again.
          if found.last > sequence { return }
          heardAt = Replica.now
        }
        continue
      }
      heardAt = Replica.now
      if message.sequence <= sequence { continue }
      guard message.sequence == sequence + 1 else { return try takeIn(upTo: sequence) }
      sequence = message.sequence
      take(message)
      if message.pending == 0 || pending.count >= Self.batchCount
        || pendingBytes >= Self.batchBytes
      {
        try takeIn(upTo: sequence)
      }
    }
  }

  private func noteCurrent(_ last: UInt64, _ sequence: UInt64) {
    state.change { state in
      state.isConnected = true
      state.lastError = nil
      state.last = max(state.last, last)
      if sequence >= state.last { state.currentAt = Replica.now }
    }
  }

  private func take(_ message: StreamMessage) {
    let commit = CommitFrame(message).flatMap { assembly.take($0) }
    if let commit {
      pending.append((commit, message.sequence))
      pendingBytes += commit.count
    }
    state.change { state in
      state.note(seen: message.sequence, isCommit: commit != nil)
      state.last = max(state.last, message.sequence + message.pending)
    }
  }

  /// Commits what was received, up to a message.
  private func takeIn(upTo sequence: UInt64) throws {
    guard let hub else { return }
    if !pending.isEmpty {
      let position = try hub.position?.sequence ?? 0
      let new = pending.filter { $0.sequence > position }
      (pending, pendingBytes) = ([], 0)
      if !new.isEmpty { _ = try hub.replay(new) }
    }
    state.change { state in
      state.applied = max(state.applied, sequence)
      if state.applied >= state.last { state.currentAt = Replica.now }
    }
    replica?.makeSnapshotIfDue(hub)
  }
}

extension StreamFollower {
  /// Starts the thread.
  static func start(_ replica: Replica, _ hub: StoreHub) {
    final class Start {
      let follower: StreamFollower
      init(_ follower: StreamFollower) { self.follower = follower }
    }
    var thread = pthread_t()
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    let start = Unmanaged.passRetained(Start(StreamFollower(replica, hub)))
    let code = pthread_create(
      &thread, &attributes,
      { start in
        guard let start else { return nil }
        Unmanaged<Start>.fromOpaque(start).takeRetainedValue().follower.run()
        return nil
      }, start.toOpaque())
    pthread_attr_destroy(&attributes)
    if code != 0 { start.release() }
  }
}
