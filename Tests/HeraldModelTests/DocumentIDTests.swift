import TestSupport
import Testing

@testable import HeraldModel

@Suite struct DocumentIDTests {
  @Test func `a text in either case is the same identifier`() throws {
    let id = try #require(DocumentID("62e2905FEB23128a10ab3973"))
    #expect(id.description == "62e2905feb23128a10ab3973")
    #expect(id == DocumentID("62E2905FEB23128A10AB3973"))
    #expect(id.bits == (0x62e2_905f_eb23_128a, 0x10ab_3973))
    #expect(id.bytes.last == 0x73 && id.bytes.count == 12)
    #expect(id.seconds == 0x62e2_905f)
  }

  @Test(arguments: [
    "", "62e2905feb23128a10ab397", "62e2905feb23128a10ab39733", "62e2905feb23128a10ab397g",
    "62e2905f-eb23128a10ab397", " 2e2905feb23128a10ab3973", "+2e2905feb23128a10ab3973",
  ])
  func `other texts are no identifiers`(text: String) {
    #expect(DocumentID(text) == nil)
  }

  @Test(arguments: seeds(4))
  func `identifiers survive text, bytes and bits and sort as all of them`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var last = DocumentID(bits: (0, 0))
    for _ in 0..<1000 {
      let high: UInt64 = random.chance(50) ? last.bits.high : random.next()
      let id = DocumentID(bits: (high, UInt32(truncatingIfNeeded: random.next() as UInt64)))
      let place = Comment(rawValue: "seed \(seed): \(id)")
      try #require(DocumentID(id.description) == id, place)
      try #require(DocumentID(bytes: id.bytes) == id, place)
      try #require(DocumentID(bits: id.bits) == id, place)
      try #require((id < last) == (id.description < last.description), place)
      try #require((id < last) == id.bytes.lexicographicallyPrecedes(last.bytes), place)
      last = id
    }
    #expect(DocumentID(bytes: Array(repeating: 0, count: 11)) == nil)
    #expect(DocumentID(bytes: Array(repeating: 0, count: 13)) == nil)
  }

  @Test(arguments: seeds(2))
  func `the identifiers of a maker ascend and keep its bytes`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var maker = DocumentID.Maker(using: &random)
    var last = maker.next(seconds: 1_763_721_000)
    let own = last.bytes[4..<9]
    for round in 1...5000 {
      let seconds = 1_763_721_000 + round / 1000
      let id = maker.next(seconds: seconds)
      #expect(id > last && id.seconds == seconds && id.bytes[4..<9] == own, "seed \(seed)")
      last = id
    }
    let other = DocumentID.generate(seconds: 7, using: &random)
    #expect(other.seconds == 7 && other.bytes[4..<9] != own, "seed \(seed)")
    #expect(DocumentID.generate(seconds: (1 << 32) + 5, using: &random).seconds == 5)
    #expect(DocumentID.generate(seconds: -1, using: &random).seconds == 0xFFFF_FFFF)
  }
}
