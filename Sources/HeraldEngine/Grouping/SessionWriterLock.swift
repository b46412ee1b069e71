import Dispatch
import HeraldStorage
import Synchronization

/// The lock that one session of a store holds while it writes.
///
/// A group of commits may be open while nobody holds it: who takes the lock joins the group, or has it committed first.
package final class SessionWriterLock: Sendable {
  private struct Grouping {
    /// The group that a write can join. Changed by the holder of the lock alone.
    var open: CommitGroup?
    /// The number of sessions that wait to join a group.
    var waiting = 0
    /// The number of commits in the last group.
    var expected = 1
    /// When the open group is to be closed even if others wait.
    var deadline = DispatchTime.now()
    /// How long a leader waits for those that were in the last group, in nanoseconds.
    var patience = 100_000
  }

  private let semaphore = DispatchSemaphore(value: 1)
  /// Advisory only: the semaphore decides.
  private let isTaken = Atomic(false)
  private let grouping = Mutex(Grouping())

  /// Whether commits of other machines are being applied, which takes a moment.
  private let isFollowing = Atomic(false)

  /// The largest number of commits in a group.
  private static let largestGroup = 64
  private static let allowedPatience = 20_000...200_000
  /// The longest time for which a group is open, apart from its last write, in nanoseconds; for tests.
  let longestOpening = Atomic(2_000_000)

  /// Takes the lock for commits of other machines.
  func takeToFollow() {
    semaphore.wait()
    endGroup()
    isFollowing.store(true, ordering: .relaxed)
  }

  func leaveAfterFollowing() {
    isFollowing.store(false, ordering: .relaxed)
    semaphore.signal()
  }

  /// Takes the lock; returns false if another session has it and `waiting` is false.
  package func take(waiting: Bool) -> Bool {
    if waiting || isFollowing.load(ordering: .relaxed) {
      semaphore.wait()
    } else if semaphore.wait(timeout: .now()) != .success {
      return false
    }
    isTaken.store(true, ordering: .relaxed)
    endGroup()
    return true
  }

  /// Whether the lock was free a moment ago. Never takes it.
  var isFree: Bool { !isTaken.load(ordering: .relaxed) }

  package func leave() {
    isTaken.store(false, ordering: .relaxed)
    semaphore.signal()
  }
}

// MARK: Groups of commits

extension SessionWriterLock {
  /// Takes the lock for a write that can join a group; returns the open one.
  func takeToJoin() -> CommitGroup? {
    grouping.withLock { $0.waiting += 1 }
    semaphore.wait()
    isTaken.store(true, ordering: .relaxed)
    return grouping.withLock { grouping in
      grouping.waiting -= 1
      return grouping.open
    }
  }

  /// The number of sessions that wait for the lock to join a group.
  var waitingToJoin: Int { grouping.withLock { $0.waiting } }

  /// Whether others wait to join a group, or may soon.
  var expectsOthers: Bool { grouping.withLock { $0.waiting > 0 || $0.expected > 1 } }

  /// Has the open group committed. The caller has the lock, and keeps it.
  private func endGroup() {
    let open = grouping.withLock { $0.open }
    guard let open else { return }
    // Whoever is in the group throws the error.
    try? end(open, .othersHoldLock)
  }

  /// Has a group committed. The caller has the lock, and keeps it.
  func end(_ group: CommitGroup, _ ending: CommitGroup.Ending) throws {
    close(group, ending)
    try group.awaitEnd()
  }

  private func close(_ group: CommitGroup, _ ending: CommitGroup.Ending) {
    grouping.withLock { grouping in
      grouping.open = nil
      grouping.expected = group.count
    }
    group.close(ending)
  }

  /// Passes the lock on from a write that was committed into a group, or was rolled back; or closes the group and gives
  /// the lock to its leader, if nobody else is expected.
  func pass(_ group: CommitGroup) {
    let count = group.count
    let isComplete = grouping.withLock { grouping in
      count >= Self.largestGroup || grouping.deadline < .now()
        || (grouping.waiting == 0 && count >= grouping.expected)
    }
    if isComplete {
      close(group, .leaderHoldsLock)
    } else {
      leave()
    }
  }

  /// Opens a group, passes the lock on and waits until the group is closed.
  func lead(_ group: CommitGroup) -> CommitGroup.Ending {
    let patience = grouping.withLock { grouping in
      grouping.open = group
      grouping.deadline = .now() + .nanoseconds(longestOpening.load(ordering: .relaxed))
      return grouping.patience
    }
    leave()
    while true {
      if let ending = group.awaitClosing(until: .now() + .nanoseconds(patience)) { return ending }
      // Who waits to join will take the lock.
      if grouping.withLock({ $0.waiting > 0 && .now() < $0.deadline }) { continue }
      // Nobody holds the lock: those who were expected do not come.
      guard semaphore.wait(timeout: .now()) == .success else { continue }
      isTaken.store(true, ordering: .relaxed)
      close(group, .leaderHoldsLock)
    }
  }

  /// Notes how long the commit of a group took.
  func noteCommit(nanoseconds: Int) {
    let allowed = Self.allowedPatience
    grouping.withLock {
      $0.patience = min(max(nanoseconds / 2, allowed.lowerBound), allowed.upperBound)
    }
  }
}
