import HeraldEngine
import HeraldModel
import Synchronization

/// A session of a store on an actor, one for each store and actor, so that its observers are called in order.
///
/// `@unchecked Sendable`: everything in it is used on the actor alone.
private final class ActorCore<Owner: Actor>: @unchecked Sendable {
  let core: StoreCore
  private(set) var observers: [(flag: StopFlag, token: NotificationToken)] = []

  init(_ core: StoreCore) { self.core = core }

  /// Releases the observers that have been stopped.
  func clean() { observers.removeAll { $0.flag.isSet } }

  func add(_ token: NotificationToken, _ flag: StopFlag) { observers.append((flag, token)) }
}

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
    return NotificationToken {
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
      guard let finder else {
        throw HeraldError.cannotObserve("what is in no store, or was deleted")
      }
      let session = try session(at: finder.address, on: owner)
      guard let found = try session.core.resolve(finder) else {
        throw HeraldError.objectDeleted("to be observed")
      }
      let token = register(found) { [weak owner] body in
        guard !flag.isSet, let owner else { return }
        withoutActuallyEscaping(body) { body in
          let work = Work(body: body)
          owner.assumeIsolated { work.body($0) }
        }
      }
      guard let token else { return nil }
      session.add(token, flag)
      // `initial` reports the state at registration.
      try? session.core.session.deliverPending()
      session.core.deliverFailedObservers()
      return { [weak owner] in
        guard let owner else { return }
        Task { await clean(session, on: owner) }
      }
    } catch {
      onError(owner, error)
      return nil
    }
  }

  /// Tells an observer on an actor why it could not be registered.
  static func tell<Owner: Actor>(
    _ owner: isolated Owner, _ error: any Error,
    _ block: @Sendable (isolated Owner, any Error) -> Void
  ) { block(owner, error) }

  private static func clean<Owner: Actor>(
    _ session: ActorCore<Owner>, on owner: isolated Owner
  ) { session.clean() }

  /// `@unchecked Sendable`: made and used on the same actor.
  private struct Work<Owner: Actor>: @unchecked Sendable {
    let body: (isolated Owner) -> Void
  }

  private static func session<Owner: Actor>(
    at address: StoreAddress, on owner: isolated Owner
  ) throws -> ActorCore<Owner> {
    let key = KnownSessions.Key(
      hub: ObjectIdentifier(address.hub), isReadOnly: address.isReadOnly,
      owner: .actor(ObjectIdentifier(owner)))
    if let known = KnownSessions.shared[key] as? ActorCore<Owner> { return known }
    let dynamic = try address.newSession(named: "\(Owner.self)")
    let session = ActorCore<Owner>(StoreCore(dynamic, .actor(owner)))
    KnownSessions.shared[key] = session
    return session
  }
}

/// The sessions of actors and queues, by weak reference: their observers' tokens hold them.
final class KnownSessions: Sendable {
  static let shared = KnownSessions()

  struct Key: Hashable {
    enum Owner: Hashable {
      case actor(ObjectIdentifier)
      case queue(Int)
    }

    let hub: ObjectIdentifier
    let isReadOnly: Bool
    let owner: Owner
  }

  private struct WeakSession { weak var session: (any AnyObject & Sendable)? }

  private let sessions = Mutex<[Key: WeakSession]>([:])

  subscript(key: Key) -> (any AnyObject & Sendable)? {
    get { sessions.withLock { $0[key]?.session } }
    set {
      sessions.withLock { sessions in
        sessions = sessions.filter { $0.value.session != nil }
        sessions[key] = WeakSession(session: newValue)
      }
    }
  }
}
