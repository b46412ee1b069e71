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

extension ObjectBase: Freezable {}

extension ObservableObjectBase {
  public var _core: StoreCore? { _binding?.core }
}

extension StoredCollection {
  public var _core: StoreCore? { _base.core }
}

extension Map: Freezable {
  public var _core: StoreCore? { property?.core }
}

extension Freezable {
  /// Returns the same at the store's version, which every thread can read; while a transaction is open, at that of its
  /// beginning. It is live in nothing: observing it reports an error, and assigning it fails. What is in no store, was
  /// deleted, or was added by the open transaction stops the program. Costs a read transaction, whatever the size of the
  /// store.
  public func freeze() -> Self {
    guard let core = _core, let finder = _finder else {
      stopProgram("only what a store holds can be frozen, before it is deleted")
    }
    do {
      let frozen = try core.frozen()
      if frozen === core { return self }
      if let found = try finder.find(frozen) as? Self { return found }
    } catch let error as SchemaError where error.isMissingClass {
      // The open transaction has taken it into the store.
    } catch {
      stopProgram("\(Self.self) cannot be frozen: \(error)")
    }
    stopProgram(
      "\(Self.self) cannot be frozen: the open transaction has added it, and what is frozen in one is "
        + "at the version of its beginning")
  }

  /// A frozen copy as a `Sendable` value.
  public var frozen: Frozen<Self> { Frozen(base: freeze()) }

  /// Returns the live counterpart of something frozen, in the caller's session of its store: the one that it was frozen
  /// from if that is the caller's, otherwise another of the caller's thread, queue or actor, or a new one. Nil where it was
  /// deleted, and where the session's version, which stays as it is, does not have it yet.
  public func thaw() -> Self? {
    guard let core = _core, let finder = _finder else { return nil }
    guard core.session.isFrozen else { return self }
    return try? finder.find(core.live()) as? Self
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

extension StoreCore {
  /// Returns the caller's session of what is frozen. Errors: those of opening one.
  fileprivate func live() throws -> StoreCore {
    if let origin, !origin.session.isClosed, origin.owner.isCurrent { return origin }
    return try SharedStores.core(at: dynamic.address)
  }
}

extension Store {
  /// Returns the caller's session of a frozen store, as `thaw` of an object does; the store itself if it is live.
  /// Errors: those of opening a session.
  public func thaw() throws -> Store { isFrozen ? try core.live().facade : self }

  /// Returns this store at its version, which every thread can read; while a transaction is open, at that of its
  /// beginning.
  public func freeze() -> Store {
    do {
      return try core.frozen().facade
    } catch {
      stopProgram("the store cannot be frozen: \(error)")
    }
  }
}
