import HeraldModel
import HeraldQuery
import TestSupport
import Testing

@testable import HeraldObservation

/// Sorted rows beside an array that is sorted anew: few values and many rows, so that the first row
/// of a block leaves, comes back with other values and is one again.
struct SortedRowsTests {
  private let order = RowOrder(
    sort: SortOrder(keys: [
      SortOrder.Key(path: path(FlatStore.age), isAscending: false),
      SortOrder.Key(path: path(FlatStore.weight), isAscending: true),
    ]), collection: nil)

  private static func path(_ property: PropertyID) -> PropertyPath {
    PropertyPath(
      root: FlatStore.classID, steps: [PropertyPath.Step(FlatStore.classID, .property(property))])
  }

  @Test(arguments: seeds(4))
  func `sorted rows are an array that is sorted again`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let store = FlatStore(count: 2500)
    for number in 1...2500 { scatter(number, in: store, &random) }
    var members = Set((1...2500).filter { _ in random.oneIn(2) })
    var expected = sorted(members, store)
    let rows = SortedRows(expected, by: order, store)
    for round in 0..<40 {
      let changed = chosen(from: expected, &random)
      let absent = (1...2500).filter { !members.contains($0) }
      let added = absent.shuffled(using: &random).prefix(random.oneIn(10) ? 1500 : 20)
      for number in changed { rows.remove(number) }
      for number in changed { scatter(number, in: store, &random) }
      let gone = random.oneIn(2) ? [] : Array(changed.prefix(changed.count / 2))
      members.subtract(gone)
      members.formUnion(added)
      rows.insert(contentsOf: changed.filter(members.contains) + added, store)

      expected = sorted(members, store)
      #expect(rows.count == expected.count, "seed \(seed), round \(round)")
      for (position, number) in expected.enumerated() {
        guard rows.number(at: position) == number, rows.position(of: number) == position else {
          Issue.record("row \(position) is not number \(number): seed \(seed), round \(round)")
          return
        }
      }
      if round % 10 == 0 { #expect(rows.violations(store) == [], "seed \(seed), round \(round)") }
    }
  }

  /// Some rows: neighbours, those at regular distances, where blocks begin, or any.
  private func chosen(
    from rows: [ObjectNumber], _ random: inout SplitMix64
  ) -> [ObjectNumber] {
    let count = 1 + random.below(random.oneIn(8) ? 1200 : 30)
    switch random.below(3) {
    case 0: return Array(rows.dropFirst(random.below(max(1, rows.count))).prefix(count))
    case 1: return stride(from: 0, to: rows.count, by: 192).map { rows[$0] }
    default: return Array(rows.shuffled(using: &random).prefix(count))
    }
  }

  private func scatter(_ number: Int, in store: FlatStore, _ random: inout SplitMix64) {
    store.ages[number] = random.below(20)
    store.weights[number] = random.below(30)
  }

  private func sorted(_ members: Set<ObjectNumber>, _ store: FlatStore) -> [ObjectNumber] {
    members.sorted { a, b in
      if store.ages[a] != store.ages[b] { return store.ages[a] > store.ages[b] }
      if store.weights[a] != store.weights[b] { return store.weights[a] < store.weights[b] }
      return a < b
    }
  }
}
