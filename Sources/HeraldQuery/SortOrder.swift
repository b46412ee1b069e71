package import HeraldModel

/// Sort keys, the first deciding. Ties are the caller's: they keep the order before the sort.
package struct SortOrder: Sendable {
  package struct Key: Sendable {
    /// Single links and, last, a single value.
    package let path: PropertyPath
    package let isAscending: Bool
    package init(path: PropertyPath, isAscending: Bool) {
      self.path = path
      self.isAscending = isAscending
    }
  }

  package let keys: [Key]

  package init(keys: [Key]) { self.keys = keys }

  package var dependencies: [PropertyPath] { keys.map(\.path.withoutPlaces) }

  /// Negative where `a` comes first, 0 for a tie, positive where `b` does: nil first ascending and
  /// last descending.
  package func compare(_ a: ObjectNumber, _ b: ObjectNumber, _ reader: any ObjectReader) -> Int {
    for key in keys {
      let order = Value.order(
        value(at: key.path, of: a, reader), value(at: key.path, of: b, reader))
      if order != 0 { return key.isAscending ? order : -order }
    }
    return 0
  }

  /// The values of the keys for one object: equal arrays are ties.
  package func keyValues(of number: ObjectNumber, _ reader: any ObjectReader) -> [Value] {
    keys.map { value(at: $0.path, of: number, reader) }
  }
}

/// The value, or the part of one, at the end of a path of single links; nil where a link on the way
/// is.
package func value(
  at path: PropertyPath, of number: ObjectNumber, _ reader: any ObjectReader
) -> Value {
  var current = Value.link(ObjectID(path.root, number))
  for step in path.steps {
    guard case .link(let object) = current, case .property(let property) = step.kind else {
      return .null
    }
    guard let first = step.places.first else {
      current = reader.value(property, of: object)
      continue
    }
    if case .entry(let key) = first {
      current = reader.mapValue(forKey: key, property, of: object) ?? .null
    } else {
      current = reader.value(property, of: object).part(at: first)
    }
    for place in step.places.dropFirst() { current = current.part(at: place) }
  }
  return current
}
