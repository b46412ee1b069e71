import HeraldModel
import TestSupport
import Testing

@testable import HeraldObservation

struct IntervalIndexTests {
  @Test(arguments: seeds(20))
  func `a span table finds what a scan of every span finds`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var table = IntervalIndex()
    var entries: [IntervalIndex.Entry] = []
    var observers: [Observer] = []
    for round in 0..<1500 {
      if entries.isEmpty || random.oneIn(round % 1000 < 600 ? 4 : 2) == false {
        let lower = random.oneIn(10) ? Int.min : random.below(200)
        let upper = random.oneIn(10) ? Int.max : max(lower, 0) + random.below(20) - 1
        let observer = Observer(TokenID(rawValue: round), StoreSubject(), clock: 0)
        observers.append(observer)
        let member =
          random.oneIn(2)
          ? IntervalIndex.Member(observer) : IntervalIndex.Member(folded: UInt32(round))
        entries.append(IntervalIndex.Entry(lower: lower, upper: upper, member: member))
        table.insert(entries[entries.count - 1])
      } else if random.oneIn(4) {
        let index = random.below(entries.count)
        entries[index].member = IntervalIndex.Member(folded: UInt32(entries[index].member.id))
        table.replace(by: entries[index])
      } else {
        table.remove(entries.remove(at: random.below(entries.count)))
      }
      let place = random.oneIn(20) ? Int.max : random.below(230) - 5
      var found: [Int] = []
      table.forEach(at: place) { found.append($0.id) }
      let expected = entries.filter { $0.lower <= place && place <= $0.upper }
      #expect(found.sorted() == expected.map(\.member.id).sorted(), "seed \(seed)")
      let other = random.oneIn(4) ? nil : random.below(230) - 5
      var besides: [Int] = []
      table.forEach(at: place, besides: other) { besides.append($0.id) }
      let rest = expected.filter { entry in
        other.map { $0 < entry.lower || entry.upper < $0 } ?? true
      }
      #expect(besides.sorted() == rest.map(\.member.id).sorted(), "seed \(seed)")
      if round % 100 == 0 { #expect(table.violations == [], "seed \(seed)") }
    }
    for entry in entries { table.remove(entry) }
    #expect(table.isEmpty && table.blocks.isEmpty)
    withExtendedLifetime(observers) {}
  }

  @Test(arguments: seeds(4))
  func `groups of blocks hide no span`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var table = IntervalIndex()
    // Narrow spans side by side, wide ones among them, and many that begin together.
    var entries = (0..<6_000).map { number in
      let lower = number % 3 == 0 ? 2_000 : number
      let upper = random.oneIn(500) ? lower + random.below(6_000) : lower + random.below(3)
      return IntervalIndex.Entry(
        lower: lower, upper: upper, member: IntervalIndex.Member(folded: UInt32(number)))
    }
    for index in entries.indices.reversed() { entries.swapAt(index, random.below(index + 1)) }
    for entry in entries { table.insert(entry) }
    #expect(table.groupLasts.count > 2)
    while !entries.isEmpty {
      #expect(table.violations == [], "seed \(seed)")
      for _ in 0..<40 {
        let place = random.below(6_100)
        var found: [Int] = []
        table.forEach(at: place) { found.append($0.id) }
        let expected = entries.filter { $0.lower <= place && place <= $0.upper }
        #expect(found.sorted() == expected.map(\.member.id).sorted(), "seed \(seed)")
      }
      for _ in 0..<min(1_000, entries.count) { table.remove(entries.removeLast()) }
    }
    #expect(table.isEmpty && table.blocks.isEmpty && table.groupLasts.isEmpty, "seed \(seed)")
  }
}
