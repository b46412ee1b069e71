package import HeraldModel

/// 64 bits of a value that order as values of the same type do, where they differ.
package struct ValueRank {
  private enum Kind { case bool, int, double, string, date }

  private let kind: Kind
  private let bits: UInt64

  /// Returns nil for nil, and for values whose types have no rank.
  @inline(__always)
  package init?(_ value: Value) {
    switch value {
    case .bool(let value): (kind, bits) = (.bool, (value ? 1 : 0).sortRank)
    case .int(let value): (kind, bits) = (.int, value.sortRank)
    case .double(let value): (kind, bits) = (.double, value.sortRank)
    case .string(let value): (kind, bits) = (.string, value.sortRank)
    case .date(let value): (kind, bits) = (.date, value.seconds.sortRank)
    case .null, .float, .data, .decimal, .uuid, .objectID, .link, .list, .map: return nil
    }
  }

  /// Compares with another rank; nil where the values have to be compared themselves.
  package func order(to other: ValueRank) -> Int? {
    guard kind == other.kind, bits != other.bits else { return nil }
    return bits < other.bits ? -1 : 1
  }
}
