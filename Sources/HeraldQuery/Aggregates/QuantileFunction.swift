import HeraldModel

/// `@median` and `@percentile(0.9)` of numbers: of n in order that at position fraction · (n - 1), between two of them
/// linearly. NaN does not count.
struct QuantileFunction: AggregateFunction {
  let fraction: Double
  let word: String

  func accepts(_ element: ElementType) -> Bool { element.isNumber || element == .any }

  func type(of element: ElementType) -> ElementType {
    element == .decimal || element == .any ? .decimal : .double
  }

  func isFollowedExactly(_ element: ElementType) -> Bool { true }

  func accumulator(of element: ElementType, isFollowed: Bool) -> any Accumulator {
    if isFollowed || type(of: element) == .decimal { return OrderedQuantiles(element, self) }
    return element == .int
      ? IntegerQuantiles(fraction) : DoubleQuantiles(fraction)
  }

  /// A number between two others.
  fileprivate static func between(_ lower: Double, _ upper: Double, _ part: Double) -> Double {
    // Infinities may be equal.
    if part == 0 || lower == upper { return lower }
    // Halves are exact, and do not overflow.
    if part == 0.5 { return lower / 2 + upper / 2 }
    let difference = upper - lower
    return difference.isFinite ? lower + difference * part : lower * (1 - part) + upper * part
  }
}

/// Where a quantile is among numbers in order.
private struct QuantilePosition {
  /// A decimal: 0.9 of seven is 5.4, and not some double near that.
  private let fraction: Decimal128

  init(_ fraction: Double) { self.fraction = Decimal128(fraction) }

  /// The numbers around it of so many, and how far it is from the first of both.
  func place(in count: Int) -> (lower: Int, upper: Int, part: Decimal128) {
    let position = fraction * Decimal128(count - 1)
    let lower = min(Int(Double(position)), count - 1)
    return (lower, min(lower + 1, count - 1), position - Decimal128(lower))
  }
}

// MARK: Numbers that come and go

private final class OrderedQuantiles: Accumulators {
  @exclusivity(unchecked) var groups = GroupTotals<OrderedNumbers>()
  private let element: ElementType
  private let function: QuantileFunction
  private let position: QuantilePosition

  init(_ element: ElementType, _ function: QuantileFunction) {
    self.element = element
    self.function = function
    position = QuantilePosition(function.fraction)
  }

  func value(_ total: OrderedNumbers, _ count: Int) -> Value {
    if count == 0 { return .null }
    let place = position.place(in: count)
    let (lower, upper) = (total.values[place.lower], total.values[place.upper])
    guard function.type(of: element) == .decimal else {
      return .double(
        QuantileFunction.between(Double(lower) ?? 0, Double(upper) ?? 0, Double(place.part)))
    }
    let (first, last) = (lower.shortestDecimal, upper.shortestDecimal)
    return .decimal(
      place.part == Decimal128.zero || first == last ? first : first + (last - first) * place.part)
  }
}

private struct OrderedNumbers: AggregateTotal {
  private(set) var values = OrderedValues()

  mutating func change(_ value: Value, by sign: Int) -> Bool {
    guard let number = value.number, !number.isNaN else { return false }
    if sign > 0 { values.add(value) } else { values.remove(value) }
    return true
  }

  mutating func add(_ other: Self) { values.add(other.values) }
}

// MARK: Numbers that stay

private final class IntegerQuantiles: NumberAccumulators {
  @exclusivity(unchecked) var groups = GroupTotals<UnorderedNumbers<Int>>()
  private let position: QuantilePosition

  init(_ fraction: Double) { position = QuantilePosition(fraction) }

  func value(_ total: UnorderedNumbers<Int>, _ count: Int) -> Value {
    guard let found = total.around(position) else { return .null }
    return .double(
      QuantileFunction.between(Double(found.lower), Double(found.upper), found.part))
  }
}

private final class DoubleQuantiles: NumberAccumulators {
  @exclusivity(unchecked) var groups = GroupTotals<UnorderedNumbers<Double>>()
  private let position: QuantilePosition

  init(_ fraction: Double) { position = QuantilePosition(fraction) }

  func value(_ total: UnorderedNumbers<Double>, _ count: Int) -> Value {
    guard let found = total.around(position) else { return .null }
    return .double(QuantileFunction.between(found.lower, found.upper, found.part))
  }
}

private struct UnorderedNumbers<Number: ColumnNumber>: NumberTotal {
  private var numbers: [Number] = []
  static var countsNaN: Bool { false }

  mutating func change(_ value: Value, by sign: Int) -> Bool {
    assert(sign > 0, "a value that is removed from what is not followed")
    // NaN differs from itself.
    guard let number = Number(value), number == number else { return false }
    numbers.append(number)
    return true
  }

  mutating func add(_ number: Number) { numbers.append(number) }
  mutating func add(_ other: Self) { numbers += other.numbers }

  /// The numbers on both sides of a position, and how far it is from the first; nil if there are none.
  func around(_ position: QuantilePosition) -> (lower: Number, upper: Number, part: Double)? {
    if numbers.isEmpty { return nil }
    let place = position.place(in: numbers.count)
    var numbers = numbers
    let lower = numbers.select(place.lower)
    // None of those behind it is before it.
    let upper = place.upper == place.lower ? lower : numbers[place.upper...].min() ?? lower
    return (lower, upper, Double(place.part))
  }
}

extension Array where Element: Comparable {
  /// Moves the element that a sort would put at `index` there, with none before it that is larger and none behind it that
  /// is smaller, and returns it. O(n) on average.
  fileprivate mutating func select(_ index: Int) -> Element {
    withUnsafeMutableBufferPointer { elements in
      var (low, high) = (0, elements.count - 1)
      while low < high {
        // The median of three keeps sorted elements from being the worst case.
        let (first, middle, last) = (elements[low], elements[(low + high) / 2], elements[high])
        let pivot = Swift.max(Swift.min(first, middle), Swift.min(Swift.max(first, middle), last))
        var (i, j) = (low, high)
        while i <= j {
          while elements[i] < pivot { i += 1 }
          while pivot < elements[j] { j -= 1 }
          if i > j { break }
          elements.swapAt(i, j)
          i += 1
          j -= 1
        }
        if index <= j {
          high = j
        } else if index >= i {
          low = i
        } else {
          break
        }
      }
      return elements[index]
    }
  }
}
