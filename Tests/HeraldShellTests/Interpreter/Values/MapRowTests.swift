import Herald
import TestSupport
import Testing

@testable import HeraldShell

@Suite struct MapRowTests {
  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func `4.7: the rows of a map's changes are those of its keys, before and after`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    func keys() -> Set<String> {
      Set(
        (0..<Int.random(in: 0...12, using: &random)).map { _ in
          "k" + String(UnicodeScalar(UInt8.random(in: 97...112, using: &random)))
        })
    }
    let (before, after) = (keys(), keys())
    let old = before.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    let new = after.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    let modified = before.intersection(after).filter { _ in Bool.random(using: &random) }.sorted()
    let changes = MapChangeSet(
      deletions: before.subtracting(after).sorted(), insertions: after.subtracting(before).sorted(),
      modifications: modified)
    let rows = ChangeSet(changes) { key in new.count { $0 < key } }
    #expect(rows.deletions.map { old[$0] } == changes.deletions)
    #expect(rows.insertions.map { new[$0] } == changes.insertions)
    #expect(rows.modifications.map { old[$0] } == modified)
    #expect(rows.modificationsNew.map { new[$0] } == modified)
  }
}
