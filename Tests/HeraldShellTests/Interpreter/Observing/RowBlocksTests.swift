import Herald
import TestSupport
import Testing

@testable import HeraldShell

/// Rows that follow their change sets, against a plain array.
@Suite struct RowBlocksTests {
  @Test(arguments: seeds(20))
  func `rows in blocks are the rows of an array`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var expected = (0..<random.below(300)).map { $0 }
    var rows = RowBlocks(expected)
    for step in 0..<600 {
      let row = random.below(expected.count + 3) - 1
      switch random.below(seed.isMultiple(of: 2) ? 7 : 5) {
      case 0, 1:
        let place = min(max(row, 0), expected.count)
        expected.insert(step, at: place)
        rows.insert(step, at: place)
      case 2:
        if expected.indices.contains(row) { expected[row] = -step }
        rows.replace(at: row, with: -step)
      default:
        if expected.indices.contains(row) { expected.remove(at: row) }
        rows.remove(at: row)
      }
      #expect(rows.violations.isEmpty, "seed \(seed), step \(step)")
      #expect(
        rows.count == expected.count
          && rows[row] == (expected.indices.contains(row) ? expected[row] : nil))
    }
    #expect(rows.blocks.flatMap(\.self) == expected, "seed \(seed)")
  }

  @Test(arguments: seeds(20))
  func `4.2: rows that follow change sets are the current rows`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var now = (0..<random.below(80)).map { Value.int($0) }
    var rows = ObservedRows(now)
    for step in 0..<60 {
      let old = now
      let gone = Set(old.indices.filter { _ in random.chance(15) })
      now = old.indices.filter { !gone.contains($0) }.map { old[$0] }
      var changes = ChangeSet(deletions: gone.sorted())
      let kept = old.indices.filter { !gone.contains($0) }
      var places = Array(now.indices)
      for number in 0..<random.below(9) {
        let place = random.below(now.count + 1)
        now.insert(.string("\(step).\(number)"), at: place)
        places = places.map { $0 >= place ? $0 + 1 : $0 }
      }
      changes.insertions = Set(now.indices).subtracting(places).sorted()
      for (was, place) in zip(kept, places) where random.chance(10) {
        now[place] = .double(Double(step))
        changes.modifications.append(was)
        changes.modificationsNew.append(place)
      }
      rows.follow(changes) { now[$0] }
      #expect((0...now.count).map(rows.value(at:)) == now.map(Optional.some) + [nil])
    }
  }
}
