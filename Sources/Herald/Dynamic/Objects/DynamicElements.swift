import HeraldEngine
public import HeraldModel
import HeraldObservation
public import HeraldQuery

/// The elements of a collection of values that match a query, in which `self` is the element: of a list, a set or
/// a map, whose rows are its values.
public struct DynamicElements {
  /// The collection that the query reads.
  public let collection: LiveCollection
  let query: ElementQuery

  /// The values that match, in the order of the query. Runs the query. Errors: `interrupted`, `closed`, `damaged`.
  public var values: [Value] {
    get throws {
      let elements = collection.values
      return try collection.store.run { query.rows(elements, $0) }.map { elements[$0] }
    }
  }

  /// Returns the values of these that match further clauses. Errors: `QueryError`.
  public func elements(_ tail: QueryTail?, names: any QueryNames) throws -> DynamicElements {
    let later = try collection.elements(tail, names: names)
    return DynamicElements(collection: collection, query: query.followed(by: later.query))
  }

  /// Observes the rows, as `LiveCollection.observe` does its own. Each change of the collection is compared, in
  /// O(elements).
  public func observe(
    _ block: @escaping (DynamicElements, DynamicCollectionChange) throws -> Void
  ) throws -> ObservationToken {
    let query = query
    var rows = ElementRows()
    var keys: [String] = []
    return try collection.observe { collection, change in
      let elements = DynamicElements(collection: collection, query: query)
      let selected =
        collection.isValid
        ? try collection.store.run { query.rows(collection.values, $0) } : []
      let oldKeys = keys
      keys = collection.isMap ? collection.keys : []
      let changes: ChangeSet
      switch change {
      case .initial:
        rows.begin(count: collection.count, rows: selected)
        return try block(elements, .initial(count: rows.count))
      case .error: return try block(elements, change)
      case .update(_, ownerDeleted: true), .mapUpdate(_, ownerDeleted: true):
        return try block(elements, .update(rows.end(), ownerDeleted: true))
      case .update(let update, ownerDeleted: false):
        changes = rows.advance(update, rows: selected, isSorted: query.isSorted)
      case .mapUpdate(let update, ownerDeleted: false):
        changes = rows.advance(
          from: oldKeys, to: keys, modified: Set(update.modifications), rows: selected,
          isSorted: query.isSorted)
      }
      if !changes.isEmpty { try block(elements, .update(changes, ownerDeleted: false)) }
    }
  }
}

extension LiveCollection {
  /// Returns the values that match a parsed query, in which `self` is the element. Errors: `QueryError`.
  public func elements(_ tail: QueryTail?, names: any QueryNames) throws -> DynamicElements {
    let store = owner.store
    let name = "\(try owner.classSchema.name).\(property.name)"
    let element: ElementType = path == nil ? property.type.element : .any
    return DynamicElements(
      collection: self,
      query: try ElementQuery.bind(
        tail, of: element, named: name, schema: store.schema, names: names,
        reader: store.session.reader))
  }
}
