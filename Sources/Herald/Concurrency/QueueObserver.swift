import Dispatch

/// Observers that are called on a queue.
enum QueueObserver {
  /// Registers an observer on a queue, at the queue's next turn.
  static func register(
    _ finder: ConfinedFinder?, on queue: DispatchQueue,
    _ register: @escaping @Sendable (_ found: Any) -> NotificationToken?,
    onError: @escaping @Sendable (any Error) -> Void
  ) -> NotificationToken {
    let flag = StopFlag()
    let held = HeldSession()
    queue.async {
      if flag.isSet { return }
      do {
        let (session, finder) = try ObserverSession.session(
          for: finder, of: .of(queue), { .queue(queue) }, named: queue.label)
        if try session.observe(finder, until: flag, register) { held.session = session }
      } catch {
        onError(error)
      }
    }
    return NotificationToken(isElsewhere: true) {
      flag.set()
      queue.async {
        held.session?.releaseStopped()
        held.session = nil
      }
    }
  }

  /// Reports to an observer on a queue why it could not be registered.
  static func reportFailure(_ queue: DispatchQueue, _ call: @escaping @Sendable () -> Void)
    -> NotificationToken
  {
    let flag = StopFlag()
    queue.async { if !flag.isSet { call() } }
    return NotificationToken(isElsewhere: true) { flag.set() }
  }

  /// Keeps the session of an observer. `@unchecked Sendable`: used on the queue alone.
  private final class HeldSession: @unchecked Sendable { var session: ObserverSession? }
}
