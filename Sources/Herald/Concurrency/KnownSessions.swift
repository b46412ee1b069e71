import Synchronization

/// The sessions of actors and queues, by weak reference: their observers' tokens hold them.
final class KnownSessions: Sendable {
  static let shared = KnownSessions()

  private struct Key: Hashable {
    let hub: ObjectIdentifier
    let isReadOnly: Bool
    let owner: SessionOwner.Identity
    /// The class of the session: typed and untyped observers have one each.
    let type: ObjectIdentifier
  }

  private struct WeakSession { weak var session: (any AnyObject & Sendable)? }

  private let sessions = Mutex<[Key: WeakSession]>([:])

  /// Returns the session of an owner for a store, one, so that its observers are called in order; `open` opens it
  /// where there is none that `isUsable`. A store that is open for reading only has another one.
  func session<S: AnyObject & Sendable>(
    at address: StoreAddress, of owner: SessionOwner.Identity, isUsable: (S) -> Bool,
    orOpen open: () throws -> S
  ) rethrows -> S {
    let key = Key(
      hub: ObjectIdentifier(address.hub), isReadOnly: address.isReadOnly, owner: owner,
      type: ObjectIdentifier(S.self))
    if let known = sessions.withLock({ $0[key]?.session }) as? S, isUsable(known) { return known }
    let session = try open()
    sessions.withLock { sessions in
      sessions = sessions.filter { $0.value.session != nil }
      sessions[key] = WeakSession(session: session)
    }
    return session
  }
}
