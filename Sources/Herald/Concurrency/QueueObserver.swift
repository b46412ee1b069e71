import Dispatch
import HeraldEngine
import HeraldModel

/// A session of a store on a queue, one for each store and queue.
///
/// `@unchecked Sendable`: everything in it is used on the queue alone.
private final class QueueCore: @unchecked Sendable {
  let core: StoreCore
  private var observers: [(flag: StopFlag, token: NotificationToken)] = []

  init(_ core: StoreCore) { self.core = core }

  func clean() { observers.removeAll { $0.flag.isSet } }

  func add(_ token: NotificationToken, _ flag: StopFlag) { observers.append((flag, token)) }
}

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
        guard let finder else {
          throw HeraldError.cannotObserve("what is in no store, or was deleted")
        }
        let session = try session(at: finder.address, on: queue)
        guard let found = try session.core.resolve(finder) else {
          throw HeraldError.objectDeleted("to be observed")
        }
        guard let token = register(found) else { return }
        session.add(token, flag)
        held.session = session
        try? session.core.session.deliverPending()
        session.core.deliverFailedObservers()
      } catch {
        onError(error)
      }
    }
    return NotificationToken {
      flag.set()
      queue.async {
        held.session?.clean()
        held.session = nil
      }
    }
  }

  /// Keeps the session of an observer. `@unchecked Sendable`: used on the queue alone.
  private final class HeldSession: @unchecked Sendable { var session: QueueCore? }

  private static func session(
    at address: StoreAddress, on queue: DispatchQueue
  ) throws -> QueueCore {
    let key = KnownSessions.Key(
      hub: ObjectIdentifier(address.hub), isReadOnly: address.isReadOnly,
      owner: .queue(SessionOwner.number(of: queue)))
    if let known = KnownSessions.shared[key] as? QueueCore { return known }
    let dynamic = try address.newSession(named: queue.label)
    let session = QueueCore(StoreCore(dynamic, .queue(queue)))
    KnownSessions.shared[key] = session
    return session
  }
}
