import HeraldModel

/// `@stddev`: the standard deviation of numbers as a sample, nil of fewer than two. NaN makes it NaN.
struct DeviationFunction: AggregateFunction {
  var word: String { "@stddev" }
  func accepts(_ element: ElementType) -> Bool { element.isNumber || element == .any }
  func type(of element: ElementType) -> ElementType { .double }
  func isFollowedExactly(_ element: ElementType) -> Bool { true }

  func accumulator(of element: ElementType, isFollowed: Bool) -> any Accumulator {
    element == .int ? IntegerDeviations() : Deviations()
  }
}

private final class Deviations: NumberAccumulators {
  @exclusivity(unchecked) var groups = GroupTotals<Squares>()
  func value(_ total: Squares, _ count: Int) -> Value { total.deviation(count) }
}

private final class IntegerDeviations: NumberAccumulators {
  @exclusivity(unchecked) var groups = GroupTotals<IntegerSquares>()
  func value(_ total: IntegerSquares, _ count: Int) -> Value { total.squares.deviation(count) }
}

/// The sums of numbers and of their squares, without rounding, so that values that come and go leave nothing behind.
private struct Squares: NumberTotal {
  private var sum = ExactDoubleSum()
  private var squares = ExactDoubleSum()
  static var countsNaN: Bool { true }

  mutating func change(_ value: Value, by sign: Int) -> Bool {
    guard let number = Double(value) else { return false }
    sum.change(number, by: sign)
    squares.changeProduct(number, number, by: sign)
    return true
  }

  mutating func add(_ number: Double) {
    sum.add(number)
    squares.changeProduct(number, number, by: 1)
  }

  mutating func add(_ other: Squares) {
    sum.add(other.sum)
    squares.add(other.squares)
  }

  func deviation(_ count: Int) -> Value {
    if count < 2 { return .null }
    let mean = sum.divided(by: count)
    guard mean.isFinite else { return .double(.nan) }
    // Σ(x - m)² = Σx² - 2mΣx + nm², for any m: of the nearest double to the mean it is what it is of the mean itself, but
    // for what rounds away.
    var total = squares
    var rest = sum
    // Three doubles have all digits of the sum that matter.
    for _ in 0..<3 {
      let part = rest.value
      rest.change(part, by: -1)
      total.changeProduct(-2 * mean, part, by: 1)
    }
    let square = mean * mean
    total.changeProduct(square, Double(count), by: 1)
    total.changeProduct((-square).addingProduct(mean, mean), Double(count), by: 1)
    return .double(max(0, total.divided(by: count - 1)).squareRoot())
  }
}

/// The same of integers.
private struct IntegerSquares: NumberTotal {
  private(set) var squares = Squares()
  static var countsNaN: Bool { true }
  mutating func change(_ value: Value, by sign: Int) -> Bool { squares.change(value, by: sign) }
  mutating func add(_ number: Int) { squares.add(Double(number)) }
  mutating func add(_ other: IntegerSquares) { squares.add(other.squares) }
}

extension ExactDoubleSum {
  /// Adds or subtracts a product without rounding, if it is neither too large nor too small for that.
  fileprivate mutating func changeProduct(_ a: Double, _ b: Double, by sign: Int) {
    let product = a * b
    change(product, by: sign)
    if product.isFinite { change((-product).addingProduct(a, b), by: sign) }
  }
}
