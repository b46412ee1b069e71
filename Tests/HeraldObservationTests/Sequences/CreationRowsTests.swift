import HeraldModel
import TestSupport
import Testing

@testable import HeraldObservation
@testable import TestModel

/// Views of the same rows, of which each change toggles one row in some.
struct CreationRowsTests {
  @Test(arguments: seeds(20))
  func `views that share a set change alone, and make a common change once`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let reader = ModelReader(RecordedState(schema: Schema(classes: [])))
    let bound = 256 * 2
    let numbers = Set((0..<bound).filter { _ in random.oneIn(2) })
    let views = (0..<6).map { _ in
      var members = MemberSet()
      for number in numbers { members.insert(number) }
      return CreationRows(members)
    }
    for view in views.dropFirst() { view.share(views[0].storage) }
    #expect(Set(views.map { ObjectIdentifier($0.storage) }).count == 1, "seed \(seed)")
    var expected = [Set<Int>](repeating: numbers, count: views.count)
    for round in 0..<12 {
      let number = random.below(bound)
      let isCommon = random.oneIn(2)
      var shared = CreationRows.SharedResults()
      let sharedBefore = Set(views.map { ObjectIdentifier($0.storage) }).count
      for (index, view) in views.enumerated() {
        let sorted = expected[index].sorted()
        #expect(view.position(of: number, &shared) == sorted.firstIndex(of: number), "seed \(seed)")
        guard isCommon || random.oneIn(2) else { continue }
        let position = view.toggle(number, &shared, reader)
        if expected[index].remove(number) == nil { expected[index].insert(number) }
        let place = sorted.firstIndex(of: number) ?? expected[index].sorted().firstIndex(of: number)
        #expect(position == place, "seed \(seed), round \(round)")
      }
      if isCommon {
        #expect(Set(views.map { ObjectIdentifier($0.storage) }).count <= sharedBefore)
      }
      for (view, members) in zip(views, expected) {
        #expect((0..<view.count).map(view.number(at:)) == members.sorted(), "seed \(seed)")
        #expect(view.violations(reader) == [], "seed \(seed)")
      }
    }
  }

  @Test func `views share a set only if they have the same rows`() {
    let (even, all) = (stride(from: 0, to: 2000, by: 2), stride(from: 0, to: 2000, by: 1))
    func rows(_ numbers: StrideTo<Int>) -> CreationRows {
      var members = MemberSet()
      for number in numbers { members.insert(number) }
      return CreationRows(members)
    }
    let (one, two, three) = (rows(even), rows(even), rows(all))
    #expect(one.fingerprint != nil && one.fingerprint == two.fingerprint)
    #expect(one.fingerprint != three.fingerprint)
    two.share(one.storage)
    three.share(one.storage)
    #expect(two.storage === one.storage && three.storage !== one.storage)
  }
}
