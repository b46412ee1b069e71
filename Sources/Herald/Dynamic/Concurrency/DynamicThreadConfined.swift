import HeraldEngine
import HeraldModel

/// A value that belongs to one session, and so to its thread or actor: an object, a collection, results or a
/// projection. `frozen` is the same as an immutable value that every thread can read.
package protocol DynamicThreadConfined {
  /// The session that this belongs to.
  var store: DynamicStore { get }
  /// A function that finds the same value in another session, and returns nil if it does not exist there.
  var finder: @Sendable (DynamicStore) throws -> Self? { get }
}

extension ObjectHandle: DynamicThreadConfined {
  /// A function that finds the same object in another session; nil if it does not exist there.
  package var finder: @Sendable (DynamicStore) throws -> ObjectHandle? {
    { [id, fate] store in fate?.isRolledBack == true ? nil : store.object(id) }
  }
}

extension LiveCollection: DynamicThreadConfined {
  /// The store of the collection.
  package var store: DynamicStore { owner.store }

  /// A function that finds the same collection in another session; nil if its owner, or the nested list or
  /// map, does not exist there.
  package var finder: @Sendable (DynamicStore) throws -> LiveCollection? {
    { [find = owner.finder, property, path] store in
      guard let owner = try find(store) else { return nil }
      let collection = LiveCollection(owner: owner, property: property, path: path)
      return path == nil || collection.place != nil ? collection : nil
    }
  }
}

extension DynamicResults: DynamicThreadConfined {
  /// A function that returns the same query in another session; nil if the collection that it reads does
  /// not exist there.
  package var finder: @Sendable (DynamicStore) throws -> DynamicResults? {
    let (query, projection) = (query, projection)
    switch base {
    case .allObjects:
      return {
        DynamicResults(store: $0, base: .allObjects, query: query, projection: projection)
      }
    case .collection(let collection):
      let find = collection.finder
      return { store in
        try find(store).map {
          DynamicResults(
            store: store, base: .collection($0), query: query, projection: projection)
        }
      }
    }
  }
}

extension DynamicProjection: DynamicThreadConfined {
  /// The store of the object.
  package var store: DynamicStore { object.store }

  /// A function that finds the same projection in another session; nil if its object does not exist
  /// there.
  package var finder: @Sendable (DynamicStore) throws -> DynamicProjection? {
    { [definition, find = object.finder] store in
      try find(store).map { try DynamicProjection(definition, of: $0) }
    }
  }
}
