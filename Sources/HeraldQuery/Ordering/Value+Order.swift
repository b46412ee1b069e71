package import HeraldModel

// Equality and order of values, in one place.
//
// Sorting needs a total order: nil, then values of one type by that type's order (NaN before every
// number, so that it has a place; false before true; strings by code point; data byte by byte; links
// by class, then by creation; lists element by element; maps by key, then value, entry by entry).
// Numbers of different types compare by their exact value, but a double that is not whole, or beyond
// the range of ints, stands for the decimal of the fewest digits that is read back as it. Values of
// different types, which only an
// `any` brings together, have the order of their types: nil, bool, number, string, data, date,
// objectid, uuid, link, list, map.

extension Value {
  /// The order of `sort`: negative, 0 or positive.
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

  /// The order of two numbers of any types, NaN first; nil where either is no number.
  private static func numericOrder(_ a: Value, _ b: Value) -> Int? {
    guard let left = a.number?.whole, let right = b.number?.whole else { return nil }
    if let order = Number.order(left, right) { return order }
    return sign(left.isNaN ? 0 : 1, right.isNaN ? 0 : 1)
  }

  /// The order of the first two elements that differ, then the shorter first.
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

  /// The place of the value's type among the types.
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

  /// The value as a number; nil where it is none.
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

/// A number of any type. Numbers compare by their exact value, but a double meets a decimal as the
/// one with the fewest digits that is read back as it: 0.1 equals the decimal 0.1.
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

  /// The number as an int, where it is a double that an int can hold. Without it the order had
  /// circles: above 2^53 a double's shortest decimal may be another number than its exact value,
  /// as which it meets ints.
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

  /// The number as a decimal: a double as the shortest one that is read back as it.
  var asDecimal: Decimal128 {
    switch self {
    case .integer(let value): Decimal128(value)
    case .floating(let value): Decimal128(value)
    case .decimal(let value): value
    }
  }

  /// Negative, 0 or positive; nil where either is not a number.
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
    // Every double of at least 2^63 in magnitude lies outside the range of Int.
    if b >= 0x1p63 { return -1 }
    if b < -0x1p63 { return 1 }
    let whole = b.rounded(.down)
    let integer = Int(whole)
    if a != integer { return a < integer ? -1 : 1 }
    return whole < b ? -1 : 0
  }
}

extension Decimal128 {
  /// The order by value, neither number being NaN.
  fileprivate func compare(to other: Number) -> Int {
    switch other {
    case .integer(let value): compare(to: value)
    case .floating(let value): compare(to: value)
    case .decimal(let value): compare(value)
    }
  }
}

/// The order of two byte strings: that of the first difference, then the shorter first.
func byteOrder(of a: [UInt8], _ b: [UInt8]) -> Int {
  for (left, right) in zip(a, b) where left != right { return left < right ? -1 : 1 }
  return a.count - b.count
}

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
