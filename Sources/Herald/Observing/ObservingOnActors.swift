import HeraldEngine

// Observers that live on an actor (observation 9.1). Each is called there, through the session that
// the actor has of the store, with objects of that session; commits of any session or process wake it.

extension Results {
  /// Observes the rows on an actor.
  ///
  ///     let token = try await dogs.observe(on: screen) { screen, dogs, change in
  ///       screen.show(dogs, change)
  ///     }
  ///
  /// `initial` is the state when the observer was registered, and has been told when this returns.
  /// Errors: those of `observe`; what is observed was deleted.
  public func observe<Owner: Actor>(
    on owner: Owner, keyPaths: [String]? = nil, depth: Int? = nil,
    _ block: @escaping @Sendable (isolated Owner, Results, CollectionChange) -> Void
  ) async throws -> ActorToken {
    try await register(
      ThreadSafeReference(to: self), on: owner,
      { try $0.observe(keyPaths: keyPaths, depth: depth, $1) }, block)
  }
}

extension LiveCollection {
  /// Observes the elements on an actor, as `Results.observe(on:)` does.
  public func observe<Owner: Actor>(
    on owner: Owner, keyPaths: [String]? = nil, depth: Int? = nil,
    _ block: @escaping @Sendable (isolated Owner, LiveCollection, CollectionChange) -> Void
  ) async throws -> ActorToken {
    try await register(
      ThreadSafeReference(to: self), on: owner,
      { try $0.observe(keyPaths: keyPaths, depth: depth, $1) }, block)
  }
}

extension NestedCollection {
  /// Observes the elements on an actor, as `Results.observe(on:)` does.
  public func observe<Owner: Actor>(
    on owner: Owner, keyPaths: [String]? = nil, depth: Int? = nil,
    _ block: @escaping @Sendable (isolated Owner, NestedCollection, CollectionChange) -> Void
  ) async throws -> ActorToken {
    try await register(
      ThreadSafeReference(to: self), on: owner,
      { try $0.observe(keyPaths: keyPaths, depth: depth, $1) }, block)
  }
}

extension Store {
  /// Observes every commit on an actor; the block is handed the actor's session. Commits that the
  /// actor does not get round to one by one are one call.
  public func observe<Owner: Actor>(
    on owner: Owner, _ block: @escaping @Sendable (isolated Owner, Store, StoreChange) -> Void
  ) async throws -> ActorToken {
    try await register(
      ThreadSafeReference(to: self), on: owner, { try $0.observeItself($1) }, block)
  }
}

extension Projection {
  /// Observes what the projection shows on an actor; it is first called when that has changed.
  public func observe<Owner: Actor>(
    on owner: Owner, keyPaths: [String]? = nil,
    _ block: @escaping @Sendable (isolated Owner, Projection, ObjectChange) -> Void
  ) async throws -> ActorToken {
    try await register(
      ThreadSafeReference(to: self), on: owner, { try $0.observe(keyPaths: keyPaths, $1) }, block)
  }
}

extension Object {
  /// Observes one property on an actor: told of others' commits, once for each advance of the actor's
  /// session, from the value before to the one after.
  public func observeProperty<Owner: Actor>(
    _ name: String, on owner: Owner,
    _ block: @escaping @Sendable (isolated Owner, Object, PropertyEvent) -> Void
  ) async throws -> ActorToken {
    try await register(
      ThreadSafeReference(to: self), on: owner, { try $0.observeProperty(name, $1) }, block)
  }

  /// Observes the end of the object on an actor.
  public func observeInvalidation<Owner: Actor>(
    on owner: Owner, _ block: @escaping @Sendable (isolated Owner, Object, PropertyEvent) -> Void
  ) async throws -> ActorToken {
    try await register(
      ThreadSafeReference(to: self), on: owner, { try $0.observeInvalidation($1) }, block)
  }
}

extension LiveCollection {
  /// Observes the end of the object that holds the collection on an actor.
  public func observeInvalidation<Owner: Actor>(
    on owner: Owner, _ block: @escaping @Sendable (isolated Owner, Object, PropertyEvent) -> Void
  ) async throws -> ActorToken {
    try await self.owner.observeInvalidation(on: owner, block)
  }
}

extension Object {
  /// Observes the object on an actor; it is first called when the object has changed.
  public func observe<Owner: Actor>(
    on owner: Owner, keyPaths: [String]? = nil, isExclusive: Bool = false,
    _ block: @escaping @Sendable (isolated Owner, Object, ObjectChange) -> Void
  ) async throws -> ActorToken {
    try await register(
      ThreadSafeReference(to: self), on: owner,
      { try $0.observe(keyPaths: keyPaths, isExclusive: isExclusive, $1) }, block)
  }
}

private func register<Owner: Actor, Thing: ThreadConfined, Change>(
  _ reference: ThreadSafeReference<Thing>, on owner: isolated Owner,
  _ register: @Sendable (Thing, @escaping (Thing, Change) -> Void) throws -> ObservationToken,
  _ block: @escaping @Sendable (isolated Owner, Thing, Change) -> Void
) throws -> ActorToken {
  let session = try ActorSession<Owner>.session(at: reference.address, on: owner)
  return try session.observe(reference, on: owner, register, block)
}
