import HeraldModel

// What the shape of a query keeps of a comparison that varies: two integers, its keys.

extension ColumnCondition {
  /// Whether both compare the same property in the same way, perhaps with other bounds.
  func isAlike(_ other: ColumnCondition) -> Bool {
    classID == other.classID && property == other.property && test.isAlike(other.test)
  }
}

extension ColumnCondition {
  /// What the comparison is equal to; nil for one that has no keys.
  var shapePart: QueryShape.Part? {
    if let keyBounds { return .within(keyBounds) }
    guard case .texts? = test.shapeKind, let keys = test.keys else { return nil }
    return .equal(property, ShortText(keys.lower, keys.upper))
  }
}

extension ColumnTest {
  /// The kind of the keys; nil for a test that has none.
  var shapeKind: ShapeText.Kind? {
    switch self {
    case .integers: .integers
    case .doubles: .doubles
    case .bytesEqual: .texts
    case .isNull, .integerSet, .dates, .numbers, .bytesPrefix, .bytesRange, .bytesSet, .bytes: nil
    }
  }

  /// The keys of the bounds of an interval of numbers, or the two integers of a short string; nil for another test, and
  /// where a bound is not found again from its key: both zeros have one, and NaN has none.
  var keys: (lower: Int, upper: Int)? {
    switch self {
    case .integers(let lower, let upper, inverted: false, null: false): return (lower, upper)
    case .doubles(let lower, let upper, _, _, inverted: false, null: false):
      guard let lower = lower.exactKey, let upper = upper.exactKey else { return nil }
      return (lower, upper)
    case .bytesEqual(let bytes, inverted: false, null: false):
      return ShortText(bytes).map { ($0.lower, $0.upper) }
    case .isNull, .integers, .integerSet, .doubles, .dates, .numbers, .bytesEqual, .bytesPrefix,
      .bytesRange, .bytesSet, .bytes:
      return nil
    }
  }

  /// The same test with other keys.
  func with(_ lower: Int, _ upper: Int) -> ColumnTest {
    switch self {
    case .integers(_, _, let inverted, let null):
      .integers(lower: lower, upper: upper, inverted: inverted, null: null)
    case .doubles(_, _, let openLower, let openUpper, let inverted, let null):
      .doubles(
        lower: Double(intervalKey: lower), upper: Double(intervalKey: upper), openLower: openLower,
        openUpper: openUpper, inverted: inverted, null: null)
    case .bytesEqual(_, let inverted, let null):
      .bytesEqual(ShortText(lower, upper).bytes, inverted: inverted, null: null)
    case .isNull, .integerSet, .dates, .numbers, .bytesPrefix, .bytesRange, .bytesSet, .bytes: self
    }
  }

  /// Whether both, which have keys, differ at most in their bounds.
  func isAlike(_ other: ColumnTest) -> Bool {
    switch (self, other) {
    case (.integers, .integers), (.bytesEqual, .bytesEqual): true
    case (
      .doubles(_, _, let openLower, let openUpper, _, _),
      .doubles(_, _, let otherLower, let otherUpper, _, _)
    ):
      openLower == otherLower && openUpper == otherUpper
    case _: false
    }
  }

  /// Whether both, which are alike, have the same bounds.
  func isSame(as other: ColumnTest) -> Bool {
    guard let keys, let others = other.keys else { return false }
    return keys == others
  }
}

extension Double {
  /// The interval key, if the number is found again from it.
  fileprivate var exactKey: Int? {
    guard let key = intervalKey, Double(intervalKey: key).bitPattern == bitPattern else {
      return nil
    }
    return key
  }

  /// The number with an interval key; the positive one of both zeros.
  init(intervalKey key: Int) {
    self.init(bitPattern: UInt64(bitPattern: Int64(key >= 0 ? key : Int.min &- key)))
  }
}
