import Herald

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
}
