import HeraldEngine
import HeraldModel

extension DynamicThreadConfined {
  /// The same at the session's version; while a transaction is open, at that of its beginning. Any thread may read it.
  ///
  /// Everything that is read through it is at the same version. Observing it throws `cannotObserve`, changing it throws
  /// `frozen`. It keeps its version readable: the file retains that version's pages until the last frozen value of the
  /// version is released. Costs a read transaction, whatever the size of the store.
  ///
  /// Errors: `objectDeleted`, also for what the open transaction has added; `closed`.
  package var frozen: Self {
    get throws {
      let frozen =
        store.isFrozen ? store : DynamicStore(try store.session.freeze(), named: store.name)
      guard let found = try finder(frozen) else { throw HeraldError.objectDeleted("to be frozen") }
      return found
    }
  }

  /// Whether this belongs to a frozen session.
  package var isFrozen: Bool { store.isFrozen }
}

extension DynamicStore {
  /// Whether the session is frozen, which is to say that its version never changes.
  package var isFrozen: Bool { session.isFrozen }
}
