import HeraldEngine
import HeraldModel

extension DynamicStore {
  /// A reference to the store for other threads, queues and actors.
  package var address: StoreAddress {
    StoreAddress(hub: session.hub, isReadOnly: session.isReadOnly)
  }
}

/// A reference that passes an object, a collection, results or a projection to another session.
///
///     let reference = DynamicThreadSafeReference(to: max)
///     queue.async { let max = try? reference.resolve(in: storeOfQueue) }
///
/// It holds no version of the store, and can be resolved any number of times.
package struct DynamicThreadSafeReference<Confined: DynamicThreadConfined>: Sendable {
  private let find: @Sendable (DynamicStore) throws -> Confined?
  let address: StoreAddress
  private let version: Int

  /// Creates a reference to a value of the current session.
  package init(to confined: Confined) {
    find = confined.finder
    address = confined.store.address
    version = confined.store.version
  }

  /// Returns the same value in another session; nil if it was deleted. A session at an earlier version
  /// than the reference is advanced first, unless it is in a transaction or a delivery. Errors: `closed`,
  /// `wrongSession` for a session of another store.
  package func resolve(in store: DynamicStore) throws -> Confined? {
    try store.session.checkOpen()
    guard store.session.hub === address.hub else { throw HeraldError.wrongSession }
    if store.version < version { try store.refresh() }
    return try find(store)
  }
}
