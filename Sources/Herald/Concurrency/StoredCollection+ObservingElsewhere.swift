public import Dispatch
import HeraldEngine
import HeraldModel
import HeraldObservation

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
    await ActorObserver.register(observedFinder, on: owner) { found, call in
      (found as? Self)?.observe(keyPaths: keyPaths) { change in
        let argument = OwnArgument(change)
        call { block($0, argument.value) }
      }
    } onError: {
      block($0, .error($1))
    }
  }

  /// Observes the collection on an actor; `keyPaths` are properties of its elements.
  public func observe<Owner: Actor>(
    keyPaths: [PartialKeyPath<Element>], on owner: Owner,
    _ block: @escaping @Sendable (isolated Owner, CollectionChange<Self>) -> Void
  ) async -> NotificationToken where Element: ObjectBase {
    switch Result(catching: { try Element.names(of: keyPaths) }) {
    case .success(let names): return await observe(keyPaths: names, on: owner, block)
    case .failure(let error):
      await ActorObserver.reportFailure(owner, error) { block($0, .error($1)) }
      return NotificationToken {}
    }
  }

  /// Observes the collection on a queue: the block is called there, with objects of the queue's own session.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue,
    _ block: @escaping @Sendable (CollectionChange<Self>) -> Void
  ) -> NotificationToken {
    QueueObserver.register(observedFinder, on: queue) { found in
      (found as? Self)?.observe(keyPaths: keyPaths, block)
    } onError: {
      block(.error($0))
    }
  }
}

extension StoredCollection where Element: ObjectBase {
  /// Observes the collection on a queue; `keyPaths` are properties of its elements.
  public func observe(
    keyPaths: [PartialKeyPath<Element>], on queue: DispatchQueue,
    _ block: @escaping @Sendable (CollectionChange<Self>) -> Void
  ) -> NotificationToken {
    switch Result(catching: { try Element.names(of: keyPaths) }) {
    case .success(let names): return observe(keyPaths: names, on: queue, block)
    case .failure(let error): return QueueObserver.reportFailure(queue) { block(.error(error)) }
    }
  }
}

extension ObservableObjectBase {
  /// Observes properties of the object on a queue.
  public func observe(
    keyPaths: [PartialKeyPath<Self>], on queue: DispatchQueue,
    _ block: @escaping @Sendable (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    switch Result(catching: { try Self.names(of: keyPaths) }) {
    case .success(let names): return observe(keyPaths: names, on: queue, block)
    case .failure(let error): return QueueObserver.reportFailure(queue) { block(.error(error)) }
    }
  }

  /// Observes the object on an actor, with objects of the actor's own session. The block is first called after a change.
  /// `keyPaths` and what goes wrong as in `observe`.
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

  /// Observes properties of the object on an actor.
  public func observe<Owner: Actor>(
    keyPaths: [PartialKeyPath<Self>], on owner: Owner,
    _ block: @escaping @Sendable (isolated Owner, ObjectChange<Self>) -> Void
  ) async -> NotificationToken {
    switch Result(catching: { try Self.names(of: keyPaths) }) {
    case .success(let names): return await observe(keyPaths: names, on: owner, block)
    case .failure(let error):
      await ActorObserver.reportFailure(owner, error) { block($0, .error($1)) }
      return NotificationToken {}
    }
  }

  /// Observes the object on a queue, with objects of the queue's own session.
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
}

extension Map {
  /// Observes the map on an actor, as `StoredCollection.observe(keyPaths:on:)` does.
  public func observe<Owner: Actor>(
    keyPaths: [String]? = nil, on owner: Owner,
    _ block: @escaping @Sendable (isolated Owner, MapChange<Key, Value>) -> Void
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

  /// Observes the map on a queue, as `StoredCollection.observe(keyPaths:on:)` does.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue,
    _ block: @escaping @Sendable (MapChange<Key, Value>) -> Void
  ) -> NotificationToken {
    QueueObserver.register(observedFinder, on: queue) { found in
      (found as? Self)?.observe(keyPaths: keyPaths, block)
    } onError: {
      block(.error($0))
    }
  }
}
