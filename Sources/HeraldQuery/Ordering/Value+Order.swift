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
}

/// A number of any type. Numbers compare by their exact value, except that a double is compared with a
/// decimal as the shortest decimal that is read back as it: 0.1 equals the decimal 0.1.
enum Number {
  case integer(Int)
  case floating(Double)
  case decimal(Decimal128)

  var isNaN: Bool {
    switch self {
    case .integer: false
    case .floating(let value): value.isNaN
    case .decimal(let value): value.isNaN
    }
  }

  var isDecimal: Bool { if case .decimal = self { true } else { false } }

  /// The number with a double replaced by the int of the same value, if there is one. Without it the
  /// order would not be transitive: above 2^53 a double's shortest decimal may differ from its exact
  /// value, which is compared with ints.
  fileprivate var whole: Number {
    if case .floating(let value) = self, let integer = Int(exactly: value) {
      return .integer(integer)
    }
    return self
  }

  var asDouble: Double {
    switch self {
    case .integer(let value): Double(value)
    case .floating(let value): value
    case .decimal(let value): Double(value)
    }
  }

  /// The number as a decimal: for a double, the shortest decimal that is read back as it.
  var asDecimal: Decimal128 {
    switch self {
    case .integer(let value): Decimal128(value)
    case .floating(let value): Decimal128(value)
    case .decimal(let value): value
    }
  }

  /// Compares two numbers; returns a negative number, 0 or a positive number, nil if either is NaN.
  static func order(_ a: Number, _ b: Number) -> Int? {
    switch (a, b) {
    case (.integer(let a), .integer(let b)): return a < b ? -1 : a > b ? 1 : 0
    case (.floating(let a), .floating(let b)):
      return a < b ? -1 : a > b ? 1 : a == b ? 0 : nil
    case (.integer(let a), .floating(let b)): return order(a, b)
    case (.floating(let a), .integer(let b)): return order(b, a).map { -$0 }
    case (.decimal(let a), _): return b.isNaN || a.isNaN ? nil : a.compare(to: b)
    case (_, .decimal(let b)): return b.isNaN || a.isNaN ? nil : -b.compare(to: a)
    }
  }

  /// Compares without rounding: above 2^53 a double cannot hold every integer.
  private static func order(_ a: Int, _ b: Double) -> Int? {
    if b.isNaN { return nil }
    // Doubles of at least 2^63, or below -2^63, are outside the range of Int.
    if b >= 0x1p63 { return -1 }
    if b < -0x1p63 { return 1 }
    let whole = b.rounded(.down)
    let integer = Int(whole)
    if a != integer { return a < integer ? -1 : 1 }
    return whole < b ? -1 : 0
  }
}

extension Decimal128 {
  /// Compares by value; neither number may be NaN.
  fileprivate func compare(to other: Number) -> Int {
    switch other {
    case .integer(let value): compare(to: value)
    case .floating(let value): compare(to: value)
    case .decimal(let value): compare(value)
    }
  }
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
