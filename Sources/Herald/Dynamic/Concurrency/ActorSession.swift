import HeraldEngine
import HeraldModel
import Synchronization

/// A session that belongs to an actor: commits of others wake it, and its turns run on the actor.
///
/// `@unchecked Sendable`: the store and the tokens are used on the actor alone, except when they are
/// released, which is when nothing else references them; `wake` uses `isTurnDue` only.
final class ActorSession<Owner: Actor>: @unchecked Sendable {
  private let store: DynamicStore
  private weak let owner: Owner?
  private let isTurnDue = Atomic(false)
  private var tokens: [(flag: StopFlag, token: ObservationToken)] = []
  private var listener: CommitListener?

  private init(_ store: DynamicStore, _ owner: Owner) {
    self.store = store
    self.owner = owner
  }

  /// Returns the session of an actor for a store: one, so that its observers are called in order, and
  /// another one where the store is open for reading only.
  static func session(
    at address: StoreAddress, on owner: isolated Owner
  ) throws -> ActorSession<Owner> {
    func open() throws -> ActorSession<Owner> {
      let session = ActorSession(try address.newSession(named: "\(Owner.self)"), owner)
      session.listener = try session.store.onCommitElsewhere { [weak session] in session?.wake() }
      return session
    }
    return try KnownSessions.shared.session(
      at: address, of: .of(owner), isUsable: { $0.owner === owner }, orOpen: open)
  }

  /// Requests a turn, from any thread, unless one is requested already.
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
    // A read that fails is retried at the next commit; observers of a lost store receive the error.
    _ = try? store.endTurn()
  }

  /// Registers an observer on the actor. Its first call, at the version of the registration, is made
  /// before this returns.
  func observe<Thing: DynamicThreadConfined, Change>(
    _ reference: DynamicThreadSafeReference<Thing>, on owner: isolated Owner,
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
      let arguments = Arguments(thing: thing, change: change)
      owner.assumeIsolated { block($0, arguments.thing, arguments.change) }
    }
    tokens.append((flag, token))
    try store.session.deliverPending()
    return ActorToken(flag, of: self) { [weak self] in self?.wake() }
  }

  /// The arguments of a block. `@unchecked Sendable`: created and used on the same actor.
  private struct Arguments<Thing, Change>: @unchecked Sendable {
    let thing: Thing
    let change: Change
  }
}

/// A flag that any thread can set and none can clear.
final class StopFlag: Sendable {
  private let isStopped = Atomic(false)

  var isSet: Bool { isStopped.load(ordering: .acquiring) }

  func set() { isStopped.store(true, ordering: .releasing) }
}

/// Keeps an observer on an actor alive, which ends when `invalidate` is called, from any thread, or the
/// token is released.
public final class ActorToken: Sendable {
  private let flag: StopFlag
  private let session: any AnyObject & Sendable
  private let wake: @Sendable () -> Void

  init(
    _ flag: StopFlag, of session: any AnyObject & Sendable, _ wake: @escaping @Sendable () -> Void
  ) {
    self.flag = flag
    self.session = session
    self.wake = wake
  }

  deinit { invalidate() }

  /// Ends the observer, from any thread: no further call begins, but one in progress is not waited for.
  /// Has no effect on an observer that has ended.
  public func invalidate() {
    guard !flag.isSet else { return }
    flag.set()
    wake()
  }
}
