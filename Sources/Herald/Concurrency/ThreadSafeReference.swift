import HeraldEngine
import HeraldModel

/// A reference that passes an object, a collection, results or a projection to another thread, queue or actor.
///
///     let reference = ThreadSafeReference(to: dog)
///     queue.async { let dog = try? Store(path: path).resolve(reference) }
///
/// It holds no version of the store, and can be resolved any number of times.
public struct ThreadSafeReference<Confined: ThreadConfined>: Sendable {
  let finder: ConfinedFinder?
  let resolved = StopFlag()

  /// Whether it was resolved. Programs that come from Realm make another one then; it can be resolved again.
  public var isInvalidated: Bool { resolved.isSet }

  /// Creates a reference. What is in no store stops the program; what was deleted resolves to nil.
  public init(to confined: Confined) {
    finder = confined._finder
    if finder == nil, let object = confined as? ObjectBase, object._binding == nil {
      stopProgram(
        "a ThreadSafeReference needs an object of a store; this \(type(of: object).className) is in none"
      )
    }
  }
}

extension Store {
  /// Returns what a reference leads to, in this session; nil where it was deleted. A session at an earlier version than
  /// the reference is advanced first, unless a transaction is open. Errors: `closed`, `wrongSession` for a reference
  /// to another store.
  public func resolve<Confined: ThreadConfined>(
    _ reference: ThreadSafeReference<Confined>
  ) throws -> Confined? {
    core.checkOwner()
    reference.resolved.set()
    return try reference.finder.flatMap { try core.resolve($0) as? Confined }
  }
}

extension StoreCore {
  func resolve(_ finder: ConfinedFinder) throws -> Any? {
    try session.checkOpen()
    guard session.hub === finder.address.hub else { throw HeraldError.wrongSession }
    if dynamic.version < finder.version { try dynamic.refresh() }
    return try finder.find(self)
  }
}

/// A property or a variable whose object, collection or results each thread, queue and actor reads in a session of its
/// own.
///
///     @ThreadSafe var dog = dogs.first
///     queue.async { if let dog { print(dog.name) } }
///
/// Reading it on another thread uses a session of the store that is open there, or opens one. What was deleted reads as
/// nil.
///
/// `@unchecked Sendable`: the reference is a value that is Sendable, behind a lock.
@propertyWrapper
public final class ThreadSafe<Confined: ThreadConfined>: @unchecked Sendable {
  private let lock = RecursiveLock()
  private var reference: ThreadSafeReference<Confined>?
  /// How often it was assigned.
  private var assignments = 0

  /// Keeps what belongs to a store; what is in none stops the program.
  public init(wrappedValue: Confined?) {
    reference = wrappedValue.map { ThreadSafeReference(to: $0) }
  }

  /// The same in a session of the caller's, which is advanced to the version at which it was read last, or that the
  /// transaction made in which it was; nil where it was deleted, and where no session can be opened.
  public var wrappedValue: Confined? {
    get {
      let (kept, count) = lock.withLock { (reference?.finder, assignments) }
      guard let finder = kept, let core = try? SharedStores.core(at: finder.address),
        let found = (try? core.resolve(finder)).flatMap({ $0 as? Confined })
      else { return nil }
      if core.newestVersion > finder.version {
        let renewed = ThreadSafeReference(to: found)
        lock.withLock {
          if assignments == count, let kept = reference?.finder,
            kept.version < renewed.finder?.version ?? 0
          {
            reference = renewed
          }
        }
      }
      return found
    }
    set {
      let new = newValue.map { ThreadSafeReference(to: $0) }
      lock.withLock {
        reference = new
        assignments += 1
      }
    }
  }
}
