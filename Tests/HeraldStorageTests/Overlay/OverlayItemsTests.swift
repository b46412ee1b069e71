import TestSupport
import Testing

@testable import HeraldStorage

/// Beside a dictionary of records and a set of entries.
@Suite struct OverlayItemsTests {
  private struct Record: Hashable, Comparable {
    let space: UInt32
    let key: [UInt8]

    static func < (one: Record, other: Record) -> Bool {
      one.space != other.space
        ? one.space < other.space : one.key.lexicographicallyPrecedes(other.key)
    }
  }

  @Test(arguments: seeds(20))
  func `items are those that were put last`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var items = OverlayItems()
    var model: [Record: [UInt8]?] = [:]
    for _ in 0..<400 {
      let record = record(&random)
      let space = try #require(RecordSpace(rawValue: record.space))
      let isDeleted = random.chance(30)
      let content = (0..<random.below(20)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      record.key.withUnsafeBytes { key in
        if isDeleted {
          items.put(OverlayItem(deleted: key, space))
        } else {
          let item = OverlayItem(space, key, size: content.count)
          item.target.copyBytes(from: content)
          items.put(item)
        }
      }
      model[record] = .some(isDeleted ? nil : content)
      let sought = random.chance(50) ? record : self.record(&random)
      let found = sought.key.withUnsafeBytes { key in
        items.find(RecordSpace(rawValue: sought.space) ?? .meta, key).map { item in
          item.content.map { [UInt8]($0) }
        }
      }
      #expect(found == model[sought], "seed \(seed)")
    }
    let inOrder = items.all.map { Record(space: $0.space.rawValue, key: [UInt8]($0.key)) }
    #expect(inOrder == model.keys.sorted(), "seed \(seed)")
    let from = record(&random)
    let rest = from.key.withUnsafeBytes { key in
      items.items(RecordSpace(rawValue: from.space) ?? .meta, from: key).map { [UInt8]($0.key) }
    }
    let expected = model.keys.filter { $0.space == from.space && !($0 < from) }.sorted().map(\.key)
    #expect(rest == expected, "seed \(seed)")
  }

  private func record(_ random: inout SplitMix64) -> Record {
    let space: RecordSpace = random.oneIn(3) ? .lists : .columns
    let size = random.oneIn(10) ? 30 + random.below(3) : 1 + random.below(4)
    let key = (0..<size).map { _ in UInt8(truncatingIfNeeded: random.below(5)) }
    return Record(space: space.rawValue, key: key)
  }

  /// Each write removes what is there and adds what is not.
  @Test(arguments: seeds(20))
  func `merged entries lead from the first tree to the last one`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let key: [UInt8] = [1, 2, 3]
    let base = Set((0..<20).filter { _ in random.chance(50) })
    var (entries, merged) = (base, OverlayItems())
    for _ in 0..<30 {
      var items = OverlayItems()
      for _ in 0..<1 + random.below(6) {
        let number = random.below(20)
        let isAdded = !entries.contains(number)
        if isAdded { entries.insert(number) } else { entries.remove(number) }
        withEntry(number) { entry in
          key.withUnsafeBytes { _ = items.put(OverlayItem(.index, $0, entry, isAdded: isAdded)) }
        }
      }
      merged.merge(items)
      let changed = key.withUnsafeBytes { merged.entries(.index, $0) }
      var read = base
      for item in changed {
        let number = Int(item.value.bigEndian(at: 0, as: UInt64.self))
        if item.change == .added { read.insert(number) } else { read.remove(number) }
      }
      #expect(read == entries, "seed \(seed)")
      // Nothing is there that changes nothing.
      #expect(changed.count == entries.symmetricDifference(base).count, "seed \(seed)")
    }
  }

  private func withEntry<R>(_ number: Int, _ body: (UnsafeRawBufferPointer) -> R) -> R {
    withUnsafeBytes(of: UInt64(number).bigEndian) { body($0) }
  }
}
