package import HeraldModel

extension Value {
  /// A value that is equal to that of every value of the same place in the total order: numbers of
  /// different types, which an `any` can hold, are equal where their exact values are.
  package var groupKey: Value {
    switch self {
    case .double(let value): value.groupKey
    case .float(let value): Double(value).groupKey
    case .decimal(let value): value.isNaN ? .double(.nan) : value.groupKey
    case .list(let values): .list(values.map(\.groupKey))
    case .map(let entries): .map(entries.mapValues(\.groupKey))
    case .null, .bool, .int, .string, .data, .date, .uuid, .objectID, .link: self
    }
  }
}

extension Double {
  fileprivate var groupKey: Value {
    if let integer = Int(exactly: self) { return .int(integer) }
    return isFinite ? .decimal(Decimal128(self)) : .double(self)
  }
}

extension Decimal128 {
  fileprivate var groupKey: Value {
    if isInfinite { return .double(Double(self)) }
    return Int(exactly: self).map(Value.int) ?? .decimal(self)
  }
}
