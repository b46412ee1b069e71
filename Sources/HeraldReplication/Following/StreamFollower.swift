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
      } catch let lost as StreamComparison.Lost {
        // Somebody may put them back.
        state.change { state in
          (state.lost, state.ahead) = (lost.error, lost.count)
          (state.isCompared, state.mustCompare) = (true, false)
          state.isConnected = state.connection?.isConnected ?? false
          state.reconnects = state.connection?.reconnects ?? 0
        }
        _ = state.wait(1) { $0.isStopped }
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
      (state.lost, state.ahead) = (nil, 0)
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
    if identity != position.stream, try hub.newestVersion == 0 {
      try hub.begin(stream: identity, named: stream.name)
    }
    // The server that describes the stream may lag.
    var last = found.last
    if last < position.sequence || connection.reconnects > 0 {
      last = max(last, try connection.lastSequence(of: stream.subject))
    }
    let comparison = StreamComparison(stream, connection, hub, found, last: last)
    let newest = try hub.newestCommit()
    guard let position = newest.position else { return nil }
    var sequence = position.sequence
    var isAligned = false
    if position.stream == identity, found.first > sequence + 1, last > sequence {
      sequence = try SnapshotLoading(stream, connection).overwrite(
        hub, of: identity, beyond: found.first, through: last)
    } else if try !comparison.isAtPosition(newest) {
      try checkShort(position.stream == identity && last < sequence, of: found)
      sequence = try comparison.align()
      isAligned = true
    }
    shortSince = nil
    pending = CommitBatch()
    state.change { state in
      // What was seen beyond the stream's end is lost, and what was put back has other numbers.
      if isAligned || state.seen > last { state.restart(at: sequence) }
      (state.isConnected, state.isCompared, state.mustCompare) = (true, true, false)
      (state.lost, state.ahead) = (nil, 0)
      state.reconnects = reconnects
      state.lastError = nil
      state.last = max(state.last, last)
      state.applied = max(state.applied, sequence)
      state.note(seen: sequence, isCommit: true)
      if state.applied >= state.last { state.currentAt = Replica.now }
    }
    return sequence
  }

  /// Throws while the stream ends before the store's last commit, but may not have lost it: a leader that was elected just
  /// now may not have the last messages at once.
  private func checkShort(_ isShort: Bool, of found: CNATSStream) throws {
    guard isShort, found.replicas > 1, !state.read(\.isCompared) || state.read(\.lost) == nil else {
      return
    }
    let since = shortSince ?? Replica.now
    shortSince = since
    guard Replica.now - since <= stream.patience / 2 else { return }
    throw NATSFailure(.unreachable, "it ends before the store's last commit")
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
      if let commit = pending.refill {
        try takeIn(upTo: sequence - 1)
        sequence = try takeRefill(commit, at: sequence, connection)
      }
      if message.pending == 0 || pending.isFull { try takeIn(upTo: sequence) }
    }
  }

  /// Takes in the commits that were put back up to one; returns the number of the message that the store is at then.
  private func takeRefill(
    _ commit: CommitIdentity, at sequence: UInt64, _ connection: NATSConnection
  ) throws -> UInt64 {
    guard let hub, let position = try hub.position else { return sequence }
    let mine = try hub.newestCommit().commit
    if mine.version < commit.version {
      return try SnapshotLoading(stream, connection).overwrite(
        hub, of: position.stream, beyond: sequence, through: sequence)
    }
    guard position.sequence < sequence else { return sequence }
    let new = StreamPosition(stream: position.stream, sequence: sequence)
    guard mine.isSame(as: commit) else { throw StreamComparison.forked(stream, hub, mine.version) }
    guard try hub.move(to: new, at: mine.version) else {
      throw NATSFailure(.timeout, "the store was written to")
    }
    return sequence
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
    if connection.reconnects != reconnects || state.read(\.mustCompare) { return false }
    let limit =
      state.read(\.last) > sequence ? silenceWhileBehind : Self.silence
    guard Replica.now - receivedAt > limit else { return true }
    let found = try connection.stream(stream.name)
    if found.last < sequence { return false }
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
