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
    compare { (value(at: $1.path, of: a, reader), value(at: $1.path, of: b, reader)) }
  }

  /// The same against an object whose `keyValues` are known.
  package func compare(_ a: ObjectNumber, _ b: [Value], _ reader: any ObjectReader) -> Int {
    compare { (value(at: $1.path, of: a, reader), b[$0]) }
  }

  /// The same of two objects whose `keyValues` are known.
  package func compare(_ a: [Value], _ b: [Value]) -> Int {
    compare { index, _ in (a[index], b[index]) }
  }

  /// By the first key of which the two values differ; those of later keys are not asked for.
  @inline(__always)
  private func compare(_ values: (Int, Key) -> (Value, Value)) -> Int {
    for (index, key) in keys.enumerated() {
      let (a, b) = values(index, key)
      let order = Value.order(a, b)
      if order != 0 { return key.isAscending ? order : -order }
    }
    return 0
  }

  /// How far on the way from `low` to `high`, between which they lie in this order, the values of the
  /// keys are: from 0 to 1, by the first key that differs; nil where its values are no numbers or dates.
  package func fraction(of values: [Value], from low: [Value], to high: [Value]) -> Double? {
    guard let key = keys.indices.first(where: { Value.order(low[$0], high[$0]) != 0 }),
      let low = low[key].measure, let high = high[key].measure, let value = values[key].measure
    else { return nil }
    let fraction = (value - low) / (high - low)
    return fraction.isFinite ? min(max(fraction, 0), 1) : nil
  }

  /// The values of the keys for one object: equal arrays are ties.
  package func keyValues(of number: ObjectNumber, _ reader: any ObjectReader) -> [Value] {
    keys.map { value(at: $0.path, of: number, reader) }
  }
}

extension Value {
  /// A number or a date on a line of numbers, about.
  fileprivate var measure: Double? {
    if case .date(let date) = self {
      return Double(date.seconds) + Double(date.nanoseconds) * 1e-9
    }
    return number?.asDouble
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
