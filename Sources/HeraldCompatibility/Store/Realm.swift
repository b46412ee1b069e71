public import Dispatch
@_exported public import Herald

/// A store under Realm's name, for programs that come from there.
///
///     import HeraldCompatibility  // instead of RealmSwift
///
///     let realm = try! Realm()
///     try! realm.write { realm.add(dog) }
///
/// `Realm()` on one thread, queue or actor is one session of the store of its configuration, however often it is
/// called. It belongs to that thread, queue or actor.
public struct Realm: Equatable {
  /// The same session by Herald's name.
  public let store: Store

  /// A session that was opened as a store.
  public init(_ store: Store) { self.store = store }

  /// Opens the store of `Configuration.defaultConfiguration`: in memory, one for the process, unless a `fileURL` is set.
  /// Errors: those of opening a store.
  public init() throws { try self.init(configuration: .defaultConfiguration) }

  /// Opens the store of a configuration for the calling thread, or for the main actor if the caller is on it, or for
  /// `queue`, which must be the caller's. Errors: those of opening a store, and of the migration.
  public init(configuration: Configuration, queue: DispatchQueue? = nil) throws {
    self.init(try configuration.store(on: queue.map { .queue($0) } ?? .current))
  }

  /// Opens the default store for a queue, which must be the caller's.
  public init(queue: DispatchQueue) throws {
    try self.init(configuration: .defaultConfiguration, queue: queue)
  }

  /// Opens a store for an actor: the caller's. There is nothing to download before.
  public init(
    configuration: Configuration = .defaultConfiguration, actor: isolated any Actor = #isolation,
    downloadBeforeOpen: OpenBehavior = .never
  ) async throws {
    self.init(try configuration.store(on: .actor(actor)))
  }
}

extension Realm {
  /// When Realm downloads a synchronized file before it opens it; here each opens the file as it is.
  public enum OpenBehavior: Sendable { case never, once, always }

  public typealias Notification = Store.Notification
  public typealias UpdatePolicy = Herald.UpdatePolicy
  public typealias Error = HeraldError

  /// Whether a transaction is open.
  public var isInWriteTransaction: Bool { store.isInWriteTransaction }

  /// Whether the end of a turn advances the store to the newest version.
  public var autorefresh: Bool {
    get { store.autorefresh }
    nonmutating set { store.autorefresh = newValue }
  }

  public var isFrozen: Bool { store.isFrozen }

  /// Whether the store has no object.
  public var isEmpty: Bool {
    store.untyped.schema.classes.allSatisfy { classSchema in
      classSchema.isEmbedded || (try? store.untyped.objects(classSchema.name).count) ?? 0 == 0
    }
  }

  /// Returns the store at its version, which every thread can read.
  public func freeze() -> Realm { isFrozen ? self : Realm(store.freeze()) }

  /// Advances to the newest version and notifies the observers; returns whether anything was new.
  @discardableResult
  public func refresh() -> Bool { store.refresh() }

  /// Advances to the newest version and notifies the observers.
  @discardableResult
  public func asyncRefresh() async -> Bool { await store.asyncRefresh() }

  /// Invalidates the session's objects and collections, rolls back an open transaction and ends its observers; the next
  /// use begins anew, at the newest version.
  public func invalidate() { store.renew() }

  /// Returns the caller's session of a frozen store; the store itself if it is live. A session that cannot be opened stops
  /// the program.
  public func thaw() -> Realm {
    do {
      return Realm(try store.thaw())
    } catch {
      fatalError("the frozen store cannot be thawed: \(error)")
    }
  }

  /// Observes every commit. There is no initial call.
  public func observe(_ block: @escaping (Notification, Realm) -> Void) -> NotificationToken {
    store.observe { block($0, Realm($1)) }
  }
}
