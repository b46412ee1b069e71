package import HeraldModel

// Equality and order of values.
//
// Sorting needs a total order: nil, then values of one type by that type's order (NaN before every
// number; false before true; strings by code point; data byte by byte; links by class, then by
// creation; lists element by element; maps by key, then value, entry by entry). Numbers of different
// types compare by their exact value, except that a double that is not an int counts as the shortest
// decimal that is read back as it. Values of different types, which only an `any` can mix, have the
// order of their types: nil, bool, number, string, data, date, objectid, uuid, link, list, map.

extension Value {
  /// Compares in the order of `sort`; returns a negative number, 0 or a positive number.
  package static func order(_ a: Value, _ b: Value) -> Int {
    switch (a, b) {
    case (.int(let a), .int(let b)): sign(a, b)
    case (.string(let a), .string(let b)): a.byteOrder(b)
    case (.date(let a), .date(let b)): sign(a, b)
    case (.bool(let a), .bool(let b)): sign(a ? 1 : 0, b ? 1 : 0)
    case (.link(let a), .link(let b)): sign(a, b)
    case (.data(let a), .data(let b)): byteOrder(of: a, b)
    case (.objectID(let a), .objectID(let b)): sign(a, b)
    case (.uuid(let a), .uuid(let b)): sign(a, b)
    case (.list(let a), .list(let b)): order(of: a, b, order)
    case (.map(let a), .map(let b)): order(of: a.inKeyOrder, b.inKeyOrder, entryOrder)
    default: numericOrder(a, b) ?? sign(a.typeRank, b.typeRank)
    }
  }

  /// Compares two numbers of any types, NaN first; nil if either is not a number.
  private static func numericOrder(_ a: Value, _ b: Value) -> Int? {
    guard let left = a.number?.whole, let right = b.number?.whole else { return nil }
    if let order = Number.order(left, right) { return order }
    return sign(left.isNaN ? 0 : 1, right.isNaN ? 0 : 1)
  }

  /// Compares by the first two elements that differ, then by length.
  private static func order<T>(of a: [T], _ b: [T], _ order: (T, T) -> Int) -> Int {
    for (left, right) in zip(a, b) {
      let difference = order(left, right)
      if difference != 0 { return difference }
    }
    return a.count - b.count
  }

  private static func entryOrder(
    _ a: (key: String, value: Value), _ b: (key: String, value: Value)
  ) -> Int {
    let difference = a.key.byteOrder(b.key)
    return difference == 0 ? order(a.value, b.value) : difference
  }

  private static func sign<T: Comparable>(_ a: T, _ b: T) -> Int { a < b ? -1 : a > b ? 1 : 0 }

  /// The rank of the value's type in the order of types.
  var typeRank: Int {
    switch self {
    case .null: 0
    case .bool: 1
    case .int, .float, .double, .decimal: 2
    case .string: 3
    case .data: 4
    case .date: 5
    case .objectID: 6
    case .uuid: 7
    case .link: 8
    case .list: 9
    case .map: 10
    }
  }

  /// The value as a number; nil if it is not one.
  var number: Number? {
    switch self {
    case .int(let value): .integer(value)
    case .float(let value): .floating(Double(value))
    case .double(let value): .floating(value)
    case .decimal(let value): .decimal(value)
    case .null, .bool, .string, .data, .date, .uuid, .objectID, .link, .list, .map: nil
    }
  }

  /// The double nearest to a number; nil for what is none.
  package var asDouble: Double? { number?.asDouble }
}

/// Compares two byte strings lexicographically.
func byteOrder(of a: [UInt8], _ b: [UInt8]) -> Int {
  for (left, right) in zip(a, b) where left != right { return left < right ? -1 : 1 }
  return a.count - b.count
}

extension Value {
  /// A canonical value for grouping, equal for all values that are equal in the total order: numbers of
  /// different types, which an `any` can hold, have equal keys if they compare as equal.
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
