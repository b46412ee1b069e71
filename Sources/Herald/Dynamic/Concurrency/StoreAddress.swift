import HeraldEngine

extension DynamicStore {
  /// A reference to the store for other threads, queues and actors.
  package var address: StoreAddress {
    StoreAddress(hub: session.hub, isReadOnly: session.isReadOnly)
  }
}

/// A reference to a store for other threads, queues and actors, which open their own sessions with it.
///
///     let address = store.address
///     queue.async { let store = try? address.newSession(named: "queue") }
package struct StoreAddress: Sendable {
  let hub: StoreHub
  /// Whether new sessions are read-only, as the session of the address is.
  let isReadOnly: Bool

  /// Returns a new session of the store, at its newest version, for the calling thread. Errors: `closed`.
  package func newSession(named name: String = "") throws -> DynamicStore {
    DynamicStore(try Session(hub, readsOnly: isReadOnly), named: name)
  }
}
