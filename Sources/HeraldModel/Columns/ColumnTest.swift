/// A predicate that is evaluated for a whole block of a column at once.
///
/// `null` is the result for nil; `inverted` negates the result for all other values.
package enum ColumnTest: Sendable {
  /// Matches nil if true, all other values if false.
  case isNull(Bool)
  /// Integers, Booleans (0 and 1) and links (by object number) from `lower` to `upper`, inclusive; matches no value
  /// if `lower` is above `upper`.
  case integers(lower: Int, upper: Int, inverted: Bool, null: Bool)
  case integerSet(Set<Int>, inverted: Bool, null: Bool)
  /// Doubles and floats between bounds, inclusive unless open; NaN never matches.
  case doubles(
    lower: Double, upper: Double, openLower: Bool, openUpper: Bool, inverted: Bool, null: Bool)
  /// Dates from `lower` to `upper`, inclusive.
  case dates(lower: Timestamp, upper: Timestamp, inverted: Bool, null: Bool)
  /// Links: the object numbers whose bit is set in the mask of their block.
  case numbers([BlockMask], null: Bool)
  /// Strings and data, by their bytes, as are the following.
  case bytesEqual([UInt8], inverted: Bool, null: Bool)
  /// Bytes with this prefix; does not match nil.
  case bytesPrefix([UInt8])
  /// Bytes between bounds, inclusive unless open, nil for no bound; does not match nil.
  case bytesRange(lower: [UInt8]?, upper: [UInt8]?, openLower: Bool, openUpper: Bool)
  /// Bytes equal to one of these, which are sorted.
  case bytesSet([[UInt8]], null: Bool)
  /// Bytes for which the closure returns true; they are valid during the call only.
  case bytes(null: Bool, @Sendable (UnsafeRawBufferPointer) -> Bool)
}

extension ColumnTest {
  /// The result for nil.
  package var acceptsNull: Bool {
    switch self {
    case .isNull(let null), .integers(_, _, _, let null), .integerSet(_, _, let null),
      .numbers(_, let null), .doubles(_, _, _, _, _, let null), .dates(_, _, _, let null),
      .bytesEqual(_, _, let null), .bytesSet(_, let null), .bytes(let null, _):
      null
    case .bytesPrefix, .bytesRange: false
    }
  }

  /// Whether the result is negated for values other than nil.
  package var isInverted: Bool {
    switch self {
    case .integers(_, _, let inverted, _), .integerSet(_, let inverted, _),
      .doubles(_, _, _, _, let inverted, _), .dates(_, _, let inverted, _),
      .bytesEqual(_, let inverted, _):
      inverted
    case .isNull, .numbers, .bytesPrefix, .bytesRange, .bytesSet, .bytes: false
    }
  }
}
