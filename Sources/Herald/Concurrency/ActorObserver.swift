/// An argument of a block that is called on an actor. `@unchecked Sendable`: made and used on that actor.
struct OwnArgument<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}

/// Observers that are called on an actor.
enum ActorObserver {
  /// Registers an observer on an actor, and calls it for the first time.
  ///
  /// - Parameters:
  ///   - finder: Finds what is observed in the actor's session; nil for what is in no store.
  ///   - register: Observes what was found, on the actor; `call` runs the program's block there.
  static func register<Owner: Actor>(
    _ finder: ConfinedFinder?, on owner: Owner,
    _ register:
      @escaping @Sendable (
        _ found: Any, _ call: @escaping ((isolated Owner) -> Void) -> Void
      ) -> NotificationToken?,
    onError: @escaping @Sendable (isolated Owner, any Error) -> Void
  ) async -> NotificationToken {
    let flag = StopFlag()
    let release = await begin(finder, on: owner, flag, register, onError)
    return NotificationToken(isElsewhere: true) {
      flag.set()
      release?()
    }
  }

  /// Returns a function that releases the observer; nil where there is none.
  private static func begin<Owner: Actor>(
    _ finder: ConfinedFinder?, on owner: isolated Owner, _ flag: StopFlag,
    _ register:
      @Sendable (
        _ found: Any, _ call: @escaping ((isolated Owner) -> Void) -> Void
      ) -> NotificationToken?,
    _ onError: @Sendable (isolated Owner, any Error) -> Void
  ) -> (@Sendable () -> Void)? {
    do {
      let (session, finder) = try ObserverSession.session(
        for: finder, of: .of(owner), { .actor(owner) }, named: "\(Owner.self)")
      let isObserved = try session.observe(finder, until: flag) { found in
        register(found) { [weak owner] body in
          guard !flag.isSet, let owner else { return }
          withoutActuallyEscaping(body) { body in
            let work = Work(body: body)
            owner.assumeIsolated { work.body($0) }
          }
        }
      }
      guard isObserved else { return nil }
      return { [weak owner] in
        guard let owner else { return }
        Task { await releaseStopped(session, on: owner) }
      }
    } catch {
      onError(owner, error)
      return nil
    }
  }

  /// Reports to an observer on an actor why it could not be registered.
  static func reportFailure<Owner: Actor>(
    _ owner: isolated Owner, _ error: any Error,
    _ block: @Sendable (isolated Owner, any Error) -> Void
  ) { block(owner, error) }

  private static func releaseStopped<Owner: Actor>(
    _ session: ObserverSession, on owner: isolated Owner
  ) { session.releaseStopped() }

  /// `@unchecked Sendable`: made and used on the same actor.
  private struct Work<Owner: Actor>: @unchecked Sendable {
    let body: (isolated Owner) -> Void
  }
}
