import HeraldEngine

// Observers on an actor (observation 9.1). Their blocks are called on the actor, with objects of the
// actor's own session, after commits of any session or process.

extension DynamicResults {
  /// Observes the rows on an actor.
  ///
  ///     let token = try await dogs.observe(on: screen) { screen, dogs, change in
  ///       screen.show(dogs, change)
  ///     }
  ///
  /// `initial` reports the state at registration, and is delivered before this returns. Errors: those of
  /// `observe`; `objectDeleted` if what is observed was deleted.
  package func observe<Owner: Actor>(
    on owner: Owner, keyPaths: [String]? = nil, depth: Int? = nil,
    _ block: @escaping @Sendable (isolated Owner, DynamicResults, DynamicCollectionChange) -> Void
  ) async throws -> ActorToken {
    try await register(on: owner, block) { try $0.observe(keyPaths: keyPaths, depth: depth, $1) }
  }
}

extension LiveCollection {
  /// Observes the elements on an actor, as `DynamicResults.observe(on:)` does.
  package func observe<Owner: Actor>(
    on owner: Owner, keyPaths: [String]? = nil, depth: Int? = nil,
    _ block: @escaping @Sendable (isolated Owner, LiveCollection, DynamicCollectionChange) -> Void
  ) async throws -> ActorToken {
    try await register(on: owner, block) { try $0.observe(keyPaths: keyPaths, depth: depth, $1) }
  }
}

extension DynamicStore {
  /// Observes every commit on an actor; the block receives the actor's session. Several commits may be
  /// combined into one call. Errors: those of `observe`.
  package func observe<Owner: Actor>(
    on owner: Owner,
    _ block: @escaping @Sendable (isolated Owner, DynamicStore, StoreChange) -> Void
  ) async throws -> ActorToken {
    try await register(on: owner, block) { try $0.observeItself($1) }
  }
}

extension DynamicProjection {
  /// Observes the fields of the projection on an actor. The block is first called after a change. Errors:
  /// those of `observe`.
  package func observe<Owner: Actor>(
    on owner: Owner, keyPaths: [String]? = nil,
    _ block: @escaping @Sendable (isolated Owner, DynamicProjection, DynamicObjectChange) -> Void
  ) async throws -> ActorToken {
    try await register(on: owner, block) { try $0.observe(keyPaths: keyPaths, $1) }
  }
}

extension ObjectHandle {
  /// Observes one property on an actor. The block is called once for each advance of the actor's session,
  /// with the value before and the value after. Errors: those of `observeProperty`.
  package func observeProperty<Owner: Actor>(
    _ name: String, on owner: Owner,
    _ block: @escaping @Sendable (isolated Owner, ObjectHandle, PropertyEvent) -> Void
  ) async throws -> ActorToken {
    try await register(on: owner, block) { try $0.observeProperty(name, $1) }
  }

  /// Observes the deletion of the object on an actor. Errors: those of `observe`.
  package func observeInvalidation<Owner: Actor>(
    on owner: Owner,
    _ block: @escaping @Sendable (isolated Owner, ObjectHandle, PropertyEvent) -> Void
  ) async throws -> ActorToken {
    try await register(on: owner, block) { try $0.observeInvalidation($1) }
  }
}

extension LiveCollection {
  /// Observes the deletion of the object that owns the collection on an actor. Errors: those of
  /// `observe`.
  package func observeInvalidation<Owner: Actor>(
    on owner: Owner,
    _ block: @escaping @Sendable (isolated Owner, ObjectHandle, PropertyEvent) -> Void
  ) async throws -> ActorToken {
    try await self.owner.observeInvalidation(on: owner, block)
  }
}

extension ObjectHandle {
  /// Observes the object on an actor. The block is first called after a change. Errors: those of
  /// `observe`.
  package func observe<Owner: Actor>(
    on owner: Owner, keyPaths: [String]? = nil, isExclusive: Bool = false,
    _ block: @escaping @Sendable (isolated Owner, ObjectHandle, DynamicObjectChange) -> Void
  ) async throws -> ActorToken {
    try await register(on: owner, block) {
      try $0.observe(keyPaths: keyPaths, isExclusive: isExclusive, $1)
    }
  }
}

extension DynamicThreadConfined {
  fileprivate func register<Owner: Actor, Change>(
    on owner: Owner, _ block: @escaping @Sendable (isolated Owner, Self, Change) -> Void,
    _ register: @Sendable (Self, @escaping (Self, Change) -> Void) throws -> ObservationToken
  ) async throws -> ActorToken {
    let reference = DynamicThreadSafeReference(to: self)
    return try await ActorObserver.register(reference, on: owner, block, register)
  }
}
