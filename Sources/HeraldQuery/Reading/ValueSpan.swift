package import HeraldModel

/// A property of an object, and the places on a line between which its value stands wherever a
/// condition holds: by it those conditions are found that a value may fulfil, among thousands.
///
///     Dog where age > 5 AND name CONTAINS "x"  →  age, 6 … Int.max
package struct ValueSpan: Hashable, Sendable {
  package let property: PropertyID
  package let lower: Int
  package let upper: Int

  package init(property: PropertyID, lower: Int, upper: Int) {
    self.property = property
    self.lower = lower
    self.upper = upper
  }

  /// How many places it has: the fewer, the fewer values are in it.
  fileprivate var width: UInt { lower > upper ? 0 : UInt(bitPattern: upper &- lower) }
}

extension Value {
  /// Where a value of a column stands on the line of its property; nil where it stands nowhere, as
  /// nil does. Numbers and dates stand in their order, strings and data by a hash of their bytes;
  /// equal values of one property always at the same place.
  package var linePlace: Int? {
    switch self {
    case .int(let value): value
    case .bool(let value): value ? 1 : 0
    case .link(let object): object.number
    case .float(let value): Double(value).linePlace
    case .double(let value): value.linePlace
    case .date(let value): value.seconds
    case .string(let text): FlatHash.of(text.utf8)
    case .data(let bytes): FlatHash.of(bytes)
    case .null, .decimal, .uuid, .objectID, .list, .map: nil
    }
  }
}

extension Condition {
  /// O(the size of the condition).
  var span: ValueSpan? {
    switch self {
    case .column(let column):
      column.test.places.map { ValueSpan(property: column.property, lower: $0, upper: $1) }
    case .all(let parts): Self.span(ofAll: parts.compactMap(\.span))
    case .constant, .any, .not, .values, .pair, .function: nil
    }
  }

  /// The narrowest, after those of one property were made one.
  private static func span(ofAll spans: [ValueSpan]) -> ValueSpan? {
    var joined: [PropertyID: ValueSpan] = [:]
    for span in spans {
      let other = joined[span.property] ?? span
      joined[span.property] = ValueSpan(
        property: span.property, lower: max(span.lower, other.lower),
        upper: min(span.upper, other.upper))
    }
    return joined.values.min { ($0.width, $0.property) < ($1.width, $1.property) }
  }
}

extension ColumnTest {
  /// The first and the last place of values that pass; nil where nil passes, or all but some.
  fileprivate var places: (Int, Int)? {
    switch self {
    case .integers(let lower, let upper, inverted: false, null: false): (lower, upper)
    case .integerSet(let set, inverted: false, null: false):
      // No value passes an empty set.
      set.isEmpty ? (1, 0) : (set.min() ?? 1, set.max() ?? 0)
    case .doubles(let lower, let upper, _, _, inverted: false, null: false):
      places(lower, upper)
    case .dates(let lower, let upper, inverted: false, null: false):
      (lower.seconds, upper.seconds)
    case .bytesEqual(let bytes, inverted: false, null: false):
      (FlatHash.of(bytes), FlatHash.of(bytes))
    case .isNull, .integers, .integerSet, .doubles, .dates, .numbers, .bytesEqual, .bytesPrefix,
      .bytesRange, .bytesSet, .bytes:
      nil
    }
  }

  /// A number that is none bounds nothing.
  private func places(_ lower: Double, _ upper: Double) -> (Int, Int) {
    (lower.linePlace ?? .min, upper.linePlace ?? .max)
  }
}

extension Double {
  /// Nil for what is no number.
  fileprivate var linePlace: Int? {
    if isNaN { return nil }
    // The two zeros are equal; the bits of negative numbers count downwards.
    let bits = Int(bitPattern: UInt((self + 0).bitPattern))
    return bits >= 0 ? bits : Int.min &- bits
  }
}

/// FNV-1a.
private enum FlatHash {
  static func of(_ bytes: some Sequence<UInt8>) -> Int {
    var hash: UInt = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt(byte)) &* 0x100_0000_01b3 }
    return Int(bitPattern: hash)
  }
}
