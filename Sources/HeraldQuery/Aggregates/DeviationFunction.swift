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
  private var normal = ScaledSquares(scale: 1)
  /// Of numbers whose squares would overflow, and of those whose squares would vanish; empty without such.
  private var extremes: [ScaledSquares] = []
  typealias Number = Double
  static var countsNaN: Bool { true }

  mutating func change(_ value: Value, by sign: Int) -> Bool {
    if case .int(let integer) = value {
      normal.change(integer, by: sign)
      return true
    }
    guard let number = Double(value) else { return false }
    change(number, by: sign)
    return true
  }

  mutating func add(_ number: Double) { change(number, by: 1) }
  mutating func add(_ number: Int) { normal.change(number, by: 1) }

  @inline(__always)
  private mutating func change(_ number: Double, by sign: Int) {
    let exponent = Int(number.exponentBitPattern) - 1023
    if exponent >= -480 && exponent <= 480 || number == 0 || !number.isFinite {
      normal.change(number, by: sign)
    } else {
      changeExtreme(number, by: sign)
    }
  }

  private mutating func changeExtreme(_ number: Double, by sign: Int) {
    if extremes.isEmpty { extremes = [0x1p-540, 0x1p540].map { ScaledSquares(scale: $0) } }
    extremes[number.exponent > 0 ? 0 : 1].change(number, by: sign)
  }

  mutating func add(_ other: Squares) {
    normal.add(other.normal)
    if extremes.isEmpty {
      extremes = other.extremes
    } else if !other.extremes.isEmpty {
      for index in extremes.indices { extremes[index].add(other.extremes[index]) }
    }
  }

  func deviation(_ count: Int) -> Value {
    if count < 2 { return .null }
    guard normal.sum.value.isFinite else { return .double(.nan) }
    // The largest numbers determine it.
    let all = extremes.isEmpty ? [normal] : [extremes[0], normal, extremes[1]]
    guard let scale = all.first(where: { $0.squares.value != 0 })?.scale else { return .double(0) }
    // nΣ(x - m)² = nΣx² - (Σx)²
    var total = ExactDoubleSum()
    var parts: [Double] = []
    for part in all {
      let factor = scale / part.scale
      for square in part.squares.parts {
        total.changeProduct(square * factor * factor, Double(count), by: 1)
      }
      parts += part.sum.parts.map { $0 * factor }
    }
    for part in parts {
      for other in parts { total.changeProduct(part, other, by: -1) }
    }
    let (pairs, isTooLarge) = count.multipliedReportingOverflow(by: count - 1)
    let variance =
      isTooLarge ? total.divided(by: count) / Double(count - 1) : total.divided(by: pairs)
    return .double(max(0, variance).squareRoot() / scale)
  }
}

/// The sums of numbers times a power of two.
private struct ScaledSquares: Sendable {
  let scale: Double
  private(set) var sum = ExactDoubleSum()
  private(set) var squares = ExactDoubleSum()

  init(scale: Double) { self.scale = scale }

  @inline(__always)
  mutating func change(_ number: Double, by sign: Int) {
    let scaled = number * scale
    sum.change(scaled, by: sign)
    squares.changeProduct(scaled, scaled, by: sign)
  }

  @inline(__always)
  mutating func change(_ integer: Int, by sign: Int) {
    if integer.magnitude <= 1 << 53 { return change(Double(integer), by: sign) }
    // Not every integer is a double, but both halves are.
    let (high, low) = (Double(integer >> 32) * 0x1p32, Double(integer & 0xFFFF_FFFF))
    sum.change(high, by: sign)
    sum.change(low, by: sign)
    squares.changeProduct(high, high, by: sign)
    squares.changeProduct(2 * high, low, by: sign)
    squares.changeProduct(low, low, by: sign)
  }

  mutating func add(_ other: ScaledSquares) {
    sum.add(other.sum)
    squares.add(other.squares)
  }
}

/// The same of integers.
private struct IntegerSquares: NumberTotal {
  private(set) var squares = Squares()
  static var countsNaN: Bool { true }
  mutating func change(_ value: Value, by sign: Int) -> Bool { squares.change(value, by: sign) }
  mutating func add(_ number: Int) { squares.add(number) }
  mutating func add(_ other: IntegerSquares) { squares.add(other.squares) }
}

extension ExactDoubleSum {
  /// Doubles whose sum is this one, largest first; without digits that are too small to matter.
  fileprivate var parts: [Double] {
    var rest = self
    var parts: [Double] = []
    while parts.count < 6, case let part = rest.value, part != 0, part.isFinite {
      parts.append(part)
      rest.change(part, by: -1)
    }
    return parts
  }

  /// Adds or subtracts a product without rounding, if it is neither too large nor too small for that.
  fileprivate mutating func changeProduct(_ a: Double, _ b: Double, by sign: Int) {
    let product = a * b
    change(product, by: sign)
    if product.isFinite { change((-product).addingProduct(a, b), by: sign) }
  }
}
