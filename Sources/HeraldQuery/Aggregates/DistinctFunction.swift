import HeraldModel

/// `@distinct`: how many different values there are. Nil does not count; numbers that are equal are one value.
struct DistinctFunction: AggregateFunction {
  var word: String { "@distinct" }

  func accepts(_ element: ElementType) -> Bool { true }
  func type(of element: ElementType) -> ElementType { .int }
  func isFollowedExactly(_ element: ElementType) -> Bool { true }

  func accumulator(of element: ElementType, isFollowed: Bool) -> any Accumulator {
    if isFollowed { return CountedValues() }
    switch element {
    case .int: return DifferentIntegers()
    case .double, .float: return DifferentDoubles()
    case .bool, .string, .data, .date, .decimal, .uuid, .objectID, .any, .link:
      return DifferentValues()
    }
  }
}

// MARK: Values that come and go

private final class CountedValues: Accumulators {
  @exclusivity(unchecked) var groups = GroupTotals<ValueCounts>()
  func value(_ total: ValueCounts, _ count: Int) -> Value { .int(total.counts.count) }
}

/// How often each value is there.
private struct ValueCounts: AggregateTotal {
  private(set) var counts: [Value: Int] = [:]

  mutating func change(_ value: Value, by sign: Int) -> Bool {
    if value.isNull { return false }
    let key = value.groupKey
    let count = counts[key, default: 0] + sign
    counts[key] = count == 0 ? nil : count
    return true
  }

  mutating func add(_ other: Self) { counts.merge(other.counts) { $0 + $1 } }
}

// MARK: Values that stay

private final class DifferentValues: Accumulators {
  @exclusivity(unchecked) var groups = GroupTotals<ValueSet>()
  func value(_ total: ValueSet, _ count: Int) -> Value { .int(total.values.count) }
}

private struct ValueSet: AggregateTotal {
  private(set) var values: Set<Value> = []

  mutating func change(_ value: Value, by sign: Int) -> Bool {
    assert(sign > 0, "a value that is removed from what is not followed")
    if value.isNull { return false }
    values.insert(value.groupKey)
    return true
  }

  mutating func add(_ other: Self) { values.formUnion(other.values) }
}

// MARK: Numbers that stay

private final class DifferentIntegers: NumberAccumulators {
  @exclusivity(unchecked) var groups = GroupTotals<NumberSet<Int>>()
  func value(_ total: NumberSet<Int>, _ count: Int) -> Value { .int(total.count) }
}

private final class DifferentDoubles: NumberAccumulators {
  @exclusivity(unchecked) var groups = GroupTotals<NumberSet<Double>>()
  func value(_ total: NumberSet<Double>, _ count: Int) -> Value { .int(total.count) }
}

/// Different numbers; NaN, which no number equals, is one.
private struct NumberSet<Number: ColumnNumber & Hashable>: NumberTotal {
  private var numbers: Set<Number> = []
  private var hasNaN = false
  static var countsNaN: Bool { true }
  var count: Int { numbers.count + (hasNaN ? 1 : 0) }

  mutating func change(_ value: Value, by sign: Int) -> Bool {
    assert(sign > 0, "a value that is removed from what is not followed")
    guard let number = Number(value) else { return false }
    add(number)
    return true
  }

  mutating func add(_ number: Number) {
    if number == number { numbers.insert(number) } else { hasNaN = true }
  }

  mutating func add(_ other: Self) {
    numbers.formUnion(other.numbers)
    hasNaN = hasNaN || other.hasNaN
  }
}
