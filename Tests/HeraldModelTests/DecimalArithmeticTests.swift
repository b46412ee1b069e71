import TestSupport
import Testing

@testable import HeraldModel

/// From the standard's well-known tables of examples, for 34 digits.
private let sums: [(String, String, String)] = [
  ("1", "1", "2"), ("12", "7.00", "19.00"), ("1.3", "-1.07", "0.23"), ("1.30", "-1.30", "0.00"),
  ("1E+2", "1E+4", "1.01E+4"), ("0.00", "3", "3.00"), ("-0", "-0", "-0"), ("-0", "0", "0"),
  ("0", "-0.0", "0.0"), ("1E-10", "1", "1.0000000001"),
  ("9999999999999999999999999999999999", "1", "1.000000000000000000000000000000000E+34"),
  ("9999999999999999999999999999999999", "0.5", "1.000000000000000000000000000000000E+34"),
  ("9999999999999999999999999999999998", "0.5", "9999999999999999999999999999999998"),
  ("1E+34", "-1E-99", "1.000000000000000000000000000000000E+34"),
  ("1E+34", "-1", "9999999999999999999999999999999999"),
  ("1E+40", "0.00", "1.000000000000000000000000000000000E+40"),
  ("9.999999999999999999999999999999999E+6144", "1E+6111", "Infinity"),
  ("Infinity", "-1", "Infinity"), ("Infinity", "-Infinity", "NaN"), ("NaN", "1", "NaN"),
  ("-Infinity", "-Infinity", "-Infinity"),
]

private let products: [(String, String, String)] = [
  ("1.20", "3", "3.60"), ("7", "3", "21"), ("0.9", "0.8", "0.72"), ("0.9", "-0", "-0.0"),
  ("654321", "654321", "428135971041"), ("1E+6000", "1E+6000", "Infinity"),
  ("-1E-6000", "1E-6000", "-0E-6176"), ("1E-6176", "0.5", "0E-6176"),
  ("3E-6176", "0.5", "2E-6176"), ("1E-6176", "0.51", "1E-6176"),
  (
    "9999999999999999999999999999999999", "9999999999999999999999999999999999",
    "9.999999999999999999999999999999998E+67"
  ),
  ("Infinity", "0", "NaN"), ("Infinity", "-2", "-Infinity"), ("NaN", "0", "NaN"),
]

private let quotients: [(String, String, String)] = [
  ("1", "3", "0.3333333333333333333333333333333333"),
  ("2", "3", "0.6666666666666666666666666666666667"),
  ("5", "2", "2.5"), ("1", "10", "0.1"), ("12", "12", "1"), ("8.00", "2", "4.00"),
  ("2.400", "2.0", "1.20"), ("1000", "100", "10"), ("1000", "1", "1000"),
  ("2.40E+6", "2", "1.20E+6"),
  ("1", "8", "0.125"), ("0", "7", "0"), ("0.00", "-7", "-0.00"), ("1", "0", "Infinity"),
  ("-1", "0", "-Infinity"), ("1", "-0", "-Infinity"), ("0", "0", "NaN"),
  ("1", "Infinity", "0E-6176"),
  ("Infinity", "2", "Infinity"), ("Infinity", "-Infinity", "NaN"),
  ("1E+6000", "1E-6000", "Infinity"),
  ("1", "NaN", "NaN"),
]

@Suite struct DecimalArithmeticTests {
  @Test(arguments: sums)
  func `sums are those of the standard`(a: String, b: String, expected: String) throws {
    let (a, b) = (try #require(Decimal128(a)), try #require(Decimal128(b)))
    #expect((a + b).description == expected)
    #expect((b + a).description == expected)
    #expect((a - -b).description == expected)
  }

  @Test(arguments: products)
  func `products are those of the standard`(a: String, b: String, expected: String) throws {
    let (a, b) = (try #require(Decimal128(a)), try #require(Decimal128(b)))
    #expect((a * b).description == expected)
    #expect((b * a).description == expected)
    #expect((-a * -b).description == expected)
  }

  @Test(arguments: quotients)
  func `quotients are those of the standard`(a: String, b: String, expected: String) throws {
    let (a, b) = (try #require(Decimal128(a)), try #require(Decimal128(b)))
    #expect((a / b).description == expected)
  }

  @Test func `tenths add up`() {
    var sum = Decimal128.zero
    for _ in 0..<10 { sum += Decimal128(0.1) }
    #expect(sum == Decimal128(1))
    #expect(sum.description == "1.0")
    sum *= Decimal128(3)
    sum /= Decimal128(4)
    #expect(sum.description == "0.75")
    #expect((-sum).magnitude == sum)
  }

  @Test(arguments: seeds(8))
  func `arithmetic is that of lists of digits`(seed: UInt64) throws {
    var maker = DecimalMaker(seed: seed)
    for round in 0..<150 {
      let left = maker.number()
      let right = maker.number(near: left)
      let (a, b) = (try #require(Decimal128(left)), try #require(Decimal128(right)))
      let (twinA, twinB) = (DecimalTwin(a.description), DecimalTwin(b.description))
      let place = Comment(rawValue: "seed \(seed), round \(round): \(left), \(right)")
      for (value, twin) in [
        (a + b, twinA + twinB), (a - b, twinA + -twinB), (a * b, twinA * twinB),
        (a / b, twinA / twinB), (-a, -twinA),
      ] {
        try #require(value.description == twin.text, place)
        try #require(value.violations == [], place)
      }
    }
  }

  @Test func `numbers of all lengths are counted and stripped`() {
    for (places, power) in powersOfTen.enumerated() {
      #expect(power.decimalDigitCount == places + 1)
      #expect((power - 1).decimalDigitCount == places)
      var stripped = power
      #expect(stripped.removeTrailingZeros(atMost: 100) == places)
      #expect(stripped == 1)
      stripped = power
      #expect(stripped.removeTrailingZeros(atMost: places / 2) == places / 2)
      guard places < 38 else { continue }
      let wide = WideNatural(power, shiftedBy: 75 - places)
      #expect(wide.decimalDigitCount == 76)
      #expect((wide - WideNatural(1)).decimalDigitCount == 75)
      #expect(wide - WideNatural(1) + WideNatural(1) == wide)
    }
    #expect(UInt128(0).decimalDigitCount == 0)
  }
}
