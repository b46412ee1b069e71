package import HeraldModel

/// Sort keys in order of precedence. Ties are left to the caller, which keeps their previous order.
package struct SortOrder: Sendable {
  package struct Key: Sendable {
    /// Single links, then a single value.
    package let path: PropertyPath
    /// What is derived from the value and compared in its place; nil if the value itself is compared.
    package let measure: ValueMeasure?
    /// What is computed of the object and compared in place of a value at the end of a path, which has no steps then.
    package let expression: RowExpression?
    package let isAscending: Bool

    package init(path: PropertyPath, measure: ValueMeasure? = nil, isAscending: Bool) {
      self.path = path
      self.measure = measure
      expression = nil
      self.isAscending = isAscending
    }

    init(_ expression: RowExpression, isAscending: Bool) {
      path = PropertyPath(root: expression.root, steps: [])
      measure = nil
      self.expression = expression
      self.isAscending = isAscending
    }

    /// Whether the value at the end of the path is compared as it is.
    package var isOfPath: Bool { measure == nil && expression == nil }

    /// The value of an object that is compared.
    @inline(__always)
    package func value(of number: ObjectNumber, _ reader: any ObjectReader) -> Value {
      if let expression { return expression.value(of: number, reader) }
      let value = HeraldQuery.value(at: path, of: number, reader)
      return measure?.apply(to: value) ?? value
    }

    var dependencies: [PropertyPath] { expression?.dependencies ?? [path.withWholeProperties] }

    /// Whether the compared values may be others when it is bound again.
    var hasValuesOfStore: Bool { expression?.hasValuesOfStore ?? false }
  }

  package let keys: [Key]

  package init(keys: [Key]) { self.keys = keys }

  package var dependencies: [PropertyPath] { keys.flatMap(\.dependencies) }

  /// Whether the order may be another when it is bound again.
  package var hasValuesOfStore: Bool { keys.contains(where: \.hasValuesOfStore) }

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
