import HeraldModel

extension ColumnTest {
  /// Whether the values that pass form an interval.
  var isSpan: Bool {
    switch self {
    case .integers(_, _, inverted: false, null: false), .dates(_, _, inverted: false, null: false),
      .bytesRange:
      true
    case .doubles(let lower, let upper, _, _, inverted: false, null: false):
      !lower.isNaN && !upper.isNaN
    case .isNull, .integers, .integerSet, .doubles, .dates, .numbers, .bytesEqual, .bytesPrefix,
      .bytesSet, .bytes:
      false
    }
  }

  /// Returns the intersection of two intervals of one type; nil for other tests.
  func intersection(_ other: ColumnTest) -> ColumnTest? {
    guard isSpan, other.isSpan else { return nil }
    switch (self, other) {
    case (.integers(let a, let b, _, _), .integers(let c, let d, _, _)):
      return .integers(lower: max(a, c), upper: min(b, d), inverted: false, null: false)
    case (.dates(let a, let b, _, _), .dates(let c, let d, _, _)):
      return .dates(lower: max(a, c), upper: min(b, d), inverted: false, null: false)
    case (
      .doubles(let a, let b, let openA, let openB, _, _),
      .doubles(let c, let d, let openC, let openD, _, _)
    ):
      let lower = SpanEnd(a, isOpen: openA).stricter(SpanEnd(c, isOpen: openC), >)
      let upper = SpanEnd(b, isOpen: openB).stricter(SpanEnd(d, isOpen: openD), <)
      return .doubles(
        lower: lower.bound, upper: upper.bound, openLower: lower.isOpen, openUpper: upper.isOpen,
        inverted: false, null: false)
    case (
      .bytesRange(let a, let b, let openA, let openB),
      .bytesRange(let c, let d, let openC, let openD)
    ):
      let lower = SpanEnd(a, isOpen: openA).stricter(SpanEnd(c, isOpen: openC)) {
        isStricter($0, $1) { byteOrder(of: $0, $1) > 0 }
      }
      let upper = SpanEnd(b, isOpen: openB).stricter(SpanEnd(d, isOpen: openD)) {
        isStricter($0, $1) { byteOrder(of: $0, $1) < 0 }
      }
      return .bytesRange(
        lower: lower.bound, upper: upper.bound, openLower: lower.isOpen, openUpper: upper.isOpen)
    default: return nil
    }
  }
}

/// One bound of an interval.
private struct SpanEnd<Bound> {
  let bound: Bound
  /// Whether the bound itself is excluded.
  let isOpen: Bool

  init(_ bound: Bound, isOpen: Bool) {
    self.bound = bound
    self.isOpen = isOpen
  }

  /// Returns the tighter bound.
  func stricter(_ other: SpanEnd, _ isStricter: (Bound, Bound) -> Bool) -> SpanEnd {
    if isStricter(bound, other.bound) { return self }
    if isStricter(other.bound, bound) { return other }
    return SpanEnd(bound, isOpen: isOpen || other.isOpen)
  }
}

/// Returns whether the first bound is tighter; nil is unbounded.
private func isStricter(
  _ bound: [UInt8]?, _ other: [UInt8]?, _ isBeyond: ([UInt8], [UInt8]) -> Bool
) -> Bool {
  guard let bound else { return false }
  guard let other else { return true }
  return isBeyond(bound, other)
}
