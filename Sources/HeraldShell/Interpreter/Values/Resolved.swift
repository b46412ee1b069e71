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
