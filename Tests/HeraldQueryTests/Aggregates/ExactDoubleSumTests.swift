import HeraldModel
import TestSupport
import Testing

@testable import HeraldQuery

/// Sums and averages of doubles, which are rounded once.
struct ExactDoubleSumTests {
  /// Of every magnitude, many of which cancel out.
  private static func numbers(_ random: inout SplitMix64) -> [Double] {
    let magnitudes = [-1074...0, -3...3, 50...60, -1022...1023, 1000...1023, -1074...(-1070)]
    let exponents = random.pick(magnitudes)
    var numbers = (0..<1 + random.below(12)).map { _ in
      Double(
        sign: random.chance(50) ? .plus : .minus,
        exponent: Int.random(in: exponents, using: &random),
        significand: random.chance(50) ? 1 : Double.random(in: 1..<2, using: &random))
    }
    if random.chance(50) { numbers += numbers.dropFirst(random.below(3)).map { -$0 } }
    return numbers.shuffled(using: &random)
  }

  private func sum(_ numbers: [Double]) -> ExactDoubleSum {
    var sum = ExactDoubleSum()
    for number in numbers { sum.change(number, by: 1) }
    return sum
  }

  /// Whether no double is nearer to the sum divided by `count` than `quotient`.
  private func isNearest(_ quotient: Double, to numbers: [Double], dividedBy count: Int) -> Bool {
    func distance(_ other: Double) -> Double {
      var rest = sum(numbers)
      for _ in 0..<count { rest.change(other, by: -1) }
      return abs(rest.value)
    }
    return [quotient.nextUp, quotient.nextDown].allSatisfy {
      !$0.isFinite || distance(quotient) <= distance($0)
    }
  }

  @Test(arguments: seeds(200)) func `sums and averages are the nearest doubles`(
    seed: UInt64
  ) {
    var random = SplitMix64(seed: seed)
    let numbers = Self.numbers(&random)
    let (total, average) = (sum(numbers).value, sum(numbers).divided(by: numbers.count))
    if total.isFinite { #expect(isNearest(total, to: numbers, dividedBy: 1), "\(numbers)") }
    #expect(isNearest(average, to: numbers, dividedBy: numbers.count), "\(numbers)")
    #expect(sum(numbers.reversed()).value == total)
  }

  @Test func `half a smallest double is rounded to even`() {
    let smallest = Double.leastNonzeroMagnitude
    #expect(sum([smallest]).divided(by: 2) == 0)
    #expect(sum([smallest, smallest, smallest]).divided(by: 2) == 2 * smallest)
    #expect(sum([smallest, smallest]).divided(by: 3) == smallest)
    #expect(sum([-smallest, -smallest]).divided(by: 3) == -smallest)
  }

  @Test func `an average is within the range of doubles where the sum is not`() {
    let largest = Double.greatestFiniteMagnitude
    #expect(sum([largest, largest]).value == .infinity)
    #expect(sum([largest, largest]).divided(by: 2) == largest)
    #expect(sum([largest, largest, -largest]).value == largest)
  }

  @Test func `infinities and NaN count until they are removed`() {
    var sum = sum([1, .infinity])
    #expect(sum.value == .infinity)
    sum.change(-.infinity, by: 1)
    #expect(sum.value.isNaN)
    sum.change(.infinity, by: -1)
    #expect(sum.divided(by: 2) == -.infinity)
    sum.change(.nan, by: 1)
    #expect(sum.value.isNaN)
    sum.change(.nan, by: -1)
    sum.change(-.infinity, by: -1)
    #expect(sum.value == 1)
  }
}
