package import HeraldModel

/// Sort keys in order of precedence. Ties are left to the caller, which keeps their previous order.
package struct SortOrder: Sendable {
  package struct Key: Sendable {
    /// Single links, then a single value.
    package let path: PropertyPath
    /// What is derived from the value and compared in its place; nil if the value itself is compared.
    package let measure: ValueMeasure?
    package let isAscending: Bool
    package init(path: PropertyPath, measure: ValueMeasure? = nil, isAscending: Bool) {
      self.path = path
      self.measure = measure
      self.isAscending = isAscending
    }

    @inline(__always)
    func value(of number: ObjectNumber, _ reader: any ObjectReader) -> Value {
      let value = HeraldQuery.value(at: path, of: number, reader)
      return measure?.apply(to: value) ?? value
    }
  }

  package let keys: [Key]

  package init(keys: [Key]) { self.keys = keys }

  package var dependencies: [PropertyPath] { keys.map(\.path.withWholeProperties) }

  /// Compares two objects; returns a negative number if `a` comes first, 0 for a tie, a positive number
  /// if `b` does. nil is first in ascending and last in descending order.
  package func compare(_ a: ObjectNumber, _ b: ObjectNumber, _ reader: any ObjectReader) -> Int {
    compare { ($1.value(of: a, reader), $1.value(of: b, reader)) }
  }

  /// Compares with an object whose `keyValues` are known.
  package func compare(_ a: ObjectNumber, _ b: [Value], _ reader: any ObjectReader) -> Int {
    compare { ($1.value(of: a, reader), b[$0]) }
  }

  /// Compares two objects whose `keyValues` are known.
  package func compare(_ a: [Value], _ b: [Value]) -> Int {
    compare { index, _ in (a[index], b[index]) }
  }

  /// Compares by the first key whose values differ, without reading the later keys.
  @inline(__always)
  private func compare(_ values: (Int, Key) -> (Value, Value)) -> Int {
    for (index, key) in keys.enumerated() {
      let (a, b) = values(index, key)
      let order = Value.order(a, b)
      if order != 0 { return key.isAscending ? order : -order }
    }
    return 0
  }

  /// Returns the relative position of the key values between `low` and `high`, from 0 to 1, by the first
  /// key that differs; nil if its values are not numbers or dates. For interpolation search.
  package func fraction(of values: [Value], from low: [Value], to high: [Value]) -> Double? {
    guard let key = keys.indices.first(where: { Value.order(low[$0], high[$0]) != 0 }),
      let low = low[key].measure, let high = high[key].measure, let value = values[key].measure
    else { return nil }
    let fraction = (value - low) / (high - low)
    return fraction.isFinite ? min(max(fraction, 0), 1) : nil
  }

  /// Returns the values of the keys for one object; equal arrays are ties.
  package func keyValues(of number: ObjectNumber, _ reader: any ObjectReader) -> [Value] {
    keys.map { $0.value(of: number, reader) }
  }
}

extension Value {
  /// A number or a date as an approximate number.
  fileprivate var measure: Double? {
    if case .date(let date) = self {
      return Double(date.seconds) + Double(date.nanoseconds) * 1e-9
    }
    return number?.asDouble
  }
}

/// Returns the value, or nested value, at the end of a path of single links; nil if a link on the path
/// is nil.
package func value(
  at path: PropertyPath, of number: ObjectNumber, _ reader: any ObjectReader
) -> Value {
  var current = Value.link(ObjectID(path.root, number))
  for step in path.steps {
    guard case .link(let object) = current, case .property(let property) = step.kind else {
      return .null
    }
    guard let first = step.positions.first else {
      current = reader.value(property, of: object)
      continue
    }
    let references = reader.references
    if case .entry(let key) = first {
      current = references.mapValue(forKey: key, property, of: object) ?? .null
    } else {
      current = reader.part(of: references.value(property, of: object), at: first)
    }
    for position in step.positions.dropFirst() { current = reader.part(of: current, at: position) }
    current = reader.whole(current)
  }
  return current
}
