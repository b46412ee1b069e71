import Dispatch
import Synchronization

/// The place that one session of a store has while it writes.
final class WriterPlace: Sendable {
  private let semaphore = DispatchSemaphore(value: 1)
  /// To look at, not to act on.
  private let isTaken = Atomic(false)

  /// Waits for the place; false where it is taken and `waiting` is false.
  func take(waiting: Bool) -> Bool {
    if waiting {
      semaphore.wait()
    } else if semaphore.wait(timeout: .now()) != .success {
      return false
    }
    isTaken.store(true, ordering: .relaxed)
    return true
  }

  /// Whether nobody had the place a moment ago. Does not take it, not even for that moment.
  var isFree: Bool { !isTaken.load(ordering: .relaxed) }

  func leave() {
    isTaken.store(false, ordering: .relaxed)
    semaphore.signal()
  }
}
