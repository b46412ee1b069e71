import TestSupport
import Testing

@testable import HeraldStorage

/// The journal's record: whatever is not whole is none.
@Suite struct JournalRecordTests {
  private func record(_ size: Int, _ random: inout SplitMix64) -> JournalRecord {
    JournalRecord(
      base: random.next(), from: random.next(), to: random.next(),
      body: (0..<size).map { _ in UInt8(truncatingIfNeeded: random.next()) })
  }

  private func parsed(_ bytes: [UInt8]) -> JournalRecord? {
    bytes.withUnsafeBytes { JournalRecord(in: $0) }
  }

  @Test(arguments: [0, 1, 68, 511, 3500])
  func `a record is read as it was written`(size: Int) {
    var random = SplitMix64(seed: size)
    let written = record(size, &random)
    #expect(written.bytes.count == JournalRecord.headerSize + size)
    #expect(parsed(written.bytes) == written)
    // Whatever follows is of earlier records.
    #expect(parsed(written.bytes + [UInt8](repeating: 7, count: 100)) == written)
  }

  /// A power cut leaves a beginning of the new record, or sectors of both.
  @Test(arguments: 1...8)
  func `a record that is torn over an earlier one is none`(seed: Int) {
    var random = SplitMix64(seed: seed)
    let (old, new) = (record(1 + random.below(900), &random), record(700, &random))
    let size = 2048
    let before = old.bytes + [UInt8](repeating: 0, count: size - old.bytes.count)
    let after = new.bytes + before[new.bytes.count...]
    for length in 0..<new.bytes.count {
      let torn = Array(after[..<length] + before[length...])
      #expect(parsed(torn) == nil || torn == before || torn == after)
      let other = Array(before[..<length] + after[length...])
      #expect(parsed(other) == nil || length == 0 || other == after || parsed(other) == old)
    }
    for sectors in 0..<16 {
      var mixed = before
      for sector in 0..<4 where sectors & 1 << sector != 0 {
        let range = sector * 512..<(sector + 1) * 512
        mixed.replaceSubrange(range, with: after[range])
      }
      let found = parsed(mixed)
      #expect(found == nil || found == old || found == new)
    }
  }

  @Test func `a flipped bit is noticed, and garbage is no record`() {
    var random = SplitMix64(seed: 5)
    let bytes = record(60, &random).bytes
    for bit in 0..<bytes.count * 8 {
      var flipped = bytes
      flipped[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(parsed(flipped) == nil)
    }
    for _ in 0..<2000 {
      var garbage = (0..<random.below(200)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      if random.chance(50) {
        garbage.replaceSubrange(0..<min(4, garbage.count), with: JournalRecord.magic)
      }
      if random.chance(50), garbage.count > 8 { garbage.replaceSubrange(5..<8, with: [0, 0, 0]) }
      #expect(parsed(garbage) == nil)
    }
  }

  @Test func `states of different commits have different fingerprints`() {
    var seen: Set<UInt64> = []
    for version in 0..<1000 {
      var state = StoreState()
      state.version = version
      seen.insert(state.fingerprint)
      state.transaction = 1 << UInt64(version % 64)
      seen.insert(state.fingerprint)
      state.digest[.columns] = UInt64(version) &* 0x9E37_79B9
      seen.insert(state.fingerprint)
    }
    #expect(seen.count >= 2997)
  }
}
