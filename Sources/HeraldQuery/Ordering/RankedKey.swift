package import HeraldModel

/// The first key of an order, if all its values have ranks: 64 bits that order as the key orders its values, wherever
/// two of them differ.
package struct RankedKey: Sendable {
  private let element: ElementType
  private let isAscending: Bool
  /// The rank of nil, which values may share.
  package let rankOfNull: UInt64
  /// Whether rows of equal ranks, but for that of nil, are equal in the whole order.
  package let isExact: Bool

  /// Returns nil if values of the key may have no rank.
  package init?(_ order: SortOrder, _ schema: Schema) {
    guard let key = order.keys.first, key.isOfPath, let last = key.path.steps.last,
      key.path.steps.allSatisfy({ $0.positions.isEmpty }),
      case .property(let property) = last.kind,
      let element = schema.classSchema(last.classID)?.property(property)?.type.element
    else { return nil }
    switch element {
    case .bool, .int, .double: isExact = order.keys.count == 1
    case .string, .date: isExact = false
    case .float, .data, .decimal, .uuid, .objectID, .any, .link: return nil
    }
    self.element = element
    isAscending = key.isAscending
    rankOfNull = isAscending ? 0 : .max
  }

  /// Returns the rank of a value; nil if its type is not that of the key.
  package func rank(of value: Value) -> UInt64? {
    let rank: UInt64
    switch value {
    case .null: return rankOfNull
    case .int(let value) where element == .int: rank = value.sortRank
    case .double(let value) where element == .double: rank = value.sortRank
    case .bool(let value) where element == .bool: rank = (value ? 1 : 0).sortRank
    case .string(let value) where element == .string: rank = value.sortRank
    case .date(let value) where element == .date: rank = value.seconds.sortRank
    case .int, .double, .bool, .string, .date, .float, .data, .decimal, .uuid, .objectID, .link,
      .list, .map:
      return nil
    }
    return isAscending ? rank : ~rank
  }
}

extension SortOrder {
  /// Returns the value of the first key of an object; nil without keys.
  package func firstValue(of number: ObjectNumber, _ reader: any ObjectReader) -> Value {
    keys.first?.value(of: number, reader) ?? .null
  }
}
