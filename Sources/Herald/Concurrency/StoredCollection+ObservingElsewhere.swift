public import Dispatch
import HeraldEngine
import HeraldModel

extension StoredCollection {
  /// Observes the collection on an actor: the block is called there, with objects of the actor's own session.
  ///
  ///     let token = await dogs.observe(on: screen) { screen, change in screen.show(change) }
  ///
  /// `initial` reports the state at registration, and is delivered before this returns. `keyPaths` and what goes wrong
  /// as in `observe`.
  public func observe<Owner: Actor>(
    keyPaths: [String]? = nil, on owner: Owner,
    _ block: @escaping @Sendable (isolated Owner, CollectionChange<Self>) -> Void
  ) async -> NotificationToken {
    await ActorObserver.register(self, on: owner, block) { $0.observe(keyPaths: keyPaths, $1) }
  }

  /// Observes the collection on an actor; `keyPaths` are properties of its elements.
  public func observe<Owner: Actor>(
    keyPaths: [PartialKeyPath<Element>], on owner: Owner,
    _ block: @escaping @Sendable (isolated Owner, CollectionChange<Self>) -> Void
  ) async -> NotificationToken where Element: ObjectBase {
    switch Result(catching: { try Element.names(of: keyPaths) }) {
    case .success(let names): await observe(keyPaths: names, on: owner, block)
    case .failure(let error): await ActorObserver.failed(error, on: owner, block)
    }
  }

  /// Observes the collection on a queue: the block is called there, with objects of the queue's own session.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue,
    _ block: @escaping @Sendable (CollectionChange<Self>) -> Void
  ) -> NotificationToken {
    QueueObserver.register(self, on: queue, block) { $0.observe(keyPaths: keyPaths, $1) }
  }

  /// Observes the collection on a queue; `keyPaths` are properties of its elements.
  public func observe(
    keyPaths: [PartialKeyPath<Element>], on queue: DispatchQueue,
    _ block: @escaping @Sendable (CollectionChange<Self>) -> Void
  ) -> NotificationToken where Element: ObjectBase {
    switch Result(catching: { try Element.names(of: keyPaths) }) {
    case .success(let names): observe(keyPaths: names, on: queue, block)
    case .failure(let error): QueueObserver.failed(error, on: queue, block)
    }
  }
}

extension Map {
  /// Observes the map on an actor, as `StoredCollection.observe(keyPaths:on:)` does.
  public func observe<Owner: Actor>(
    keyPaths: [String]? = nil, on owner: Owner,
    _ block: @escaping @Sendable (isolated Owner, MapChange<Key, Value>) -> Void
  ) async -> NotificationToken {
    await ActorObserver.register(self, on: owner, block) { $0.observe(keyPaths: keyPaths, $1) }
  }

  /// Observes the map on a queue, as `StoredCollection.observe(keyPaths:on:)` does.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue,
    _ block: @escaping @Sendable (MapChange<Key, Value>) -> Void
  ) -> NotificationToken {
    QueueObserver.register(self, on: queue, block) { $0.observe(keyPaths: keyPaths, $1) }
  }
}
