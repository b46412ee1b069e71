import HeraldModel

/// Index ranges that contain every object that a condition holds for.
struct IndexLookup: Sendable {
  let property: PropertyID
  let ranges: [IndexRange<Value>]
  /// Whether the condition holds for every object in the ranges.
  let isExact: Bool
}

extension Condition {
  /// Returns the index lookup for the condition; nil if there is no index, or it does not apply.
  func lookup(of classID: ClassID, in schema: Schema) -> IndexLookup? {
    switch self {
    case .column(let column):
      guard let found = schema.indexed(column.property, of: classID),
        let (ranges, isExact) = column.test.ranges(of: found.type.element)
      else { return nil }
      return IndexLookup(property: column.property, ranges: ranges, isExact: isExact)
    case .values(let values):
      guard case .path(let path) = values.operand.kind, let property = path.ownColumn,
        let found = schema.indexed(property, of: classID)
      else { return nil }
      if let lookup = values.lookup {
        let ranges = lookup.map(IndexRange.equal)
        return IndexLookup(property: property, ranges: ranges, isExact: false)
      }
      guard let ranges = values.test.ranges(of: found.type.element) else { return nil }
      return IndexLookup(property: property, ranges: ranges, isExact: false)
    case .constant, .all, .any, .not, .pair, .function: return nil
    }
  }
}

extension Schema {
  fileprivate func indexed(_ property: PropertyID, of classID: ClassID) -> PropertySchema? {
    guard let found = classSchema(classID)?.property(property),
      found.isIndexed || found.isPrimaryKey
    else { return nil }
    return found
  }
}

extension ColumnTest {
  /// Returns ranges that contain every value that passes, and whether they contain no other; nil if an
  /// index does not apply.
  fileprivate func ranges(of element: ElementType) -> ([IndexRange<Value>], isExact: Bool)? {
    switch self {
    case .isNull(true): return ([.equal(.null)], true)
    case .isNull(false), .numbers, .bytes: return nil
    case .integers(_, _, true, _), .integerSet(_, true, _), .doubles(_, _, _, _, true, _),
      .dates(_, _, true, _), .bytesEqual(_, true, _):
      return nil
    case .integers(let lower, let upper, false, let null):
      if lower > upper { return (orNull(null), true) }
      let range: IndexRange<Value> =
        lower == upper ? .equal(.int(lower)) : .between(.int(lower), .int(upper))
      return ([range] + orNull(null), true)
    case .integerSet(let set, false, let null):
      return (set.sorted().map { .equal(.int($0)) } + orNull(null), true)
    case .doubles(let lower, let upper, _, _, false, let null):
      if lower > upper { return (orNull(null), true) }
      return ([numbers(lower, upper, element)] + orNull(null), false)
    case .dates(let lower, let upper, false, let null):
      if lower > upper { return (orNull(null), true) }
      let range: IndexRange<Value> =
        lower == upper ? .equal(.date(lower)) : .between(.date(lower), .date(upper))
      return ([range] + orNull(null), true)
    case .bytesEqual(let bytes, false, let null):
      return ([.equal(.data(bytes))] + orNull(null), false)
    case .bytesPrefix(let prefix): return ([.prefix(prefix)], false)
    case .bytesRange(let lower, let upper, _, _):
      return ([.between(lower.map(Value.data), upper.map(Value.data))], false)
    case .bytesSet(let sorted, let null):
      var ranges = orNull(null)
      for bytes in sorted where ranges.last != .equal(.data(bytes)) {
        ranges.append(.equal(.data(bytes)))
      }
      return (ranges, false)
    }
  }

  private func orNull(_ null: Bool) -> [IndexRange<Value>] { null ? [.equal(.null)] : [] }

  /// Returns the range of a numeric column; for floats, the bounds are rounded outward.
  private func numbers(_ lower: Double, _ upper: Double, _ element: ElementType) -> IndexRange<
    Value
  > {
    guard element == .float else { return .between(.double(lower), .double(upper)) }
    let (low, high) = (Float(lower), Float(upper))
    return .between(
      .float(Double(low) > lower ? low.nextDown : low),
      .float(Double(high) < upper ? high.nextUp : high))
  }
}

extension ElementTest {
  /// Returns the ranges for types without column tests.
  fileprivate func ranges(of element: ElementType) -> [IndexRange<Value>]? {
    switch self {
    case .constant(false): return []
    case .relation(let relation, let constant, foldsCase: false):
      return range(relation, constant, element).map { [$0] }
    case .any(let tests):
      var all: [IndexRange<Value>] = []
      for test in tests {
        guard let ranges = test.ranges(of: element) else { return nil }
        all += ranges
      }
      // Overlapping ranges would return an object twice.
      return all.allSatisfy(\.isEquality) ? all.withoutDuplicates : nil
    case .all(let tests):
      let found = tests.compactMap { $0.ranges(of: element) }
      guard let first = found.first else { return nil }
      return found.dropFirst().reduce(first) { both, next in
        guard both.count == 1, next.count == 1 else { return both }
        return [both[0].narrowed(by: next[0])]
      }
    case .constant(true), .relation, .column, .number, .type, .whole, .not: return nil
    }
  }

  private func range(
    _ relation: Relation, _ constant: Value, _ element: ElementType
  ) -> IndexRange<Value>? {
    if constant.isNull { return relation == .equal ? .equal(.null) : nil }
    guard let bound = bound(constant, element) else { return nil }
    switch relation {
    case .equal: return .equal(bound)
    case .less, .lessOrEqual: return .between(nil, bound)
    case .greater, .greaterOrEqual: return .between(bound, nil)
    case .notEqual, .beginsWith, .endsWith, .contains, .like, .matches: return nil
    }
  }

  /// Returns the constant coerced to the type; nil if it has another type.
  private func bound(_ constant: Value, _ element: ElementType) -> Value? {
    switch (element, constant) {
    case (.decimal, .int(let value)): .decimal(Decimal128(value))
    case (.decimal, .decimal(let value)) where !value.isNaN: constant
    case (.uuid, .uuid), (.objectID, .objectID): constant
    default: nil
    }
  }
}

extension IndexRange<Value> {
  fileprivate var isEquality: Bool {
    if case .equal = self { true } else { false }
  }

  /// Returns the intersection of two ranges bounded on opposite sides; else this range.
  fileprivate func narrowed(by other: IndexRange<Value>) -> IndexRange<Value> {
    switch (self, other) {
    case (.between(let lower?, nil), .between(nil, let upper?)),
      (.between(nil, let upper?), .between(let lower?, nil)):
      .between(lower, upper)
    default: self
    }
  }
}
