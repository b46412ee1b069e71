import HeraldEngine
import HeraldModel

/// Finds what a reference leads to in another session.
public struct ConfinedFinder: Sendable {
  let address: StoreAddress
  /// The newest version that it may be of: in a transaction the one that this makes.
  let version: Int
  let find: @Sendable (StoreCore) throws -> Any?

  init(_ core: StoreCore, _ find: @escaping @Sendable (StoreCore) throws -> Any?) {
    address = core.dynamic.address
    version = core.newestVersion
    self.find = find
  }
}

extension StoreCore {
  /// The version that is read; in a transaction the one that this makes.
  var newestVersion: Int { dynamic.version + (session.isInWrite ? 1 : 0) }
}

extension Freezable {
  /// Finds it for an observer in another session; of what is frozen, throws that it cannot be observed.
  var observedFinder: ConfinedFinder? {
    guard let core = _core, core.session.isFrozen else { return _finder }
    return ConfinedFinder(core) { _ in throw HeraldError.cannotObserve("what is frozen") }
  }
}
