public import Dispatch
import HeraldEngine
import HeraldModel

extension ResultElement {
  /// Observes an object: its own properties, and its deletion; or the fields of a projection, and the deletion of its
  /// object. There is no initial call.
  ///
  ///     token = dog.observe { change in
  ///       guard case .change(let dog, let properties) = change else { return }
  ///       for property in properties { print(property.name, property.newValue ?? "nil") }
  ///     }
  ///
  /// A projection's change has its names, in its order, however it was made; a field whose value is equal before and
  /// after is left out.
  ///
  /// - Parameters:
  ///   - keyPaths: The properties that are observed, by name and over links, or the names of a projection's fields: nil
  ///     for all own ones, empty for the deletion alone. Observers with key paths on one object also receive the
  ///     matches of each other.
  ///   - block: Called with each change, on the store's thread, queue or actor.
  ///
  /// An error, such as an unknown key path, a frozen or an unmanaged object, reaches the block as `error`.
  public func observe(
    keyPaths: [String]? = nil, _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    .observing(_core, block) { try _register(keyPaths, block) }
  }

  /// Observes properties of the object or fields of the projection, and the deletion.
  public func observe(
    keyPaths: [PartialKeyPath<Self>], _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    do {
      return observe(keyPaths: try Self.names(of: keyPaths), block)
    } catch {
      guard let core = _core else { return observe(block) }
      return .failed(error, core, block)
    }
  }

  /// Observes the object or the projection on an actor, with objects of the actor's own session. The block is first called
  /// after a change. `keyPaths` and what goes wrong as in `observe`.
  public func observe<Owner: Actor>(
    keyPaths: [String]? = nil, on owner: Owner,
    _ block: @escaping @Sendable (isolated Owner, ObjectChange<Self>) -> Void
  ) async -> NotificationToken {
    await ActorObserver.register(self, on: owner, block) { $0.observe(keyPaths: keyPaths, $1) }
  }

  /// Observes properties of the object, or fields of the projection, on an actor.
  public func observe<Owner: Actor>(
    keyPaths: [PartialKeyPath<Self>], on owner: Owner,
    _ block: @escaping @Sendable (isolated Owner, ObjectChange<Self>) -> Void
  ) async -> NotificationToken {
    switch Result(catching: { try Self.names(of: keyPaths) }) {
    case .success(let names): await observe(keyPaths: names, on: owner, block)
    case .failure(let error): await ActorObserver.failed(error, on: owner, block)
    }
  }

  /// Observes the object or the projection on a queue, with objects of the queue's own session.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue,
    _ block: @escaping @Sendable (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    QueueObserver.register(self, on: queue, block) { $0.observe(keyPaths: keyPaths, $1) }
  }

  /// Observes properties of the object, or fields of the projection, on a queue.
  public func observe(
    keyPaths: [PartialKeyPath<Self>], on queue: DispatchQueue,
    _ block: @escaping @Sendable (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    switch Result(catching: { try Self.names(of: keyPaths) }) {
    case .success(let names): observe(keyPaths: names, on: queue, block)
    case .failure(let error): QueueObserver.failed(error, on: queue, block)
    }
  }

  /// Returns the changes of the object or the projection. `keyPaths` and what goes wrong as in `observe`.
  public func changes(keyPaths: [String]? = nil) -> ObservedSequence<ObjectChange<Self>> {
    ObservedSequence(of: self) { $0.observe(keyPaths: keyPaths, $1) }
  }

  /// Returns the changes of properties of the object, or fields of the projection. A path to something else stops the
  /// program.
  public func changes(
    keyPaths: [PartialKeyPath<Self>]
  ) -> ObservedSequence<ObjectChange<Self>> {
    changes(keyPaths: keyPaths.map { requiredName(of: $0) })
  }
}
