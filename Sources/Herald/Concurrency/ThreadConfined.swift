import HeraldEngine
import HeraldModel

/// What belongs to one session, and so to its thread or actor: an object, a collection, results, a
/// projection, the session itself. `ThreadSafeReference` carries it to another, `frozen` is a copy that all can read.
public protocol ThreadConfined: SendableMetatype {
  var store: Store { get }
  /// Finds the same in another session; nil where it does not exist there.
  var finder: @Sendable (Store) throws -> Self? { get }
}

extension Store: ThreadConfined {
  public var store: Store { self }

  /// In another session that is the other session.
  public var finder: @Sendable (Store) throws -> Store? { { $0 } }
}

extension Object: ThreadConfined {
  public var finder: @Sendable (Store) throws -> Object? {
    { [id, fate] store in fate?.isRolledBack == true ? nil : store.object(id) }
  }
}

extension LiveCollection: ThreadConfined {
  public var store: Store { owner.store }

  public var finder: @Sendable (Store) throws -> LiveCollection? {
    { [find = owner.finder, property] store in
      try find(store).map { LiveCollection(owner: $0, property: property) }
    }
  }
}

extension Results: ThreadConfined {
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

  public var finder: @Sendable (Store) throws -> Projection? {
    { [definition, find = object.finder] store in
      try find(store).map { try Projection(definition, of: $0) }
    }
  }
}
