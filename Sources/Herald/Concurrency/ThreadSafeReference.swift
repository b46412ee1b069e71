import HeraldEngine
import HeraldModel

/// Where a store is, for other threads, queues and actors, which open sessions of their own there.
///
///     let address = store.address
///     queue.async { let store = try? address.newSession(named: "queue") }
public struct StoreAddress: Sendable {
  let hub: StoreHub
  /// Whether the sessions of the address only read, as the one that it was taken from.
  let isReadOnly: Bool

  /// A session of the store, at its newest version, for whoever calls.
  public func newSession(named name: String = "") throws -> Store {
    Store(try Session(hub, readsOnly: isReadOnly), named: name)
  }
}

extension Store {
  public var address: StoreAddress {
    StoreAddress(hub: session.hub, isReadOnly: session.isReadOnly)
  }
}

/// Carries an object, a collection, results or a projection from its session to another.
///
///     let reference = ThreadSafeReference(to: max)
///     queue.async { let max = try? reference.resolve(in: storeOfQueue) }
///
/// It holds no version of the store, and can be resolved as often as needed.
public struct ThreadSafeReference<Confined: ThreadConfined>: Sendable {
  private let find: @Sendable (Store) throws -> Confined?
  let address: StoreAddress
  private let version: Int

  public init(to confined: Confined) {
    find = confined.finder
    address = confined.store.address
    version = confined.store.version
  }

  /// The same in another session; nil where it was deleted. A session that stands before the version
  /// of the reference is advanced first, unless it is in a write or a delivery. Errors: the session
  /// is closed, or one of another store.
  public func resolve(in store: Store) throws -> Confined? {
    try store.session.checkOpen()
    guard store.session.hub === address.hub else { throw HeraldError.wrongSession }
    if store.version < version { try store.refresh() }
    return try find(store)
  }
}
