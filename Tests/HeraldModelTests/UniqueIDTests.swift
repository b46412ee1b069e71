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
