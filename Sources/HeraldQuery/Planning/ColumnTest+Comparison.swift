import HeraldModel

extension ColumnTest {
  /// Returns the test that compares a column's values with a constant; nil if no test expresses it (the
  /// result is then the same for every value, or the relation does not apply to the type).
  ///
  /// `constant` has the column's type, or is any number for a numeric column.
  static func comparing(
    _ element: ElementType, _ relation: Relation, _ constant: Value, foldsCase: Bool
  ) -> ColumnTest? {
    if constant.isNull { return relation.isEquality ? .isNull(relation == .equal) : nil }
    switch element {
    case .bool:
      guard case .bool(let value) = constant else { return nil }
      return integers(relation, value ? 1 : 0)
    case .int:
      switch constant.number {
      case .integer(let value): return integers(relation, value)
      case .floating(let value): return integers(relation, value)
      case .decimal(let value): return integers(relation, value)
      case nil: return nil
      }
    case .float, .double:
      switch constant.number {
      case .integer(let value): return doubles(relation, value)
      case .floating(let value): return doubles(relation, value, isExact: true)
      case .decimal(let value): return doubles(relation, value)
      case nil: return nil
      }
    case .date:
      guard case .date(let value) = constant else { return nil }
      return dates(relation, value)
    case .link:
      guard case .link(let object) = constant, relation.isEquality else { return nil }
      return integers(relation, object.number)
    case .string, .data:
      return bytes(relation, constant, foldsCase: foldsCase)
    case .decimal, .uuid, .objectID, .any: return nil
    }
  }

  private static func integers(_ relation: Relation, _ value: Int) -> ColumnTest? {
    switch relation {
    case .equal: range(value, value)
    case .notEqual: .integers(lower: value, upper: value, inverted: true, null: true)
    case .less: value == .min ? range(1, 0) : range(.min, value - 1)
    case .lessOrEqual: range(.min, value)
    case .greater: value == .max ? range(1, 0) : range(value + 1, .max)
    case .greaterOrEqual: range(value, .max)
    case .beginsWith, .endsWith, .contains, .like, .matches: nil
    }
  }

  private static func range(_ lower: Int, _ upper: Int) -> ColumnTest {
    .integers(lower: lower, upper: upper, inverted: false, null: false)
  }

  /// Compares a column of ints with a number that may be fractional or outside the range of Int.
  private static func integers(_ relation: Relation, _ value: Double) -> ColumnTest? {
    if let integer = Int(exactly: value) { return integers(relation, integer) }
    switch relation {
    case .equal: return range(1, 0)
    case .notEqual: return .integers(lower: 1, upper: 0, inverted: true, null: true)
    case .less, .lessOrEqual:
      if value.isNaN || value < -0x1p63 { return range(1, 0) }
      return range(.min, value >= 0x1p63 ? .max : Int(value.rounded(.down)))
    case .greater, .greaterOrEqual:
      if value.isNaN || value >= 0x1p63 { return range(1, 0) }
      return range(value < -0x1p63 ? .min : Int(value.rounded(.up)), .max)
    case .beginsWith, .endsWith, .contains, .like, .matches: return nil
    }
  }

  /// Compares a column of ints with a decimal, which may be fractional or outside the range of Int.
  private static func integers(_ relation: Relation, _ value: Decimal128) -> ColumnTest? {
    if let integer = Int(exactly: value) { return integers(relation, integer) }
    if value.isNaN { return integers(relation, Double.nan) }
    guard value.compare(to: Int.min) > 0 else { return integers(relation, -Double.infinity) }
    guard value.compare(to: Int.max) < 0 else { return integers(relation, Double.infinity) }
    // The decimal is between this int and the next one.
    let below = value.wholePart
    switch relation {
    case .equal: return range(1, 0)
    case .notEqual: return .integers(lower: 1, upper: 0, inverted: true, null: true)
    case .less, .lessOrEqual: return range(.min, below)
    case .greater, .greaterOrEqual: return range(below + 1, .max)
    case .beginsWith, .endsWith, .contains, .like, .matches: return nil
    }
  }

  private static func doubles(_ relation: Relation, _ value: Int) -> ColumnTest? {
    doubles(relation, .integer(value), nearest: Double(value))
  }

  private static func doubles(_ relation: Relation, _ value: Decimal128) -> ColumnTest? {
    doubles(relation, .decimal(value), nearest: Double(value))
  }

  /// Compares a column of floats or doubles with a number that may not be exact as a double.
  private static func doubles(
    _ relation: Relation, _ value: Number, nearest: Double
  ) -> ColumnTest? {
    let order = Number.order(value, .floating(nearest)) ?? 0
    if order == 0 { return doubles(relation, nearest, isExact: true) }
    switch relation {
    case .equal, .notEqual: return doubles(relation, nearest, isExact: false)
    // No double is between the number and the double nearest to it.
    case .less, .lessOrEqual:
      return doubles(order < 0 ? .less : .lessOrEqual, nearest, isExact: true)
    case .greater, .greaterOrEqual:
      return doubles(order < 0 ? .greaterOrEqual : .greater, nearest, isExact: true)
    case .beginsWith, .endsWith, .contains, .like, .matches: return nil
    }
  }

  /// `isExact` is false if no double equals the constant.
  private static func doubles(
    _ relation: Relation, _ value: Double, isExact: Bool
  ) -> ColumnTest? {
    let infinity = Double.infinity
    let (lower, upper, isOpen): (Double, Double, Bool)
    switch relation {
    case .equal, .notEqual:
      // NaN equals nothing, itself included.
      let hasEqual = isExact && !value.isNaN
      (lower, upper, isOpen) = hasEqual ? (value, value, false) : (infinity, -infinity, false)
    case .less: (lower, upper, isOpen) = (-infinity, value, true)
    case .lessOrEqual: (lower, upper, isOpen) = (-infinity, value, false)
    case .greater: (lower, upper, isOpen) = (value, infinity, true)
    case .greaterOrEqual: (lower, upper, isOpen) = (value, infinity, false)
    case .beginsWith, .endsWith, .contains, .like, .matches: return nil
    }
    let isLess = relation == .less
    return .doubles(
      lower: lower, upper: upper, openLower: isOpen && !isLess, openUpper: isOpen && isLess,
      inverted: relation == .notEqual, null: relation == .notEqual)
  }

  private static func dates(_ relation: Relation, _ value: Timestamp) -> ColumnTest? {
    let earliest = Timestamp(seconds: .min)
    let latest = Timestamp(seconds: .max, nanoseconds: 999_999_999)
    let (lower, upper): (Timestamp, Timestamp)
    switch relation {
    case .equal, .notEqual: (lower, upper) = (value, value)
    case .less: (lower, upper) = value == earliest ? (latest, earliest) : (earliest, value.previous)
    case .lessOrEqual: (lower, upper) = (earliest, value)
    case .greater: (lower, upper) = value == latest ? (latest, earliest) : (value.next, latest)
    case .greaterOrEqual: (lower, upper) = (value, latest)
    case .beginsWith, .endsWith, .contains, .like, .matches: return nil
    }
    let isInverted = relation == .notEqual
    return .dates(lower: lower, upper: upper, inverted: isInverted, null: isInverted)
  }

  private static func bytes(
    _ relation: Relation, _ constant: Value, foldsCase: Bool
  ) -> ColumnTest? {
    guard let pattern = constant.searchedBytes(foldsCase: foldsCase) else { return nil }
    let isText = if case .string = constant { true } else { false }
    if relation.isEquality && !foldsCase {
      let isInverted = relation == .notEqual
      return .bytesEqual(pattern, inverted: isInverted, null: isInverted)
    }
    if let isOrdered = orderTest(relation) {
      guard foldsCase else { return bytes(relation, pattern) }
      return .bytes(null: false) { bytes in
        bytes.withFoldedCase(isText: isText) { isOrdered($0.order(to: pattern)) }
      }
    }
    if relation == .beginsWith && !foldsCase { return .bytesPrefix(pattern) }
    let search = TextSearch(relation: relation, pattern: pattern)
    let isInverted = relation == .notEqual
    guard foldsCase else { return .bytes(null: false) { search.matches($0) } }
    return .bytes(null: isInverted) { bytes in
      if relation == .beginsWith, let known = bytes.beginsFolded(with: pattern) { return known }
      return bytes.withFoldedCase(isText: isText, search.matches) != isInverted
    }
  }

  private static func bytes(_ relation: Relation, _ bound: [UInt8]) -> ColumnTest {
    let isBelow = relation == .less || relation == .lessOrEqual
    let isOpen = relation == .less || relation == .greater
    return .bytesRange(
      lower: isBelow ? nil : bound, upper: isBelow ? bound : nil, openLower: isOpen && !isBelow,
      openUpper: isOpen && isBelow)
  }

  private static func orderTest(_ relation: Relation) -> (@Sendable (Int) -> Bool)? {
    switch relation {
    case .less: { $0 < 0 }
    case .lessOrEqual: { $0 <= 0 }
    case .greater: { $0 > 0 }
    case .greaterOrEqual: { $0 >= 0 }
    case .equal, .notEqual, .beginsWith, .endsWith, .contains, .like, .matches: nil
    }
  }

}

extension ColumnTest {
  /// Returns the test for equality with any of several ints, Booleans, strings, data or links; nil for
  /// other types.
  static func membership(_ element: ElementType, _ constants: [Value]) -> ColumnTest? {
    let hasNull = constants.contains(.null)
    switch element {
    case .int, .bool, .link:
      var set: Set<Int> = []
      for constant in constants where !constant.isNull {
        guard
          case .integers(let lower, let upper, _, _)? = comparing(
            element, .equal, constant, foldsCase: false)
        else { return nil }
        if lower <= upper { set.insert(lower) }
      }
      return .integerSet(set, inverted: false, null: hasNull)
    case .string, .data:
      let sorted = constants.compactMap { $0.searchedBytes(foldsCase: false) }
        .sorted { $0.lexicographicallyPrecedes($1) }
      return .bytesSet(sorted, null: hasNull)
    case .float, .double, .date, .decimal, .uuid, .objectID, .any: return nil
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Compares lexicographically; returns a negative number, 0 or a positive number.
  func order(to other: [UInt8]) -> Int {
    for index in 0..<Swift.min(count, other.count) where self[index] != other[index] {
      return self[index] < other[index] ? -1 : 1
    }
    return count - other.count
  }
}

extension [UInt8] {
  fileprivate func order(to other: [UInt8]) -> Int { byteOrder(of: self, other) }
}

extension Decimal128 {
  /// The largest int below the number, which is between two ints. Searched here, since there are more ints than a
  /// collection can count.
  fileprivate var wholePart: Int {
    var low = Int.min
    var high = Int.max
    while low < high - 1 {
      let middle = low + Int((UInt(bitPattern: high) &- UInt(bitPattern: low)) / 2)
      if compare(to: middle) < 0 { high = middle } else { low = middle }
    }
    return low
  }
}

extension Timestamp {
  fileprivate var previous: Timestamp {
    nanoseconds == 0
      ? Timestamp(seconds: seconds - 1, nanoseconds: 999_999_999)
      : Timestamp(seconds: seconds, nanoseconds: nanoseconds - 1)
  }

  fileprivate var next: Timestamp {
    nanoseconds == 999_999_999
      ? Timestamp(seconds: seconds + 1) : Timestamp(seconds: seconds, nanoseconds: nanoseconds + 1)
  }
}
