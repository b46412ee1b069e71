import TestSupport
import Testing

@testable import HeraldModel

/// Doubles of all magnitudes, and round ones.
func anyDouble(_ random: inout SplitMix64) -> Double {
  switch random.below(4) {
  case 0:
    let double = Double(bitPattern: random.next())
    return double.isFinite ? double : 0
  case 1:
    return Double(random.below(2_000_001) - 1_000_000) / random.pick([1, 2, 4, 8, 10, 100])
  case 2: return Double.random(in: -1e6...1e6, using: &random)
  default: return Double(bitPattern: random.next() >> UInt64(12 + random.below(52)))
  }
}

extension LongDecimal {
  /// The value of a finite double, all of its digits: doubled or halved once for each power of 2.
  init(exactly value: Double) {
    var number = LongDecimal(
      isNegative: value.sign == .minus, digits: [], exponent: 0)
    guard value != 0 else {
      self = number
      return
    }
    let places = value.ulp.exponent
    number.digits = String(UInt64(value.magnitude / value.ulp)).compactMap(\.wholeNumberValue)
    // In steps of 2^16, for speed; 5^n * 10^-n is 2^-n.
    let factor = places < 0 ? 5 : 2
    for _ in 0..<abs(Int(places)) / 16 {
      number = number * LongDecimal("\((0..<16).reduce(1) { power, _ in power * factor })")
    }
    for _ in 0..<abs(Int(places)) % 16 { number = number * LongDecimal("\(factor)") }
    number.isNegative = value < 0
    number.exponent = min(0, Int(places))
    self = number
  }

  /// The power of ten just above the number.
  var lead: Int { digits.count + exponent }
}

private let shortestTexts: [(Double, String)] = [
  (0.1, "0.1"), (10, "10"), (-0.0, "-0"), (100, "100"), (1e15, "1000000000000000"),
  (1e16, "1E+16"), (1e21, "1E+21"), (.leastNonzeroMagnitude, "5E-324"), (3.14, "3.14"),
  (0.00001, "0.00001"),
  (1.7976931348623157e308, "1.7976931348623157E+308"), (-123.456, "-123.456"),
  (.infinity, "Infinity"), (-.infinity, "-Infinity"), (.nan, "NaN"),
]

private let exactTexts: [(Double, String?)] = [
  (0.1, nil), (0.5, "0.5"), (100, "100"), (1e22, "10000000000000000000000"),
  (1.0 / 1024, "0.0009765625"), (0, "0"), (-0.0, "-0"), (1e300, nil), (.leastNonzeroMagnitude, nil),
  (1.2676506002282294e30, "1267650600228229401496703205376"),
  (3.022314549036573e+45, "3.02231454903657293676544000E+45"), (-.infinity, "-Infinity"),
  (.nan, "NaN"),
]

@Suite struct DecimalConversionTests {
  @Test(arguments: shortestTexts)
  func `a double gives the fewest digits`(double: Double, expected: String) {
    let value = Decimal128(double)
    #expect(value.description == expected)
    #expect(value.isNaN ? Double(value).isNaN : Double(value) == double)
  }

  @Test func `a float gives the fewest digits at its precision`() {
    #expect(Decimal128(Float(0.1)).description == "0.1")
    #expect(Decimal128(Float(16_777_216)).description == "16777216")
    #expect(Decimal128(Float.greatestFiniteMagnitude).description == "3.4028235E+38")
    #expect(Decimal128(-Float.infinity).description == "-Infinity")
    #expect(Decimal128(Float.nan).isNaN)
  }

  @Test(arguments: exactTexts)
  func `exact doubles are those of 34 digits`(double: Double, expected: String?) {
    guard let expected else {
      #expect(Decimal128(exactly: double) == nil)
      return
    }
    let value = Decimal128(exactly: double)
    #expect(value == Decimal128(expected))
    #expect(double.isNaN || value.map { Double($0) } == double)
  }

  @Test(arguments: seeds(4))
  func `doubles survive the way there and back`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<2000 {
      let double = anyDouble(&random)
      let place = Comment(rawValue: "seed \(seed): \(double)")
      try #require(Double(Decimal128(double)) == double, place)
      try #require(Double(Decimal128(double)).sign == double.sign, place)
      let float = Float(double)
      try #require(Float(Double(Decimal128(float))) == float, place)
      if let exact = Decimal128(exactly: double) { try #require(Double(exact) == double, place) }
    }
  }

  @Test(arguments: seeds(4))
  func `the nearest double is at most half a step away`(seed: UInt64) throws {
    var maker = DecimalMaker(seed: seed)
    for round in 0..<20 {
      let text = maker.anyDigits(1 + maker.random.below(34)) + "e\(maker.random.below(700) - 370)"
      let place = Comment(rawValue: "seed \(seed), round \(round): \(text)")
      let value = try #require(Decimal128(text), place)
      let double = Double(value)
      if double > 0 {
        let lower =
          (double.isInfinite ? Self.beyondDoubles : LongDecimal(exactly: double))
          + LongDecimal(exactly: double.nextDown)
        try #require(order(of: text, against: lower * LongDecimal("0.5")) >= 0, place)
      }
      if double.isFinite {
        let next = double.nextUp
        let upper =
          LongDecimal(exactly: double)
          + (next.isInfinite ? Self.beyondDoubles : LongDecimal(exactly: next))
        try #require(order(of: text, against: upper * LongDecimal("0.5")) <= 0, place)
      }
      try #require(Double(-value) == -double, place)
    }
  }

  /// What would follow the largest double, were there a larger exponent.
  private static let beyondDoubles =
    LongDecimal(exactly: .greatestFiniteMagnitude)
    + LongDecimal(exactly: Double.greatestFiniteMagnitude.ulp)

  private func order(of text: String, against number: LongDecimal) -> Int {
    DecimalTwin.order(.finite(LongDecimal(text)), .finite(number))
  }

  @Test func `ints come back from the decimals that are whole`() {
    for value in [0, 1, -1, 42, 1000, .max, .min, .max - 1, .min + 1] {
      #expect(Int(exactly: Decimal128(value)) == value)
      #expect(Decimal128(value).description == value.description)
    }
    #expect(Decimal128("2.00").flatMap { Int(exactly: $0) } == 2)
    #expect(Decimal128("1E+18").flatMap { Int(exactly: $0) } == 1_000_000_000_000_000_000)
    for text in ["0.5", "1E+19", "9223372036854775808", "-9223372036854775809", "NaN", "inf"] {
      #expect(Decimal128(text).flatMap { Int(exactly: $0) } == nil, Comment(rawValue: text))
    }
  }
}
