import HeraldEngine
import HeraldModel

/// An object, a collection, results or a projection at one version: immutable, and readable by every
/// thread.
///
///     let old = try max.frozen
///     Task.detached { print(try old.base.value("name")) }
///
/// Everything that is read through it is at the same version. Observing it throws `cannotObserve`,
/// changing it throws `frozen`. It keeps its version readable: the file retains that version's pages
/// until the last frozen value of the version is released.
///
/// `@unchecked Sendable`: the session behind it never changes, and its reads are mutually exclusive.
@dynamicMemberLookup
package struct DynamicFrozen<Base: DynamicThreadConfined>: @unchecked Sendable {
  /// The frozen value, which any thread may read.
  package let base: Base

  /// A member of the frozen value.
  package subscript<Member>(dynamicMember path: KeyPath<Base, Member>) -> Member {
    base[keyPath: path]
  }
}

extension DynamicThreadConfined {
  /// A frozen copy of this at the session's version; while a transaction is open, at that of its beginning. Costs a
  /// read transaction, whatever the size of the store.
  ///
  /// Errors: `objectDeleted`, also for what the open transaction has added; `closed`.
  package var frozen: DynamicFrozen<Self> {
    get throws {
      let frozen =
        store.isFrozen ? store : DynamicStore(try store.session.freeze(), named: store.name)
      guard let base = try finder(frozen) else { throw HeraldError.objectDeleted("to be frozen") }
      return DynamicFrozen(base: base)
    }
  }

  /// Whether this belongs to a frozen session.
  package var isFrozen: Bool { store.isFrozen }
}

extension DynamicStore {
  /// Whether the session is frozen, which is to say that its version never changes.
  package var isFrozen: Bool { session.isFrozen }
}
