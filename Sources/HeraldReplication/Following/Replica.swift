import Glibc
import HeraldEngine
import HeraldModel

/// The copy of a store that follows a stream: its thread takes in the commits of others, and its sessions append
/// theirs.
///
/// One per store and process. The store's hub holds it, so both end with the last session.
final class Replica: CommitReplicator {
  struct State {
    var connection: NATSConnection?
    /// Whether the follower has compared the store with the stream since the connection was made.
    var isConnected = false
    /// The number of reconnections until then.
    var reconnects: UInt64 = 0
    /// The number of the last message that was received or appended.
    var seen: UInt64 = 0
    /// The same of the last one that completes a commit.
    var seenCommit: UInt64 = 0
    /// The number of the last message whose commit the store has, or that has none.
    var applied: UInt64 = 0
    /// The number of the last message of the stream, as far as known.
    var last: UInt64 = 0
    /// What `catchUp` waits for.
    var wanted: UInt64 = 0
    /// When the store was at the last message, by the system's monotonic clock.
    var currentAt = Replica.now
    var lastError: String?
    /// What keeps the store from following for good.
    var failure: HeraldError?
    /// What keeps it from following as long as the stream lacks commits that it has, and their number.
    var lost: HeraldError?
    var ahead = 0
    /// Whether the store has been compared with the stream, and whether it must be compared again.
    var isCompared = false
    var mustCompare = false
    /// What the servers promise less than the stream's users may expect.
    var warnings: [String] = []
    var isStopped = false
    var lastSnapshot: UInt64 = 0
    var isMakingSnapshot = false

    /// What keeps sessions from committing.
    var refusal: HeraldError? { failure ?? lost }

    /// Forgets the numbers of messages that the stream has lost; the store is at `sequence` now.
    mutating func restart(at sequence: UInt64) {
      (seen, seenCommit, applied) = (sequence, sequence, sequence)
      (last, wanted) = (sequence, 0)
      lastSnapshot = min(lastSnapshot, sequence)
    }

    mutating func note(seen sequence: UInt64, isCommit: Bool) {
      seen = max(seen, sequence)
      if isCommit { seenCommit = max(seenCommit, sequence) }
      last = max(last, sequence)
    }
  }

  let stream: NATSStream
  let state: Monitor<State>

  init(_ stream: NATSStream, _ connection: NATSConnection?, at sequence: UInt64) {
    self.stream = stream
    var state = State()
    state.connection = connection
    state.isConnected = connection != nil
    (state.seen, state.seenCommit, state.applied) = (sequence, sequence, sequence)
    self.state = Monitor(state)
  }

  deinit { state.change { $0.isStopped = true } }

  static var now: Double {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
  }

  // MARK: CommitReplicator

  /// How long a write waits for a connection that is being made again, in seconds.
  private static let patienceToBegin = 2.0

  func checkConnected() throws {
    if let refusal = state.read(\.refusal) { throw refusal }
    guard connection(within: Self.patienceToBegin) == nil else { return }
    throw notConnected
  }

  func append(_ commits: [[UInt8]], after position: StreamPosition) throws -> StreamPosition {
    let last = try state.read { state in
      if let refusal = state.refusal { throw refusal }
      guard state.seenCommit <= position.sequence else { throw HeraldError.raceLost }
      // Parts of commits that were not completed may have come since.
      return max(state.seen, position.sequence)
    }
    let identity = CommitFrame.newIdentity()
    var sequence = last
    let messages = CommitFrame.messages(commits)
    for (index, message) in messages.enumerated() {
      sequence = try append(message, "\(identity)-\(index)", after: sequence)
      let isLast = index == messages.count - 1
      state.change { $0.note(seen: sequence, isCommit: isLast) }
    }
    return StreamPosition(stream: position.stream, sequence: sequence)
  }

  /// Appends one message, over failures of servers.
  private func append(
    _ message: [UInt8], _ identity: String, after last: UInt64
  ) throws -> UInt64 {
    let end = Self.now + stream.patience
    var isSent = false
    var reason = "its servers cannot be reached"
    while Self.now < end {
      if let refusal = state.read(\.refusal) { throw refusal }
      guard let connection = connection(within: end - Self.now) else { break }
      do throws(NATSFailure) {
        return try connection.publish(message, to: stream.subject, identity: identity, last: last)
      } catch {
        reason = error.reason
        switch error.kind {
        case .wrongLast(let newest):
          // If an answer was lost, the other message may be this one.
          if isSent, try hasStored(identity, at: last + 1, until: end) { return last + 1 }
          if let newest, newest < last {
            // A new leader lags, or the stream has lost messages: the follower finds out.
            state.change { $0.mustCompare = true }
            reason = "it ends before the store's last commit"
            usleep(100_000)
            continue
          }
          state.change { $0.wanted = max(newest ?? last + 1, last + 1) }
          throw HeraldError.raceLost
        case .timeout, .unreachable:
          isSent = true
          // A new leader takes a moment.
          usleep(100_000)
        case .noStream, .noMessage, .tooFewServers, .other:
          throw HeraldError.replication(stream: stream.name, reason: error.reason)
        }
      }
    }
    guard isSent else { throw notConnected }
    throw HeraldError.notConfirmed(stream: stream.name, reason: reason)
  }

  /// Returns whether a message that exists has an identity. Errors: `notConfirmed` if it cannot be read in time; a block
  /// must not run again if its commit may have been accepted.
  private func hasStored(
    _ identity: String, at sequence: UInt64, until end: Double
  ) throws -> Bool {
    var reason = "its servers cannot be reached"
    repeat {
      guard let connection = connection(within: max(0, end - Self.now)) else { break }
      do throws(NATSFailure) {
        return try connection.message(sequence, of: stream.name).identity == identity
      } catch {
        reason = error.reason
        usleep(100_000)
      }
    } while Self.now < end
    throw HeraldError.notConfirmed(stream: stream.name, reason: reason)
  }

  func catchUp() throws {
    // Of writers that lost together, one should win next.
    usleep(UInt32.random(in: 0...2000))
    let wanted = state.read { max($0.wanted, $0.seenCommit) }
    let isReached = state.wait(stream.patience) {
      $0.applied >= wanted || $0.refusal != nil || $0.isStopped
    }
    if let refusal = state.read(\.refusal) { throw refusal }
    guard isReached else { throw notConnected }
  }

  /// Waits until the store has the commits up to a message, as long as some come within the stream's patience, or is
  /// known to have commits that the stream lacks. Errors: `replication` if they do not come.
  func catchUp(to last: UInt64) throws {
    _ = state.wait(stream.patience) { $0.isCompared || $0.failure != nil || $0.isStopped }
    if let failure = state.read(\.failure) { throw failure }
    var applied = state.change { state in
      if state.lost == nil { state.last = max(state.last, last) }
      return state.applied
    }
    while applied < last {
      if state.read({ $0.lost != nil }) { return }
      let isMoving = state.wait(stream.patience) {
        $0.applied > applied || $0.refusal != nil || $0.isStopped
      }
      let (failure, error, isStopped) = state.read { ($0.failure, $0.lastError, $0.isStopped) }
      if let failure { throw failure }
      if isStopped { throw HeraldError.closed }
      guard isMoving else {
        let reason = "message \(last) has not arrived in \(stream.patience) s, only \(applied)"
        throw HeraldError.replication(
          stream: stream.name, reason: reason + (error.map { ": " + $0 } ?? ""))
      }
      applied = state.read(\.applied)
    }
  }

  func status(at sequence: UInt64, version: Int) -> ReplicaStatus {
    var status = status(at: sequence)
    if status.lag > 0, status.isConnected, let connection = state.read(\.connection),
      let last = try? connection.lastSequence(of: stream.subject),
      case .commit(let newest)? = try? connection.entry(last, of: stream.name)
    {
      // More messages than have arrived, and of several commits each.
      status.lag = max(0, newest.version - version)
    }
    return status
  }

  /// The status as it is known here, with the lag in messages.
  private func status(at sequence: UInt64) -> ReplicaStatus {
    state.read { state in
      let isConnected =
        state.isConnected && state.connection?.isConnected ?? false
        && state.connection?.reconnects == state.reconnects
      let applied = max(state.applied, sequence)
      let lag = state.last > applied && state.lost == nil ? Int(state.last - applied) : 0
      let isCurrent = isConnected && lag == 0
      return ReplicaStatus(
        stream: stream.name, isConnected: isConnected, lag: lag,
        lagSeconds: isCurrent ? 0 : max(0, Self.now - state.currentAt),
        lastError: state.refusal?.message ?? state.lastError, ahead: state.ahead,
        warnings: state.warnings)
    }
  }

  // MARK: Connection

  private var notConnected: HeraldError {
    .notConnected(
      stream: stream.name,
      reason: state.read(\.lastError) ?? "its servers cannot be reached")
  }

  /// Waits for the connection and returns it; nil if there is none in time.
  private func connection(within seconds: Double) -> NATSConnection? {
    let end = Self.now + seconds
    while true {
      if let connection = state.read(\.connection), connection.isConnected { return connection }
      let rest = end - Self.now
      if rest <= 0 { return nil }
      // The library reconnects without a notification.
      _ = state.wait(min(0.05, rest)) { $0.isStopped }
    }
  }
}
