import HeraldEngine
import HeraldModel
import Synchronization

/// A session that lives on an actor: others' commits wake it, and it takes its turns there.
///
/// `@unchecked Sendable`: the store and the tokens are used on the actor alone, but for their end, when
/// nobody else has them any more; `wake` touches `isTurnDue` and nothing else.
final class ActorSession<Owner: Actor>: @unchecked Sendable {
  private let store: Store
  private weak let owner: Owner?
  private let isTurnDue = Atomic(false)
  private var tokens: [(flag: StopFlag, token: ObservationToken)] = []
  private var listener: CommitListener?

  private init(_ store: Store, _ owner: Owner) {
    self.store = store
    self.owner = owner
  }

  /// The session that an actor has of a store: one, so that its observers are called in order, and
  /// another where the store is open for reading only.
  static func session(
    at address: StoreAddress, on owner: isolated Owner
  ) throws -> ActorSession<Owner> {
    let key = ActorSessions.Key(
      hub: ObjectIdentifier(address.hub), isReadOnly: address.isReadOnly,
      owner: ObjectIdentifier(owner))
    if let known = ActorSessions.shared[key] as? ActorSession<Owner>, known.owner === owner {
      return known
    }
    let session = ActorSession(try address.newSession(named: "\(Owner.self)"), owner)
    session.listener = try session.store.onCommitElsewhere { [weak session] in session?.wake() }
    ActorSessions.shared[key] = session
    return session
  }

  /// Asks for a turn, from any thread; one that is asked for already is enough.
  func wake() {
    guard !isTurnDue.exchange(true, ordering: .acquiringAndReleasing) else { return }
    Task { [weak self] in
      guard let self, let owner = self.owner else { return }
      await self.takeTurn(on: owner)
    }
  }

  private func takeTurn(on owner: isolated Owner) {
    isTurnDue.store(false, ordering: .releasing)
    tokens.removeAll { $0.flag.isSet || !$0.token.isLive }
    // What cannot be read now is tried again at the next commit.
    _ = try? store.endTurn()
  }

  /// Registers an observer on the actor; its first call is made before this returns, at the version
  /// at which it was registered.
  func observe<Thing: ThreadConfined, Change>(
    _ reference: ThreadSafeReference<Thing>, on owner: isolated Owner,
    _ register: (Thing, @escaping (Thing, Change) -> Void) throws -> ObservationToken,
    _ block: @escaping @Sendable (isolated Owner, Thing, Change) -> Void
  ) throws -> ActorToken {
    try store.endTurn()
    guard let thing = try reference.resolve(in: store) else {
      throw HeraldError.objectDeleted("to be observed")
    }
    let flag = StopFlag()
    let token = try register(thing) { [weak owner] thing, change in
      guard !flag.isSet, let owner else { return }
      let told = Told(thing: thing, change: change)
      owner.assumeIsolated { block($0, told.thing, told.change) }
    }
    tokens.append((flag, token))
    try store.session.deliverOwed()
    return ActorToken(flag, of: self) { [weak self] in self?.wake() }
  }

  /// `@unchecked Sendable`: it is made and taken apart on the same actor.
  private struct Told<Thing, Change>: @unchecked Sendable {
    let thing: Thing
    let change: Change
  }
}

/// Said once, from any thread, and never taken back.
final class StopFlag: Sendable {
  private let isStopped = Atomic(false)

  var isSet: Bool { isStopped.load(ordering: .acquiring) }

  func set() { isStopped.store(true, ordering: .releasing) }
}

/// The sessions of actors, for as long as an observer needs them.
private final class ActorSessions: Sendable {
  static let shared = ActorSessions()

  struct Key: Hashable {
    let hub: ObjectIdentifier
    let isReadOnly: Bool
    let owner: ObjectIdentifier
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

/// Keeps an observer on an actor alive: it stops when `invalidate` is called, from any thread, or when
/// nothing holds the token.
public final class ActorToken: Sendable {
  private let flag: StopFlag
  private let session: any AnyObject & Sendable
  private let tidyUp: @Sendable () -> Void

  init(
    _ flag: StopFlag, of session: any AnyObject & Sendable, _ tidyUp: @escaping @Sendable () -> Void
  ) {
    self.flag = flag
    self.session = session
    self.tidyUp = tidyUp
  }

  deinit { invalidate() }

  /// No call begins any more; one that is under way is not waited for. Twice does nothing.
  public func invalidate() {
    guard !flag.isSet else { return }
    flag.set()
    tidyUp()
  }
}
