package import HeraldModel

/// An interval of keys in which exactly those values of a property lie that a comparison accepts.
///
///     Dog where age > 5 AND weight < 8  →  age, 6 … Int.max and weight, −∞ … the number before 8
///
/// Many predicates are evaluated for one object in a fraction of the time that comparing its values takes, since the keys
/// of these are the same for all.
package struct KeyBounds: Sendable {
  /// What the values are compared as.
  package enum Kind: Sendable {
    case integers
    case doubles
  }

  package let property: PropertyID
  package let kind: Kind
  package let lower: Int
  package let upper: Int

  /// The same values compared with another interval.
  func with(_ lower: Int, _ upper: Int) -> KeyBounds {
    KeyBounds(property: property, kind: kind, lower: lower, upper: upper)
  }
}

extension BoundPredicate {
  /// Intervals all of which must have the keys of an object's values for the object to match; nil for a predicate that is
  /// more than comparisons of numbers that must all hold. O(the size of the condition).
  package var keyBounds: [KeyBounds]? {
    var bounds: [KeyBounds] = []
    return condition.collectKeyBounds(into: &bounds) ? bounds : nil
  }
}

extension Value {
  /// The key of a value among those of a kind; nil for nil, NaN and values of other types, which no interval has.
  package func key(among kind: KeyBounds.Kind) -> Int? {
    switch kind {
    case .integers: columnInteger
    case .doubles: columnDouble?.intervalKey
    }
  }
}

extension Condition {
  /// Adds the intervals; returns false for a condition that is more than these.
  fileprivate func collectKeyBounds(into bounds: inout [KeyBounds]) -> Bool {
    switch self {
    case .constant(let value): return value
    case .all(let parts):
      for part in parts where !part.collectKeyBounds(into: &bounds) { return false }
      return true
    case .column(let column):
      guard let new = column.keyBounds else { return false }
      bounds.append(new)
      return true
    case .any, .not, .values, .pair, .function: return false
    }
  }
}

extension ColumnCondition {
  var keyBounds: KeyBounds? {
    switch test {
    case .integers(let lower, let upper, inverted: false, null: false):
      return KeyBounds(property: property, kind: .integers, lower: lower, upper: upper)
    case .doubles(
      let lower, let upper, let openLower, let openUpper, inverted: false, null: false):
      // The keys of successive numbers are successive.
      guard let lower = lower.intervalKey, let upper = upper.intervalKey else { return nil }
      return KeyBounds(
        property: property, kind: .doubles, lower: openLower ? lower + 1 : lower,
        upper: openUpper ? upper - 1 : upper)
    case .isNull, .integers, .integerSet, .doubles, .dates, .numbers, .bytesEqual, .bytesPrefix,
      .bytesRange, .bytesSet, .bytes:
      return nil
    }
  }
}
