import HeraldModel

/// `@min` and `@max` of everything that has an order. NaN does not count; of equal values the first stays.
struct ExtremeFunction: AggregateFunction {
  let isLargest: Bool

  var word: String { isLargest ? "@max" : "@min" }

  func accepts(_ element: ElementType) -> Bool {
    !element.isLink
  }

  var needs: String { "values that have an order" }
  func type(of element: ElementType) -> ElementType { element }
  func isFollowedExactly(_ element: ElementType) -> Bool { true }

  func accumulator(of element: ElementType, isFollowed: Bool) -> any Accumulator {
    if isFollowed { return FollowedEnds(isLargest) }
    switch element {
    case .int: return isLargest ? LargestIntegers() : SmallestIntegers()
    case .double, .float: return isLargest ? LargestDoubles(element) : SmallestDoubles(element)
    case .bool, .string, .data, .date, .decimal, .uuid, .objectID, .any, .link:
      return isLargest ? LargestValues() : SmallestValues()
    }
  }
}

/// Which end of an order is wanted.
private protocol OrderEnd: Sendable {
  static var isLargest: Bool { get }
}
private enum Smallest: OrderEnd { static var isLargest: Bool { false } }
private enum Largest: OrderEnd { static var isLargest: Bool { true } }

// MARK: Values that come and go

private final class FollowedEnds: Accumulators {
  @exclusivity(unchecked) var groups = GroupTotals<OrderedTotal>()
  private let isLargest: Bool

  init(_ isLargest: Bool) { self.isLargest = isLargest }

  func value(_ total: OrderedTotal, _ count: Int) -> Value {
    (isLargest ? total.values.last : total.values.first) ?? .null
  }
}

private struct OrderedTotal: AggregateTotal {
  private(set) var values = OrderedValues()

  mutating func change(_ value: Value, by sign: Int) -> Bool {
    if value.isNull || value.number?.isNaN ?? false { return false }
    if sign > 0 { values.add(value) } else { values.remove(value) }
    return true
  }

  mutating func add(_ other: Self) { values.add(other.values) }
}

// MARK: Values that stay

private final class SmallestValues: Accumulators {
  @exclusivity(unchecked) var groups = GroupTotals<EndOfValues<Smallest>>()
  func value(_ total: EndOfValues<Smallest>, _ count: Int) -> Value { total.best }
}

private final class LargestValues: Accumulators {
  @exclusivity(unchecked) var groups = GroupTotals<EndOfValues<Largest>>()
  func value(_ total: EndOfValues<Largest>, _ count: Int) -> Value { total.best }
}

private struct EndOfValues<End: OrderEnd>: AggregateTotal {
  private(set) var best = Value.null

  mutating func change(_ value: Value, by sign: Int) -> Bool {
    assert(sign > 0, "a value that is removed from what is not followed")
    if value.isNull || value.number?.isNaN ?? false { return false }
    let order = best.isNull ? 0 : Value.order(value, best)
    if best.isNull || (End.isLargest ? order > 0 : order < 0) { best = value }
    return true
  }

  mutating func add(_ other: Self) { _ = change(other.best, by: 1) }
}

// MARK: Numbers that stay

private final class SmallestIntegers: NumberAccumulators {
  @exclusivity(unchecked) var groups = GroupTotals<EndOfNumbers<Int, Smallest>>()
  func value(_ total: EndOfNumbers<Int, Smallest>, _ count: Int) -> Value { total.value(count) }
}

private final class LargestIntegers: NumberAccumulators {
  @exclusivity(unchecked) var groups = GroupTotals<EndOfNumbers<Int, Largest>>()
  func value(_ total: EndOfNumbers<Int, Largest>, _ count: Int) -> Value { total.value(count) }
}

private final class SmallestDoubles: NumberAccumulators {
  @exclusivity(unchecked) var groups = GroupTotals<EndOfNumbers<Double, Smallest>>()
  let element: ElementType
  init(_ element: ElementType) { self.element = element }
  func value(_ total: EndOfNumbers<Double, Smallest>, _ count: Int) -> Value {
    total.value(count, of: element)
  }
}

private final class LargestDoubles: NumberAccumulators {
  @exclusivity(unchecked) var groups = GroupTotals<EndOfNumbers<Double, Largest>>()
  let element: ElementType
  init(_ element: ElementType) { self.element = element }
  func value(_ total: EndOfNumbers<Double, Largest>, _ count: Int) -> Value {
    total.value(count, of: element)
  }
}

/// A number of which there are a smallest and a largest one.
private protocol BoundedNumber: ColumnNumber {
  static var bounds: (smallest: Self, largest: Self) { get }
  /// The smallest and the largest of a block, if they are known; nil otherwise.
  static func zone(of block: StoredBlock) -> (smallest: Self, largest: Self)?
}

extension Int: BoundedNumber {
  fileprivate static var bounds: (smallest: Int, largest: Int) { (.min, .max) }
  fileprivate static func zone(of block: StoredBlock) -> (smallest: Int, largest: Int)? {
    block.integerZone
  }
}

extension Double: BoundedNumber {
  fileprivate static var bounds: (smallest: Double, largest: Double) { (-.infinity, .infinity) }
  fileprivate static func zone(of block: StoredBlock) -> (smallest: Double, largest: Double)? {
    block.doubleZone
  }
}

private struct EndOfNumbers<Number: BoundedNumber, End: OrderEnd>: NumberTotal {
  /// Before there is a number, the other end of all numbers.
  private var best = End.isLargest ? Number.bounds.smallest : Number.bounds.largest
  static var countsNaN: Bool { false }

  mutating func change(_ value: Value, by sign: Int) -> Bool {
    assert(sign > 0, "a value that is removed from what is not followed")
    // NaN differs from itself.
    guard let number = Number(value), number == number else { return false }
    add(number)
    return true
  }

  mutating func add(_ other: Self) { add(other.best) }

  @inline(__always)
  mutating func add(_ number: Number) {
    if End.isLargest ? number > best : number < best { best = number }
  }

  mutating func add(_ block: StoredBlock, _ rows: BlockMask, _ room: BlockRoom) -> Int {
    if rows | block.nulls == .everything, let zone = Number.zone(of: block) {
      add(End.isLargest ? zone.largest : zone.smallest)
      return rows.bitCount
    }
    let numbers = Number.numbers(of: block, room)
    let counted = Self.counted(numbers, rows)
    var best = self
    counted.forEachBit { best.add(numbers[$0]) }
    self = best
    return counted.bitCount
  }
}

extension EndOfNumbers where Number == Int {
  func value(_ count: Int) -> Value { count == 0 ? .null : .int(best) }
}
extension EndOfNumbers where Number == Double {
  func value(_ count: Int, of element: ElementType) -> Value {
    if count == 0 { return .null }
    return element == .float ? .float(Float(best)) : .double(best)
  }
}
