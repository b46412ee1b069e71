public import Dispatch
import HeraldModel

extension ProjectionElement {
  /// Observes the projection on an actor, with objects of the actor's own session. `keyPaths` and what goes wrong as in
  /// `observe`.
  public func observe<Owner: Actor>(
    keyPaths: [String]? = nil, on owner: Owner,
    _ block: @escaping @Sendable (isolated Owner, ObjectChange<Self>) -> Void
  ) async -> NotificationToken {
    await ActorObserver.register(observedFinder, on: owner) { found, call in
      (found as? Self)?.observe(keyPaths: keyPaths) { change in
        let argument = OwnArgument(change)
        call { block($0, argument.value) }
      }
    } onError: {
      block($0, .error($1))
    }
  }

  /// Observes the projection on a queue, with objects of the queue's own session.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue,
    _ block: @escaping @Sendable (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    QueueObserver.register(observedFinder, on: queue) { found in
      (found as? Self)?.observe(keyPaths: keyPaths, block)
    } onError: {
      block(.error($0))
    }
  }

  /// Returns the changes of the projection. `keyPaths` and what goes wrong as in `observe`.
  public func changes(keyPaths: [String]? = nil) -> ObservedSequence<ObjectChange<Self>> {
    ObservedSequence(isFrozen ? nil : _finder) { found, note in
      (found as? Self)?.observe(keyPaths: keyPaths, note)
    } failed: {
      .error($0)
    }
  }
}
