import HeraldEngine
import HeraldModel

/// A session of a store on an actor or a queue, with its observers.
///
/// `@unchecked Sendable`: everything in it is used on that actor or queue alone.
final class ObserverSession: @unchecked Sendable {
  private let core: StoreCore
  private var observers: [(flag: StopFlag, token: AnyObject)] = []

  private init(_ core: StoreCore) { self.core = core }

  /// Returns the session of an owner for the store of a finder. Errors: `cannotObserve` for what is in no store;
  /// `closed`.
  static func session(
    for finder: ConfinedFinder?, of identity: SessionOwner.Identity, _ owner: () -> SessionOwner,
    named name: String
  ) throws -> (session: ObserverSession, finder: ConfinedFinder) {
    guard let finder else {
      throw HeraldError.cannotObserve("what is in no store, or was deleted")
    }
    return (try session(at: finder.address, of: identity, owner, named: name), finder)
  }

  /// Returns the session of an actor for a store: one, so that its observers are called in order.
  static func session<Owner: Actor>(
    at address: StoreAddress, on owner: Owner
  ) throws -> ObserverSession {
    try session(at: address, of: .of(owner), { .actor(owner) }, named: "\(Owner.self)")
  }

  private static func session(
    at address: StoreAddress, of identity: SessionOwner.Identity, _ owner: () -> SessionOwner,
    named name: String
  ) throws -> ObserverSession {
    try KnownSessions.shared.session(at: address, of: identity) {
      ObserverSession(StoreCore(try address.newSession(named: name), owner()))
    }
  }

  /// Finds what is to be observed, registers an observer until `flag` is set, and calls it for the first time: it
  /// reports the state at registration. Returns false where there is nothing to observe. Errors: `objectDeleted`.
  func observe<Observed>(
    _ finder: ConfinedFinder, until flag: StopFlag,
    _ register: (_ found: Observed) -> NotificationToken
  ) throws -> Bool {
    guard let found = try core.resolve(finder) else {
      throw HeraldError.objectDeleted("to be observed")
    }
    guard let found = found as? Observed else { return false }
    observers.append((flag, register(found)))
    try? core.session.deliverPending()
    core.deliverFailedObservers()
    return true
  }

  /// False of an actor's session when the actor was released.
  var isUsable: Bool { core.owner.exists }

  /// Registers an observer of what a reference leads to likewise, at the newest version. Errors: `objectDeleted`; those
  /// of `register`.
  func observe<Thing>(
    _ reference: DynamicThreadSafeReference<Thing>, until flag: StopFlag,
    _ register: (Thing) throws -> ObservationToken
  ) throws {
    try core.dynamic.endTurn()
    guard let thing = try reference.resolve(in: core.dynamic) else {
      throw HeraldError.objectDeleted("to be observed")
    }
    observers.append((flag, try register(thing)))
    try core.session.deliverPending()
  }

  /// Releases the observers that have been stopped.
  func releaseStopped() { observers.removeAll { $0.flag.isSet } }
}
