import Herald

/// The result of a path or an expression in one session.
enum Resolved {
  case value(Value)
  case values([Value])
  case object(ObjectHandle)
  case newObject(NewObject)
  case collection(LiveCollection)
  case results(DynamicResults)
  /// The values of a collection that match a query.
  case elements(DynamicElements)
  case projection(DynamicProjection)

  /// The kind of value in messages.
  var kind: String {
    switch self {
    case .value(.null): "nil"
    case .value(.list), .values: "a list of values"
    case .value(.map): "a map of values"
    case .value: "a value"
    case .object, .newObject: "an object"
    case .collection(let collection): collection.kind
    case .results: "a collection"
    case .elements: "a collection of values"
    case .projection: "a projection"
    }
  }
}

extension Resolved {
  /// What a value in a store is: the object of a link, nil where there is none, or the value itself.
  init(_ value: Value, in store: DynamicStore) {
    guard case .link(let id) = value else {
      self = .value(value)
      return
    }
    if let new = store.newObject(id) {
      self = .newObject(new)
    } else {
      self = store.object(id).map { .object($0) } ?? .value(.null)
    }
  }

  /// The store that the value is read from; nil for plain values.
  var store: DynamicStore? {
    switch self {
    case .object(let object): object.store
    case .collection(let collection): collection.store
    case .results(let results): results.store
    case .elements(let elements): elements.collection.store
    case .projection(let projection): projection.store
    case .value, .values, .newObject: nil
    }
  }

  /// The values of a list that is not a stored collection; nil for anything else.
  var list: [Value]? {
    switch self {
    case .values(let values), .value(.list(let values)): values
    case .value, .object, .newObject, .collection, .results, .elements, .projection: nil
    }
  }
}

extension Resolved {
  /// What clauses leave of a collection; nil for anything else.
  func narrowed(_ tail: QueryTail?, _ names: Names) throws -> Resolved? {
    switch self {
    case .collection(let collection) where collection.property.type.linkedClass == nil:
      .elements(try collection.elements(tail, names: names))
    case .elements(let elements): .elements(try elements.elements(tail, names: names))
    case .collection(let collection):
      .results(try collection.store.results(of: collection, tail, names: names))
    case .results(let results):
      .results(try results.store.results(of: results, tail, names: names))
    case .value, .values, .object, .newObject, .projection: nil
    }
  }
}

extension EditableCollection {
  /// The kind of value in messages.
  var kind: String {
    switch shape {
    case .single: "a value"
    case .list: "a list"
    case .set: "a set"
    case .map: "a map"
    case .backlinks: "a collection of backlinks"
    }
  }
}

extension LiveCollection {
  /// A map's values by their keys.
  var entries: MapEntries { MapEntries(zip(keys, values)) }
}
