import Dispatch
import HeraldModel
import HeraldObservation
import HeraldStorage
import Synchronization

/// A write's commit that is complete, but not stored.
struct PreparedCommit {
  let record: CommitRecord
  let time: Timestamp
  let writer: CommitWriter
  /// What the log says about it.
  let message: String?
  let reversal: CommitInfo.Reversal?
  /// The position in the stream that the store follows; nil if it follows none.
  var position: StreamPosition?
  /// The commit as it is sent to other copies; nil until its changes are in their records, and without a stream.
  var content: [UInt8]?

  var info: CommitInfo { CommitInfo(time, by: writer, message: message, reversal: reversal) }
}

/// Commits of several sessions of this process that one sync makes durable.
///
/// The session whose write is first leads the group: it makes its version, but does not commit it, and passes the writer
/// lock on. Writes that wait for the lock join, one after the other, each with a version over the one before; each ends
/// by passing the lock on, too, and waits. When nobody else is expected, the leader commits all of them. Of a store that
/// follows a stream, it first appends them, in one publication.
final class CommitGroup: Sendable {
  /// What becomes of the writer lock when a group is closed.
  enum Ending {
    /// The leader has it, and leaves it.
    case leaderHoldsLock
    /// Another write has it and begins anew. Other processes may write first.
    case othersHoldLock
    /// A write that has joined has it and continues in a transaction of its own: no other process may write first.
    case memberContinues
  }

  private struct State {
    var commits: [PreparedCommit]
    var ending: Ending?
    /// The number of threads that wait for the end.
    var waiting = 0
    var hasEnded = false
    var failure: (any Error)?
  }

  let shared: SharedWrite
  unowned let hub: StoreHub
  /// The version before the first commit.
  let base: Int
  private let state: Mutex<State>
  private let closed = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)

  init(_ shared: SharedWrite, _ commit: PreparedCommit, _ hub: StoreHub) {
    self.shared = shared
    self.hub = hub
    base = commit.record.firstVersion - 1
    state = Mutex(State(commits: [commit]))
  }

  /// The number of commits.
  var count: Int { state.withLock { $0.commits.count } }

  var commits: [PreparedCommit] { state.withLock { $0.commits } }

  func add(_ commit: PreparedCommit) { state.withLock { $0.commits.append(commit) } }

  /// Closes the group, by whoever has the writer lock; nobody can join it any more.
  func close(_ ending: Ending) {
    state.withLock { $0.ending = ending }
    closed.signal()
  }

  /// Waits until the group is closed; returns nil if it is not by then.
  func awaitClosing(until time: DispatchTime) -> Ending? {
    guard closed.wait(timeout: time) == .success else { return nil }
    return state.withLock { $0.ending }
  }

  /// Notifies everybody of the outcome: of the error after which no version of the group is there, if any.
  func end(_ failure: (any Error)? = nil) {
    let waiting = state.withLock { state in
      state.hasEnded = true
      state.failure = failure
      return state.waiting
    }
    for _ in 0..<waiting { ended.signal() }
  }

  /// Waits until the group was committed. Errors: that of the commit, after which no version of it is there.
  func awaitEnd() throws {
    let hasEnded = state.withLock { state in
      if !state.hasEnded { state.waiting += 1 }
      return state.hasEnded
    }
    if !hasEnded { ended.wait() }
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }
}
