import HeraldEngine
import HeraldModel

/// A session of a store on an actor or a queue, with its observers.
///
/// `@unchecked Sendable`: everything in it is used on that actor or queue alone.
final class ObserverSession: @unchecked Sendable {
  private let core: StoreCore
  private var observers: [(flag: StopFlag, token: NotificationToken)] = []

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
    let session = try KnownSessions.shared.session(at: finder.address, of: identity) {
      ObserverSession(StoreCore(try finder.address.newSession(named: name), owner()))
    }
    return (session, finder)
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

  /// Releases the observers that have been stopped.
  func releaseStopped() { observers.removeAll { $0.flag.isSet } }
}
