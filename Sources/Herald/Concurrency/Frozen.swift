import HeraldEngine
import HeraldModel

/// An object, a collection or results at one version: immutable, and readable by every thread.
///
///     let old = dog.frozen
///     Task.detached { print(old.name) }
///
/// It keeps its version: the file retains that version's pages until the last frozen value of it is released.
///
/// `@unchecked Sendable`: the session behind it never changes, and its reads are mutually exclusive.
@dynamicMemberLookup
public struct Frozen<Base: ThreadConfined>: @unchecked Sendable {
  /// The frozen object or collection.
  public let base: Base

  /// A property of the frozen object or collection.
  public subscript<Member>(dynamicMember path: KeyPath<Base, Member>) -> Member {
    base[keyPath: path]
  }
}

extension Frozen: Equatable where Base: Equatable {}
extension Frozen: Hashable where Base: Hashable {}

/// What can be frozen.
public protocol Freezable: ThreadConfined {
  var _core: StoreCore? { get }
}

extension ObjectBase: Freezable {
  public var _core: StoreCore? { _binding?.core }
}

extension StoredCollection {
  public var _core: StoreCore? { _base.core }
}

extension Map: Freezable {
  public var _core: StoreCore? { property?.core }
}

extension Freezable {
  /// Returns the same at the store's version, which every thread can read. It is live in nothing: observing it
  /// reports an error, and assigning it fails. What is in no store, was deleted, or is frozen while a transaction is
  /// open stops the program. Costs a read transaction, whatever the size of the store.
  public func freeze() -> Self {
    guard let core = _core, let finder = _finder else {
      stopProgram("only what a store holds can be frozen, before it is deleted")
    }
    do {
      let frozen = try core.frozen()
      if frozen === core { return self }
      guard let found = try finder.find(frozen) as? Self else {
        throw HeraldError.objectDeleted("to be frozen")
      }
      return found
    } catch {
      stopProgram("\(Self.self) cannot be frozen: \(error)")
    }
  }

  /// A frozen copy as a `Sendable` value.
  public var frozen: Frozen<Self> { Frozen(base: freeze()) }

  /// Returns the live counterpart of something frozen, in the store that it was frozen from; nil where it was deleted,
  /// or that store is gone. Call it on that store's thread, queue or actor.
  public func thaw() -> Self? {
    guard let core = _core, let finder = _finder else { return nil }
    guard core.session.isFrozen else { return self }
    guard let live = core.origin else { return nil }
    live.checkOwner()
    return try? finder.find(live) as? Self
  }
}

extension StoreCore {
  /// Returns the core of the session's version, one for everything that is frozen at it.
  func frozen() throws -> StoreCore {
    if session.isFrozen { return self }
    checkOwner()
    let frozen = try session.freeze()
    if let lastFrozen, lastFrozen.session === frozen { return lastFrozen }
    let core = StoreCore(DynamicStore(frozen, named: dynamic.name), .everyone())
    core.origin = self
    lastFrozen = core
    return core
  }
}

extension Store {
  /// Returns this store at its version, which every thread can read.
  public func freeze() -> Store {
    do {
      return try core.frozen().facade
    } catch {
      stopProgram("the store cannot be frozen: \(error)")
    }
  }
}
