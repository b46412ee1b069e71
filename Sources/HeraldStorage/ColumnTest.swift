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
  case bytesEqual([UInt8], inverted: Bool, null: Bool)
  /// Whatever the closure says of the bytes, which are lent for the call only.
  case bytes(null: Bool, (UnsafeRawBufferPointer) -> Bool)
}
