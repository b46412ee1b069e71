import HeraldModel

/// What an index is asked for, so that every object that a condition holds for is among the answers.
struct IndexLookup: Sendable {
  let property: PropertyID
  let ranges: [IndexRange]
  /// Whether the condition holds for every answer.
  let isExact: Bool
}

extension Condition {
  /// What an index can be asked; nil where the property has none, or where none can tell.
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
  /// The ranges that hold every value for which the test is true, and whether they hold no other;
  /// nil where an index cannot tell.
  fileprivate func ranges(of element: ElementType) -> ([IndexRange], isExact: Bool)? {
    switch self {
    case .isNull(true): return ([.equal(.null)], true)
    case .isNull(false), .numbers, .bytes: return nil
    case .integers(_, _, true, _), .integerSet(_, true, _), .doubles(_, _, _, _, true, _),
      .dates(_, _, true, _), .bytesEqual(_, true, _):
      return nil
    case .integers(let lower, let upper, false, let null):
      if lower > upper { return (orNull(null), true) }
      let range: IndexRange =
        lower == upper ? .equal(.int(lower)) : .between(.int(lower), .int(upper))
      return ([range] + orNull(null), true)
    case .integerSet(let set, false, let null):
      return (set.sorted().map { .equal(.int($0)) } + orNull(null), true)
    case .doubles(let lower, let upper, _, _, false, let null):
      if lower > upper { return (orNull(null), true) }
      return ([numbers(lower, upper, element)] + orNull(null), false)
    case .dates(let lower, let upper, false, let null):
      if lower > upper { return (orNull(null), true) }
      let range: IndexRange =
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

  private func orNull(_ null: Bool) -> [IndexRange] { null ? [.equal(.null)] : [] }

  /// The range of a column of numbers; bounds that no float is are moved outward to one.
  private func numbers(_ lower: Double, _ upper: Double, _ element: ElementType) -> IndexRange {
    guard element == .float else { return .between(.double(lower), .double(upper)) }
    let (low, high) = (Float(lower), Float(upper))
    return .between(
      .float(Double(low) > lower ? low.nextDown : low),
      .float(Double(high) < upper ? high.nextUp : high))
  }
}

extension ElementTest {
  /// As for columns, of types whose columns are not tested as blocks.
  fileprivate func ranges(of element: ElementType) -> [IndexRange]? {
    switch self {
    case .constant(false): return []
    case .relation(let relation, let constant, foldsCase: false):
      return range(relation, constant, element).map { [$0] }
    case .any(let tests):
      var all: [IndexRange] = []
      for test in tests {
        guard let ranges = test.ranges(of: element) else { return nil }
        all += ranges
      }
      // Ranges that overlap would give an object twice.
      return all.allSatisfy(\.isEquality) ? all.withoutRepetition : nil
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
  ) -> IndexRange? {
    if constant.isNull { return relation == .equal ? .equal(.null) : nil }
    guard let bound = bound(constant, element) else { return nil }
    switch relation {
    case .equal: return .equal(bound)
    case .less, .lessOrEqual: return .between(nil, bound)
    case .greater, .greaterOrEqual: return .between(bound, nil)
    case .notEqual, .beginsWith, .endsWith, .contains, .like: return nil
    }
  }

  /// The constant as the type has it; nil where it is of another type.
  private func bound(_ constant: Value, _ element: ElementType) -> Value? {
    switch (element, constant) {
    case (.decimal, .int(let value)): .decimal(Decimal128(value))
    case (.decimal, .decimal(let value)) where !value.isNaN: constant
    case (.uuid, .uuid), (.objectID, .objectID): constant
    default: nil
    }
  }
}

extension IndexRange {
  fileprivate var isEquality: Bool {
    if case .equal = self { true } else { false }
  }

  /// The part of a range that lies in another one, where two halves make one; else the range.
  fileprivate func narrowed(by other: IndexRange) -> IndexRange {
    switch (self, other) {
    case (.between(let lower?, nil), .between(nil, let upper?)),
      (.between(nil, let upper?), .between(let lower?, nil)):
      .between(lower, upper)
    default: self
    }
  }
}
