import CNATS
import Glibc
import HeraldEngine
import HeraldModel
import HeraldStorage

/// The thread that takes the commits of other machines from a stream into a store.
///
/// `@unchecked Sendable`: used by that thread alone.
final class StreamFollower: WaitingThread, @unchecked Sendable {
  private weak var replica: Replica?
  private weak var hub: StoreHub?
  private let stream: NATSStream
  private let state: Monitor<Replica.State>
  /// The commits that were received and not yet taken in.
  private var pending = CommitBatch()
  /// Since when the stream ends before the store's last commit; nil if it does not.
  private var shortSince: Double?

  /// The seconds without a message after which the stream's description is read; fewer if messages are known to be
  /// missing.
  private static let silence = 3.0
  private var silenceWhileBehind = StreamFollower.shortSilence
  private static let shortSilence = 0.5

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
    let reconnects = connection.reconnects
    guard let sequence = try begin(connection, reconnects) else { return }
    let subscription = try connection.subscribe(
      stream.name, subject: stream.subject, from: sequence + 1)
    try receive(subscription, connection, after: sequence, reconnects)
  }

  /// Compares the store with the stream, and loads a snapshot if it is too far behind; returns the number of its last
  /// commit.
  private func begin(_ connection: NATSConnection, _ reconnects: UInt64) throws -> UInt64? {
    guard let hub, let position = try hub.position else { return nil }
    let found = try connection.stream(stream.name)
    let identity = StreamOpening.identity(of: stream, found)
    if identity != position.stream { try hub.begin(stream: identity, named: stream.name) }
    var sequence = position.sequence
    // The server that describes the stream may lag.
    var last = found.last
    if last < sequence || connection.reconnects > 0 {
      last = max(last, try connection.lastSequence(of: stream.subject))
    }
    if found.first > sequence + 1, last > sequence {
      sequence = try SnapshotLoading(stream, connection).overwrite(
        hub, beyond: found.first, through: last)
    }
    try checkComplete(last, sequence)
    pending = CommitBatch()
    state.change { state in
      state.isConnected = true
      state.reconnects = reconnects
      state.lastError = nil
      state.last = max(state.last, last)
      state.applied = max(state.applied, sequence)
      state.note(seen: sequence, isCommit: true)
      if state.applied >= state.last { state.currentAt = Replica.now }
    }
    return sequence
  }

  /// Throws if the stream ends before the store's last commit: `replication` once it has done so for a while, since a
  /// leader that was elected just now may not have the last messages at once.
  private func checkComplete(_ last: UInt64, _ sequence: UInt64) throws {
    guard last < sequence else {
      shortSince = nil
      return
    }
    let since = shortSince ?? Replica.now
    shortSince = since
    let reason = "it has lost messages that the store has; it was restored"
    guard Replica.now - since > stream.patience else { throw NATSFailure(.unreachable, reason) }
    throw HeraldError.replication(stream: stream.name, reason: reason)
  }

  private func receive(
    _ subscription: NATSSubscription, _ connection: NATSConnection, after sequence: UInt64,
    _ reconnects: UInt64
  ) throws {
    var sequence = sequence
    var receivedAt = Replica.now
    while true {
      guard let message = try subscription.next(milliseconds: pending.isEmpty ? 200 : 0) else {
        if isStopped { return }
        try takeIn(upTo: sequence)
        guard try isComplete(connection, at: sequence, reconnects, since: &receivedAt) else {
          return
        }
        continue
      }
      // Far behind, the time need not be known after each message.
      if message.isLandmark {
        if isStopped { return }
        receivedAt = Replica.now
        silenceWhileBehind = Self.shortSilence
      }
      if message.sequence <= sequence { continue }
      guard message.sequence == sequence + 1 else { return try takeIn(upTo: sequence) }
      sequence = message.sequence
      take(message)
      if message.pending == 0 || pending.isFull { try takeIn(upTo: sequence) }
    }
  }

  /// Returns whether the subscription has received what there is, as far as is known, after some time without a message;
  /// if it has not, a message was lost on the way, or the server that sends them lags.
  private func isComplete(
    _ connection: NATSConnection, at sequence: UInt64, _ reconnects: UInt64,
    since receivedAt: inout Double
  ) throws -> Bool {
    if !connection.isConnected {
      state.change { $0.isConnected = false }
      return true
    }
    // What was sent meanwhile is lost, and the server may no longer know the subscription.
    if connection.reconnects != reconnects { return false }
    let limit =
      state.read(\.last) > sequence ? silenceWhileBehind : Self.silence
    guard Replica.now - receivedAt > limit else { return true }
    let found = try connection.stream(stream.name)
    noteCurrent(found.last, sequence)
    receivedAt = Replica.now
    if state.read(\.last) <= sequence { return true }
    // A busy server must have the time to begin.
    silenceWhileBehind = min(2 * silenceWhileBehind, 8)
    return false
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
    let isCommit = pending.take(message)
    // Far behind, nobody needs to know of each message.
    guard message.isLandmark else { return }
    state.change { state in
      state.note(seen: message.sequence, isCommit: isCommit)
      state.last = max(state.last, message.sequence + message.pending)
    }
  }

  /// Commits what was received, up to a message.
  private func takeIn(upTo sequence: UInt64) throws {
    guard let hub else { return }
    if !pending.isEmpty {
      let position = try hub.position?.sequence ?? 0
      if let last = pending.commits.lastSequence, last > position {
        _ = try hub.replay(pending.commits)
      }
      pending.removeAll()
    }
    state.change { state in
      state.applied = max(state.applied, sequence)
      // Off line there may be commits that nobody here knows.
      if state.isConnected, state.applied >= state.last { state.currentAt = Replica.now }
    }
    replica?.makeSnapshotIfDue(hub)
  }
}

extension StreamMessage {
  /// Whether it is the last one that there is at the moment, or the end of some that arrive together.
  fileprivate var isLandmark: Bool { pending == 0 || sequence % 64 == 0 }
}

extension StreamFollower {
  /// Starts the thread.
  static func start(_ replica: Replica, _ hub: StoreHub) {
    _ = StreamFollower(replica, hub).start()
  }
}
