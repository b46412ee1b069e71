import TestSupport
import Testing

@testable import HeraldModel

@Suite struct UniqueIDTests {
  @Test func `a text in either case is the same identifier`() throws {
    let text = "3b241101-e2bb-4255-8caf-4136c566a962"
    let id = try #require(UniqueID(text))
    #expect(id == UniqueID(text.uppercased()))
    #expect(id.description == text)
    #expect(id.bits == (0x3b24_1101_e2bb_4255, 0x8caf_4136_c566_a962))
    #expect(id.bytes.prefix(3) == [0x3b, 0x24, 0x11] && id.bytes.count == 16)
    #expect(UniqueID(bits: (0, 1)).description == "00000000-0000-0000-0000-000000000001")
  }

  @Test(arguments: [
    "", "3b241101e2bb42558caf4136c566a962", "{3b241101-e2bb-4255-8caf-4136c566a962}",
    "3b241101-e2bb-4255-8caf-4136c566a96", "3b241101-e2bb-4255-8caf-4136c566a9622",
    "3b24110-1e2bb-4255-8caf-4136c566a962", "3b241101-e2bb-4255-8caf-4136c566a96g",
    "3b241101-e2bb-4255-8caf--136c566a962", "３b241101-e2bb-4255-8caf-4136c566a9",
    "3b241101-e2bb-4255-8caf-4136c566a9 2", "+b241101-e2bb-4255-8caf-4136c566a962",
  ])
  func `other texts are no identifiers`(text: String) {
    #expect(UniqueID(text) == nil)
  }

  @Test(arguments: seeds(4))
  func `identifiers survive text, bytes and bits and sort as all of them`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var last = UniqueID(bits: (0, 0))
    for _ in 0..<1000 {
      let id =
        random.chance(50)
        ? UniqueID(random: &random) : UniqueID(bits: (last.bits.high, random.next()))
      let place = Comment(rawValue: "seed \(seed): \(id)")
      try #require(UniqueID(id.description) == id, place)
      try #require(UniqueID(bytes: id.bytes) == id, place)
      try #require(UniqueID(bits: id.bits) == id, place)
      try #require((id < last) == (id.description < last.description), place)
      try #require((id < last) == id.bytes.lexicographicallyPrecedes(last.bytes), place)
      last = id
    }
    #expect(UniqueID(bytes: Array(repeating: 0, count: 15)) == nil)
    #expect(UniqueID(bytes: Array(repeating: 0, count: 17)) == nil)
  }

  @Test(arguments: seeds(2))
  func `random identifiers are of version 4 and use all other bits`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var (either, both): ((UInt64, UInt64), (UInt64, UInt64)) = ((0, 0), (.max, .max))
    for _ in 0..<200 {
      let id = UniqueID(random: &random)
      #expect(Array(id.description)[14] == "4")
      #expect("89ab".contains(Array(id.description)[19]))
      either = (either.0 | id.bits.high, either.1 | id.bits.low)
      both = (both.0 & id.bits.high, both.1 & id.bits.low)
    }
    #expect(either == (0xFFFF_FFFF_FFFF_4FFF, 0xBFFF_FFFF_FFFF_FFFF), "seed \(seed)")
    #expect(both == (0x4000, 0x8000_0000_0000_0000), "seed \(seed)")
    #expect(UniqueID.random() != UniqueID.random())
  }
}

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
