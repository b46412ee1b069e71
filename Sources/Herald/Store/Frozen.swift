import HeraldEngine
import HeraldModel

/// An object, a collection, results or a projection as it was at one version: for every thread, never
/// changing, never told anything.
///
///     let old = try max.frozen
///     Task.detached { print(try old.base.value("name")) }
///
/// Everything that is reached from it is of the same version. Observing it is `cannotObserve`,
/// changing it is `frozen`. It holds its version: the file keeps that version's pages until the last
/// that was frozen there goes.
///
/// `@unchecked Sendable`: the session behind it never changes, and its reads exclude one another.
@dynamicMemberLookup
public struct Frozen<Base: ThreadConfined>: @unchecked Sendable {
  /// To be read by whichever thread.
  public let base: Base

  public subscript<Member>(dynamicMember path: KeyPath<Base, Member>) -> Member {
    base[keyPath: path]
  }
}

extension ThreadConfined {
  /// This as it is at the session's version. Errors: it was deleted, the store is closed, or a write
  /// is open.
  public var frozen: Frozen<Self> {
    get throws {
      let frozen = store.isFrozen ? store : Store(try store.session.freeze(), named: store.name)
      guard let base = try finder(frozen) else { throw HeraldError.objectDeleted("to be frozen") }
      return Frozen(base: base)
    }
  }

  public var isFrozen: Bool { store.isFrozen }
}

extension Store {
  /// Whether this session stays at its version for good.
  public var isFrozen: Bool { session.isFrozen }
}
