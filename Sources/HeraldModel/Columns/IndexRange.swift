/// A range of the values of an indexed property: of `Value`s in a query, of stored values in an index.
package enum IndexRange<Bound> {
  case equal(Bound)
  /// Inclusive bounds, nil for none; the range does not contain nil.
  case between(Bound?, Bound?)
  /// Strings or data with this prefix.
  case prefix([UInt8])

  package func map<Other>(_ transform: (Bound) -> Other) -> IndexRange<Other> {
    switch self {
    case .equal(let value): .equal(transform(value))
    case .between(let lower, let upper): .between(lower.map(transform), upper.map(transform))
    case .prefix(let prefix): .prefix(prefix)
    }
  }
}

extension IndexRange: Sendable where Bound: Sendable {}
extension IndexRange: Equatable where Bound: Equatable {}
extension IndexRange: Hashable where Bound: Hashable {}
