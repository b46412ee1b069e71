package import HeraldModel

/// A property and a closed interval of keys that contains its value in every object that matches a
/// condition. An interval index of these finds, among thousands of conditions, those that a value may
/// match.
///
///     Dog where age > 5 AND name CONTAINS "x"  →  age, 6 … Int.max
package struct ValueInterval: Hashable, Sendable {
  package let property: PropertyID
  package let lower: Int
  package let upper: Int

  package init(property: PropertyID, lower: Int, upper: Int) {
    self.property = property
    self.lower = lower
    self.upper = upper
  }

  /// The width of the interval: the narrower, the more selective.
  fileprivate var width: UInt { lower > upper ? 0 : UInt(bitPattern: upper &- lower) }
}

extension Value {
  /// The interval key of a value of a column; nil if it has none, as nil does. Keys of numbers and dates
  /// are in their order; those of strings and data are hashes of their bytes. Equal values of one
  /// property have equal keys.
  package var intervalKey: Int? {
    switch self {
    case .int(let value): value
    case .bool(let value): value ? 1 : 0
    case .link(let object): object.number
    case .float(let value): Double(value).intervalKey
    case .double(let value): value.intervalKey
    case .date(let value): value.seconds
    case .string(let text): FlatHash.of(text.utf8)
    case .data(let bytes): FlatHash.of(bytes)
    case .null, .decimal, .uuid, .objectID, .list, .map: nil
    }
  }
}

extension Condition {
  /// The narrowest interval that the condition implies for one property. O(the size of the condition).
  var span: ValueInterval? {
    switch self {
    case .column(let column):
      column.test.keyRange.map { ValueInterval(property: column.property, lower: $0, upper: $1) }
    case .all(let parts): Self.span(ofAll: parts.compactMap(\.span))
    case .constant, .any, .not, .values, .pair, .function: nil
    }
  }

  /// Intersects the intervals of each property and returns the narrowest.
  private static func span(ofAll spans: [ValueInterval]) -> ValueInterval? {
    var joined: [PropertyID: ValueInterval] = [:]
    for span in spans {
      let other = joined[span.property] ?? span
      joined[span.property] = ValueInterval(
        property: span.property, lower: max(span.lower, other.lower),
        upper: min(span.upper, other.upper))
    }
    return joined.values.min { ($0.width, $0.property) < ($1.width, $1.property) }
  }
}

extension ColumnTest {
  /// The interval of keys of the values that pass; nil if nil passes, or the test is inverted.
  fileprivate var keyRange: (Int, Int)? {
    switch self {
    case .integers(let lower, let upper, inverted: false, null: false): (lower, upper)
    case .integerSet(let set, inverted: false, null: false):
      // No value passes an empty set.
      set.isEmpty ? (1, 0) : (set.min() ?? 1, set.max() ?? 0)
    case .doubles(let lower, let upper, _, _, inverted: false, null: false):
      keyRange(lower, upper)
    case .dates(let lower, let upper, inverted: false, null: false):
      (lower.seconds, upper.seconds)
    case .bytesEqual(let bytes, inverted: false, null: false):
      (FlatHash.of(bytes), FlatHash.of(bytes))
    case .isNull, .integers, .integerSet, .doubles, .dates, .numbers, .bytesEqual, .bytesPrefix,
      .bytesRange, .bytesSet, .bytes:
      nil
    }
  }

  /// NaN is no bound.
  private func keyRange(_ lower: Double, _ upper: Double) -> (Int, Int) {
    (lower.intervalKey ?? .min, upper.intervalKey ?? .max)
  }
}

extension Double {
  /// The interval key; nil for NaN.
  var intervalKey: Int? {
    if isNaN { return nil }
    // Both zeros have one key; the bits of negative numbers are in descending order.
    let bits = Int(bitPattern: UInt((self + 0).bitPattern))
    return bits >= 0 ? bits : Int.min &- bits
  }
}

/// FNV-1a.
enum FlatHash {
  static func of(_ bytes: some Sequence<UInt8>) -> Int {
    var hash: UInt = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt(byte)) &* 0x100_0000_01b3 }
    return Int(bitPattern: hash)
  }
}
