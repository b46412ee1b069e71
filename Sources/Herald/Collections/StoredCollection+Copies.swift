import HeraldEngine
import HeraldModel
import HeraldQuery

extension StoredCollection where Element: ResultElement {
  /// Returns the index of the first object of a collection of no store that is among the results of a query; nil without
  /// one.
  ///
  /// Each object is copied, with all that it links to, to a store of its own until one matches. Links back are none, as of
  /// the object itself, and no object can be compared with: those that are copied are others. Errors: those of the query,
  /// and of adding the copy.
  func indexAmongCopies(
    _ query: (Results<Element>) throws -> Results<Element>
  ) throws -> Int? {
    let store = try Store(objectTypes: [Element._rootType()])
    store.core.isOfCopies = true
    let results = try query(Results(store.core, classOf: Element.self))
    guard try results.query?.dynamic.query.readsBacklinks != true else {
      throw QueryArgumentError("objects of no store cannot be queried by what links to them")
    }
    return try firstIndex { element in
      store.beginWrite()
      defer { store.cancelWrite() }
      let copy = type(of: element._object).init()
      _ = try ObjectCopy(store.core).copy(element._object, into: copy)
      _ = try store.core.add(copy, .error, asEmbedded: copy.isPart)
      return results.indexOfObject(copy) != nil
    }
  }
}

extension BoundQuery {
  fileprivate var readsBacklinks: Bool {
    dependencies.contains { path in
      path.steps.contains { if case .backlinks = $0.kind { true } else { false } }
    }
  }
}
