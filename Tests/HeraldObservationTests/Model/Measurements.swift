import HeraldModel
import HeraldObservation
import HeraldQuery
import TestSupport
import Testing

/// Figures, printed and not asserted: `HERALD_MEASURE=1 swift test -c release --filter Measurements`.
@Suite(.enabled(if: isMeasuring), .serialized)
struct Measurements {
  private static let weightPath = PropertyPath(
    root: FlatStore.classID,
    steps: [PropertyPath.Step(FlatStore.classID, .property(FlatStore.weight))])

  private static func heavier(than least: Int) -> BoundPredicate {
    BoundPredicate(dependencies: [weightPath]) { number, reader in
      guard
        case .int(let weight) = reader.value(
          FlatStore.weight, of: ObjectID(FlatStore.classID, number))
      else { return false }
      return weight > least
    }
  }

  private static let byWeight = SortOrder(
    keys: [SortOrder.Key(path: weightPath, isAscending: true)])

  /// The median and largest time of taking a record and delivering all that is pending.
  private func measure(
    _ name: String, _ store: FlatStore, _ observatory: Observatory, changing count: Int
  ) {
    var random = SplitMix64(seed: UInt64(store.writeCount))
    var times: [Duration] = []
    let clock = ContinuousClock()
    for version in 2..<(count > 1000 ? 12 : 302) {
      let changes = (0..<count).map { _ in
        (1 + random.below(store.ages.count - 1), random.below(1_000_000))
      }
      var change = ClassChange()
      change[FlatStore.weight].values = store.setWeights(changes)
      let record = CommitRecord(version: version, classes: [FlatStore.classID: change])
      times.append(
        clock.measure {
          observatory.take(record, store)
          deliver(observatory, store)
        })
    }
    times.sort()
    print("\(name): median \(times[times.count / 2]), 99 % \(times[times.count * 99 / 100])")
  }

  private func deliver(_ observatory: Observatory, _ store: FlatStore) {
    let round = observatory.beginRound()
    while (try? observatory.next(in: round, store)) != nil {}
  }

  @Test(arguments: [1000, 10_000, 100_000, 1_000_000])
  func `one and 100 objects changed among so many rows`(rows: Int) {
    let store = FlatStore(count: rows)
    let all = BoundQuery(classID: FlatStore.classID)
    let filtered = BoundQuery(
      classID: FlatStore.classID, predicate: Self.heavier(than: 100_000))
    let sorted = BoundQuery(
      classID: FlatStore.classID, predicate: Self.heavier(than: 100_000),
      stages: [.sort(Self.byWeight)])
    for (name, query) in [("all", all), ("filtered", filtered), ("sorted", sorted)] {
      let observatory = Observatory()
      _ = observatory.register(.results(query, .standard))
      let initial = ContinuousClock().measure { deliver(observatory, store) }
      print("\(rows) \(name): initial \(initial)")
      measure("\(rows) \(name), 1 changed", store, observatory, changing: 1)
      measure("\(rows) \(name), 100 changed", store, observatory, changing: 100)
    }
  }

  @Test func `10,000 tokens on as many objects`() {
    let store = FlatStore(count: 10_000)
    let observatory = Observatory()
    for number in 1...10_000 {
      _ = observatory.register(.object(ObjectID(FlatStore.classID, number), .everything))
    }
    measure("10,000 object tokens, 1 changed", store, observatory, changing: 1)
  }

  @Test func `1,000 filters over a class of 100,000`() {
    let store = FlatStore(count: 100_000)
    let observatory = Observatory()
    for filter in 0..<1000 {
      let query = BoundQuery(
        classID: FlatStore.classID, predicate: Self.heavier(than: filter * 10 + 990_000))
      _ = observatory.register(.results(query, .standard))
    }
    deliver(observatory, store)
    measure("1,000 filters, 1 changed", store, observatory, changing: 1)
  }

  @Test func `many rows come and go at once`() {
    let store = FlatStore(count: 1_000_000)
    let observatory = Observatory()
    let sorted = BoundQuery(
      classID: FlatStore.classID, predicate: Self.heavier(than: -1),
      stages: [.sort(Self.byWeight)])
    _ = observatory.register(.results(sorted, .standard))
    deliver(observatory, store)
    measure("1,000,000 sorted, 10,000 changed", store, observatory, changing: 10_000)
  }
}
