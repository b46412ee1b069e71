/// Observers that are called on an actor.
enum ActorObserver {
  /// Registers an observer on an actor, and calls it for the first time.
  ///
  /// - Parameter register: Observes the same in the actor's session, on the actor.
  static func register<Observed: Freezable, Owner: Actor, Change: FailableChange>(
    _ observed: Observed, on owner: Owner,
    _ block: @escaping @Sendable (isolated Owner, Change) -> Void,
    _ register: @Sendable (Observed, @escaping (Change) -> Void) -> NotificationToken
  ) async -> NotificationToken {
    let flag = StopFlag()
    let release = await begin(observed.observedFinder, on: owner, flag, block, register)
    return NotificationToken(isElsewhere: true) {
      flag.set()
      release?()
    }
  }

  /// Returns a function that releases the observer; nil where there is none.
  private static func begin<Observed, Owner: Actor, Change: FailableChange>(
    _ finder: ConfinedFinder?, on owner: isolated Owner, _ flag: StopFlag,
    _ block: @escaping @Sendable (isolated Owner, Change) -> Void,
    _ register: @Sendable (Observed, @escaping (Change) -> Void) -> NotificationToken
  ) -> (@Sendable () -> Void)? {
    do {
      let (session, finder) = try ObserverSession.session(
        for: finder, of: .of(owner), { .actor(owner) }, named: "\(Owner.self)")
      let isObserved = try session.observe(finder, until: flag) { (found: Observed) in
        register(found) { [weak owner] change in
          guard !flag.isSet, let owner else { return }
          let argument = OwnArgument(value: change)
          owner.assumeIsolated { block($0, argument.value) }
        }
      }
      guard isObserved else { return nil }
      return { [weak owner] in
        guard let owner else { return }
        Task { await releaseStopped(session, on: owner) }
      }
    } catch {
      block(owner, .error(error))
      return nil
    }
  }

  /// Reports to an observer on an actor why it could not be registered.
  static func failed<Owner: Actor, Change: FailableChange>(
    _ error: any Error, on owner: isolated Owner,
    _ block: @Sendable (isolated Owner, Change) -> Void
  ) -> sending NotificationToken {
    block(owner, .error(error))
    return NotificationToken {}
  }

  private static func releaseStopped<Owner: Actor>(
    _ session: ObserverSession, on owner: isolated Owner
  ) { session.releaseStopped() }

  /// An argument of a block. `@unchecked Sendable`: made and used on the same actor.
  private struct OwnArgument<Value>: @unchecked Sendable { let value: Value }
}
