import Dispatch
import Synchronization

/// The lock that one session of a store holds while it writes.
final class SessionWriterLock: Sendable {
  private let semaphore = DispatchSemaphore(value: 1)
  /// Advisory only: the semaphore decides.
  private let isTaken = Atomic(false)

  /// Whether commits of other machines are being applied, which takes a moment.
  private let isFollowing = Atomic(false)

  /// Takes the lock for commits of other machines.
  func takeToFollow() {
    semaphore.wait()
    isFollowing.store(true, ordering: .relaxed)
  }

  func leaveAfterFollowing() {
    isFollowing.store(false, ordering: .relaxed)
    semaphore.signal()
  }

  /// Takes the lock; returns false if another session has it and `waiting` is false.
  func take(waiting: Bool) -> Bool {
    if waiting || isFollowing.load(ordering: .relaxed) {
      semaphore.wait()
    } else if semaphore.wait(timeout: .now()) != .success {
      return false
    }
    isTaken.store(true, ordering: .relaxed)
    return true
  }

  /// Whether the lock was free a moment ago. Never takes it.
  var isFree: Bool { !isTaken.load(ordering: .relaxed) }

  func leave() {
    isTaken.store(false, ordering: .relaxed)
    semaphore.signal()
  }
}
