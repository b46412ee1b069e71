import Dispatch

/// Observers that are called on a queue.
enum QueueObserver {
  /// Registers an observer on a queue, at the queue's next turn.
  static func register<Observed: Freezable, Change: FailableChange>(
    _ observed: Observed, on queue: DispatchQueue, _ block: @escaping @Sendable (Change) -> Void,
    _ register: @escaping @Sendable (Observed, @escaping (Change) -> Void) -> NotificationToken
  ) -> NotificationToken {
    let finder = observed.observedFinder
    let flag = StopFlag()
    let held = HeldSession()
    queue.async {
      if flag.isSet { return }
      do {
        let (session, finder) = try ObserverSession.session(
          for: finder, of: .of(queue), { .queue(queue) }, named: queue.label)
        let isObserved = try session.observe(finder, until: flag) { register($0, block) }
        if isObserved { held.session = session }
      } catch {
        block(.error(error))
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
  static func failed<Change: FailableChange>(
    _ error: any Error, on queue: DispatchQueue, _ block: @escaping @Sendable (Change) -> Void
  ) -> NotificationToken {
    let flag = StopFlag()
    queue.async { if !flag.isSet { block(.error(error)) } }
    return NotificationToken(isElsewhere: true) { flag.set() }
  }

  /// Keeps the session of an observer. `@unchecked Sendable`: used on the queue alone.
  private final class HeldSession: @unchecked Sendable { var session: ObserverSession? }
}
