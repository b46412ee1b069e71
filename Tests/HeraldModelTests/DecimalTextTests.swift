import TestSupport
import Testing

@testable import HeraldModel

private let texts: [(String, String)] = [
  ("0", "0"), ("-0", "-0"), ("0.00", "0.00"), ("0E+3", "0E+3"), ("0E-7", "0E-7"),
  ("0E-6", "0.000000"), ("1", "1"), ("+1", "1"), ("007", "7"), ("1.00", "1.00"), ("0.", "0"),
  (".5", "0.5"), ("5.", "5"), ("-.5e1", "-5"), ("1e3", "1E+3"), ("1E21", "1E+21"),
  ("12.5e3", "1.25E+4"), ("123e-3", "0.123"), ("0.000001", "0.000001"), ("0.0000007", "7E-7"),
  ("-0.00000123", "-0.00000123"), ("0.000000123", "1.23E-7"), ("123E-10", "1.23E-8"),
  ("1234567890123456789012345678901234", "1234567890123456789012345678901234"),
  ("3.141592653589793238", "3.141592653589793238"),
  ("10000000000000000000000000000000000", "1.000000000000000000000000000000000E+34"),
  ("12345678901234567890123456789012345", "1.234567890123456789012345678901234E+34"),
  ("12345678901234567890123456789012355", "1.234567890123456789012345678901236E+34"),
  ("1234567890123456789012345678901234500000000001", "1.234567890123456789012345678901235E+45"),
  ("0.00000000000000000000000000000000000000000000005", "5E-47"),
  ("99999999999999999999999999999999995", "1.000000000000000000000000000000000E+35"),
  ("1E+6144", "1.000000000000000000000000000000000E+6144"), ("1E+6145", "Infinity"),
  ("-1e99999999999999999999", "-Infinity"), ("1e-99999999999999999999", "0E-6176"),
  ("0e99999999999999999999", "0E+6111"), ("0e-99999999999999999999", "0E-6176"),
  ("1E-6176", "1E-6176"), ("1E-6177", "0E-6176"), ("1.5E-6176", "2E-6176"),
  ("2.5E-6176", "2E-6176"), ("inf", "Infinity"), ("-inf", "-Infinity"), ("+INF", "Infinity"),
  ("Infinity", "Infinity"), ("-INFINITY", "-Infinity"), ("nan", "NaN"), ("NaN", "NaN"),
  ("-nan", "NaN"),
]

/// From the examples of BSON's decimal128, which has the same layout.
private let layouts: [(String, UInt64, UInt64)] = [
  ("0", 0x3040_0000_0000_0000, 0), ("1", 0x3040_0000_0000_0000, 1),
  ("-1", 0xB040_0000_0000_0000, 1), ("0.1", 0x303E_0000_0000_0000, 1),
  ("0.1234567890123456789012345678901234", 0x2FFC_3CDE_6FFF_9732, 0xDE82_5CD0_7E96_AFF2),
  ("1E-6176", 0, 1), ("Infinity", 0x7800_0000_0000_0000, 0),
  ("-Infinity", 0xF800_0000_0000_0000, 0), ("NaN", 0x7C00_0000_0000_0000, 0),
  ("9.999999999999999999999999999999999E+6144", 0x5FFF_ED09_BEAD_87C0, 0x378D_8E63_FFFF_FFFF),
]

@Suite struct DecimalTextTests {
  @Test(arguments: texts)
  func `texts are read and printed as in the standard`(text: String, expected: String) throws {
    let value = try #require(Decimal128(text))
    #expect(value.description == expected)
    #expect(Decimal128(utf8: Array(text.utf8))?.bits ?? (0, 0) == value.bits)
  }

  @Test(arguments: [
    "", " ", "+", "-", ".", "e5", ".e5", "1e", "1e+", "1 ", " 1", "1.2.3", "--1", "+-1", "1e1.5",
    "0x10", "1_000", "1,5", "in", "infi", "infinit", "infinityy", "na", "nan1", "nanE5", "inf.0",
    "۱", "1e５", "1\u{0}", "\u{0E}nf", "INF\u{301}", "snan",
  ])
  func `other texts are no numbers`(text: String) {
    #expect(Decimal128(text) == nil)
  }

  @Test(arguments: seeds(8))
  func `numbers survive their text and their bits`(seed: UInt64) throws {
    var maker = DecimalMaker(seed: seed)
    for round in 0..<300 {
      let text = maker.number()
      let place = Comment(rawValue: "seed \(seed), round \(round): \(text)")
      let value = try #require(Decimal128(text), place)
      try #require(value.description == DecimalTwin(text).text, place)
      try #require(Decimal128(value.description)?.bits ?? (0, 0) == value.bits, place)
      try #require(Decimal128(bits: value.bits).bits == value.bits, place)
    }
  }

  @Test(arguments: seeds(4))
  func `long texts are rounded once`(seed: UInt64) throws {
    var maker = DecimalMaker(seed: seed)
    for round in 0..<200 {
      var text = maker.anyDigits(1 + maker.random.below(70))
      if maker.random.chance(30) {
        text = String(text.prefix(34)) + "5" + String(repeating: "0", count: maker.random.below(60))
        if maker.random.chance(50) { text += "1" }
      }
      let point = text.index(text.startIndex, offsetBy: maker.random.below(text.count + 1))
      text.insert(".", at: point)
      let power = maker.random.below(maker.random.chance(50) ? 12_500 : 90)
      text += "e\(power - (power < 90 ? 45 : 6250))"
      let place = Comment(rawValue: "seed \(seed), round \(round): \(text)")
      try #require(Decimal128(text)?.description == DecimalTwin(text).text, place)
    }
  }

  @Test(arguments: seeds(8))
  func `any bytes are a number or none`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let alphabet = Array("0123456789..eE+-infatyNAN _\u{80}\u{FF}".utf8)
    for _ in 0..<2000 {
      let text = (0..<random.below(12)).map { _ in
        random.chance(98) ? random.pick(alphabet) : UInt8(random.below(256))
      }
      guard let value = Decimal128(utf8: text) else { continue }
      let place = Comment(rawValue: "seed \(seed): \(text)")
      try #require(value.violations == [], place)
      // What was read is what a strict look at the text allows.
      let lower = String(decoding: text, as: UTF8.self).lowercased()
      try #require(
        lower.hasSuffix("inf") || lower.hasSuffix("nan")
          || lower.allSatisfy("0123456789.e+-".contains), place)
      if value.isFinite {
        try #require(value.description == DecimalTwin(lower).text, place)
      }
    }
  }

  @Test(arguments: seeds(4))
  func `any bits are a number in its canonical form`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<2000 {
      let bits = (random.next() | (random.chance(30) ? 0x60 << 56 : 0), random.next())
      let value = Decimal128(bits: bits)
      let place = Comment(rawValue: "seed \(seed): \(bits)")
      try #require(value.violations == [], place)
      try #require(Decimal128(value.description)?.bits ?? (0, 0) == value.bits, place)
    }
  }

  @Test(arguments: layouts)
  func `the bits are those of the standard`(text: String, high: UInt64, low: UInt64) throws {
    let value = try #require(Decimal128(text))
    #expect(value.bits == (high, low))
    #expect(Decimal128(bits: (high, low)).description == text)
  }

  @Test func `forms that are not canonical are read as in the standard`() {
    #expect(Decimal128(bits: (0x7E00_0000_0000_0001, 2)).bits == Decimal128.nan.bits)
    #expect(Decimal128(bits: (0xFC00_0000_0000_0000, 0)).bits == Decimal128.nan.bits)
    #expect(Decimal128(bits: (0x7812_0000_0000_0000, 7)).bits == Decimal128.infinity.bits)
    #expect(Decimal128(bits: (0x3041_FFFF_FFFF_FFFF, .max)).description == "0")
    #expect(Decimal128(bits: (0x6C10_0000_0000_0000, 5)).description == "0")
  }
}
