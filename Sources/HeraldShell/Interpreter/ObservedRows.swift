import Herald

/// The rows of an observed collection at one moment.
struct ObservedRows {
  var values: [Value]
  /// Of a map, in the order of the values.
  var keys: [String] = []

  init(_ values: [Value]) { self.values = values }

  init(_ collection: LiveCollection) {
    // The owner may be gone: then there are none.
    values = collection.isValid ? collection.values : []
    keys = collection.isValid ? collection.keys : []
  }

  init(_ nested: NestedCollection) {
    values = nested.isValid ? nested.values : []
    keys = nested.isValid ? nested.keys : []
  }

  func value(forKey key: String) -> Value? {
    zip(keys, values).first { $0.0 == key }?.1
  }
}

extension Results {
  /// The links to the objects.
  var values: [Value] {
    get throws { try objects.map { .link($0.id) } }
  }
}
