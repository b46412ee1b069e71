import HeraldModel
import TestSupport
import Testing

@Suite struct ModelTextTests {
  @Test(arguments: [
    (0, 0, "1970-01-01T00:00:00Z"), (1_763_721_000, 0, "2025-11-21T10:30:00Z"),
    (-1, 0, "1969-12-31T23:59:59Z"), (951_782_400, 500_000_000, "2000-02-29T00:00:00.5Z"),
    (-62_135_596_800, 1, "0001-01-01T00:00:00.000000001Z"),
    (253_402_300_800, 0, "10000-01-01T00:00:00Z"),
    (-62_198_755_200, 0, "-0001-01-01T00:00:00Z"), (4_107_542_400, 0, "2100-03-01T00:00:00Z"),
  ])
  func `dates print and read as ISO 8601`(seconds: Int, nanoseconds: Int, text: String) {
    let stamp = Timestamp(seconds: seconds, nanoseconds: Int32(nanoseconds))
    #expect(stamp.iso8601 == text)
    #expect(Timestamp(iso8601: text) == stamp)
    #expect(Timestamp(literal: stamp.literal) == stamp)
  }

  @Test func `any point in time survives printing`() {
    var random = SplitMix64(seed: 7)
    for round in 0..<20_000 {
      let bits = Int64(bitPattern: random.next()) >> Int64(random.below(60))
      let nanoseconds = round.isMultiple(of: 2) ? 0 : Int32(random.below(1_000_000_000))
      let stamp = Timestamp(seconds: Int(bits), nanoseconds: nanoseconds)
      #expect(Timestamp(literal: stamp.literal) == stamp)
      if stamp.iso8601.hasSuffix("Z") { #expect(Timestamp(iso8601: stamp.iso8601) == stamp) }
    }
  }

  @Test(arguments: [
    ("2026-11-21T10:30:00+02:00", "2026-11-21T08:30:00Z"),
    ("2026-11-21 10:30:00", "2026-11-21T10:30:00Z"),
    ("2026-11-21", "2026-11-21T00:00:00Z"), ("2026-11-21T10:30", "2026-11-21T10:30:00Z"),
    ("2026-11-21 10:30+02:00", "2026-11-21T08:30:00Z"),
    ("2026-11-21T10:30:00.25-0130", "2026-11-21T12:00:00.25Z"),
  ])
  func `offsets are taken off`(text: String, utc: String) {
    #expect(Timestamp(iso8601: text)?.iso8601 == utc)
  }

  @Test(arguments: [
    "", "2026", "2026-11-2", "2026-1-21", "2026-11-21T", "2026-11-21T10", "2026-11-21@10:30",
    "2026-1-21T10:30", "2026-11-21Z",
    "2026-13-01T10:30:00",
    "2026-02-29T10:30:00", "2026-11-21T24:00:00", "2026-11-21T10:60:00", "2026-11-21T10:30:00x",
    "2026-11-21T10:30:00.", "2026-11-21T10:30:00+", "x", "2026-11-21T10:30:00.1234567890",
  ])
  func `what is no date is refused`(text: String) { #expect(Timestamp(iso8601: text) == nil) }

  @Test(arguments: [
    "T1:", "T:1", "T", "T1", "T-1:1", "T1:-1", "T1:0:0", "T1:1000000000", "T99999999999999999999:0",
  ])
  func `what is no instant is refused`(text: String) { #expect(Timestamp(literal: text) == nil) }

  @Test(
    arguments: [
      ([], ""), ([97], "YQ=="), ([97, 97], "YWE="), ([97, 97, 97], "YWFh"),
      ([251, 255, 254], "+//+"),
    ] as [([UInt8], String)])
  func `bytes print and read as base64`(bytes: [UInt8], text: String) {
    #expect(bytes.base64 == text)
    #expect([UInt8](base64: text) == bytes)
  }

  @Test(arguments: [
    "Y", "YQ", "YQ=", "Y===", "====", "YQ==YQ==", "Y=Q=", "YR==", "YWF=", "Y Q=", "é===",
  ])
  func `what is no base64 is refused`(text: String) { #expect([UInt8](base64: text) == nil) }

  @Test func `strings print as JSON`() {
    #expect("a\"b\\c\n\t\u{1}\u{7f}é😀/".quoted == "\"a\\\"b\\\\c\\n\\t\\u0001\\u007fé😀/\"")
    #expect("\u{85}\u{2028}\u{2029}\u{a8}→".quoted == "\"\\u0085\\u2028\\u2029\u{a8}→\"")
  }

  @Test func `values are equal by content, not by Unicode's equivalence`() {
    #expect(Value.string("é") != .string("e\u{301}"))
    #expect(Value.double(.nan) == .double(.nan))
    #expect(Set([Value.double(.nan), .double(.nan), .double(0), .double(-0.0)]).count == 2)
    #expect(Set([Value.string("é"), .string("e\u{301}"), .string("é")]).count == 2)
    #expect(Value.int(1) != .double(1))
  }
}
