/// A question that a whole block of a column answers at once.
///
/// `null` is the answer for nil; `inverted` turns the answer of all that is not nil.
package enum ColumnTest {
  /// Nil when true, anything else when false.
  case isNull(Bool)
  /// From `lower` to `upper`, both included; nothing when `lower` is above `upper`.
  case integers(lower: Int, upper: Int, inverted: Bool, null: Bool)
  case integerSet(Set<Int>, inverted: Bool, null: Bool)
  /// Doubles and floats between bounds, which are themselves inside unless open; NaN never is.
  case doubles(
    lower: Double, upper: Double, openLower: Bool, openUpper: Bool, inverted: Bool, null: Bool)
  /// Points in time from `lower` to `upper`, both included, as (seconds, nanoseconds).
  case dates(lower: (Int, Int32), upper: (Int, Int32), inverted: Bool, null: Bool)
  /// Numbers of objects, by the bits of a mask for each block.
  case numbers([SIMD4<UInt64>], null: Bool)
  case bytesEqual([UInt8], inverted: Bool, null: Bool)
  /// Bytes that begin so; nil does not.
  case bytesPrefix([UInt8])
  /// Bytes between bounds, which are themselves inside unless open; nil is outside, no bound is none.
  case bytesRange(lower: [UInt8]?, upper: [UInt8]?, openLower: Bool, openUpper: Bool)
  /// Any of these, which are in order.
  case bytesSet([[UInt8]], null: Bool)
  /// Whatever the closure says of the bytes, which are lent for the call only.
  case bytes(null: Bool, (UnsafeRawBufferPointer) -> Bool)
}

extension ColumnTest {
  /// The answer for nil.
  var acceptsNull: Bool {
    switch self {
    case .isNull(let null), .integers(_, _, _, let null), .integerSet(_, _, let null),
      .numbers(_, let null), .doubles(_, _, _, _, _, let null), .dates(_, _, _, let null),
      .bytesEqual(_, _, let null), .bytesSet(_, let null), .bytes(let null, _):
      null
    case .bytesPrefix, .bytesRange: false
    }
  }

  /// Whether the answer is turned for what is not nil.
  var isInverted: Bool {
    switch self {
    case .integers(_, _, let inverted, _), .integerSet(_, let inverted, _),
      .doubles(_, _, _, _, let inverted, _), .dates(_, _, let inverted, _),
      .bytesEqual(_, let inverted, _):
      inverted
    case .isNull, .numbers, .bytesPrefix, .bytesRange, .bytesSet, .bytes: false
    }
  }
}
