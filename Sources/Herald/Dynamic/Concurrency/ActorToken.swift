import Synchronization

/// A flag that any thread can set and none can clear.
final class StopFlag: Sendable {
  private let isStopped = Atomic(false)

  var isSet: Bool { isStopped.load(ordering: .acquiring) }

  func set() { isStopped.store(true, ordering: .releasing) }
}

/// Keeps an observer on an actor alive, which ends when `invalidate` is called, from any thread, or the
/// token is released.
package final class ActorToken: Sendable {
  private let flag: StopFlag
  private let release: @Sendable () -> Void

  /// - Parameter release: Holds the session, and releases the observer.
  init(_ flag: StopFlag, _ release: @escaping @Sendable () -> Void) {
    self.flag = flag
    self.release = release
  }

  deinit { invalidate() }

  /// Ends the observer, from any thread: no further call begins, but one in progress is not waited for.
  /// Has no effect on an observer that has ended.
  package func invalidate() {
    guard !flag.isSet else { return }
    flag.set()
    release()
  }
}
