import Synchronization

/// The sessions of actors and queues, by weak reference: their observers' tokens hold them.
final class KnownSessions: Sendable {
  static let shared = KnownSessions()

  private struct Key: Hashable {
    let hub: ObjectIdentifier
    let isReadOnly: Bool
    let owner: SessionOwner.Identity
  }

  private struct WeakSession { weak var session: ObserverSession? }

  private let sessions = Mutex<[Key: WeakSession]>([:])

  /// Returns the session of an owner for a store, one, so that its observers are called in order; `open` opens it
  /// where there is none that is usable. A store that is open for reading only has another one.
  func session(
    at address: StoreAddress, of owner: SessionOwner.Identity,
    orOpen open: () throws -> ObserverSession
  ) rethrows -> ObserverSession {
    let key = Key(
      hub: ObjectIdentifier(address.hub), isReadOnly: address.isReadOnly, owner: owner)
    if let known = sessions.withLock({ $0[key]?.session }), known.isUsable { return known }
    let session = try open()
    sessions.withLock { sessions in
      sessions = sessions.filter { $0.value.session != nil }
      sessions[key] = WeakSession(session: session)
    }
    return session
  }
}
