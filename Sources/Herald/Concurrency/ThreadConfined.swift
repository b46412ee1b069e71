import HeraldEngine
import HeraldModel

/// A value that belongs to one session, and so to its thread or actor: an object, a collection, results,
/// a projection, or the session itself. `ThreadSafeReference` passes it to another session; `frozen` is
/// an immutable copy that every thread can read.
public protocol ThreadConfined: SendableMetatype {
  /// The session that this belongs to.
  var store: Store { get }
  /// A function that finds the same value in another session, and returns nil if it does not exist there.
  var finder: @Sendable (Store) throws -> Self? { get }
}

extension Store: ThreadConfined {
  /// The session itself.
  public var store: Store { self }

  /// A function that returns the other session.
  public var finder: @Sendable (Store) throws -> Store? { { $0 } }
}

extension Object: ThreadConfined {
  /// A function that finds the same object in another session; nil if it does not exist there.
  public var finder: @Sendable (Store) throws -> Object? {
    { [id, fate] store in fate?.isRolledBack == true ? nil : store.object(id) }
  }
}

extension LiveCollection: ThreadConfined {
  public var store: Store { owner.store }

  /// A function that finds the same collection in another session; nil if its owner, or the nested list or
  /// map, does not exist there.
  public var finder: @Sendable (Store) throws -> LiveCollection? {
    { [find = owner.finder, property, path] store in
      guard let owner = try find(store) else { return nil }
      let collection = LiveCollection(owner: owner, property: property, path: path)
      return path == nil || collection.place != nil ? collection : nil
    }
  }
}

extension Results: ThreadConfined {
  /// A function that returns the same query in another session; nil if the collection that it reads does
  /// not exist there.
  public var finder: @Sendable (Store) throws -> Results? {
    let query = query
    switch base {
    case .allObjects: return { Results(store: $0, base: .allObjects, query: query) }
    case .collection(let collection):
      let find = collection.finder
      return { store in
        try find(store).map { Results(store: store, base: .collection($0), query: query) }
      }
    }
  }
}

extension Projection: ThreadConfined {
  public var store: Store { object.store }

  /// A function that finds the same projection in another session; nil if its object does not exist
  /// there.
  public var finder: @Sendable (Store) throws -> Projection? {
    { [definition, find = object.finder] store in
      try find(store).map { try Projection(definition, of: $0) }
    }
  }
}
