import HeraldModel
import HeraldObservation
import HeraldQuery
import TestSupport
import Testing

/// What observed values and conditions read besides their rows, over many rows of which one changes.
@Suite struct FollowedReadsTests {
  private static let rowCount = 20_000

  /// Changes one weight after the other, and returns the reports with the largest number of values that were read for one
  /// of them.
  private func run(
    _ target: ObservedTarget, _ store: FlatStore, rounds: Int, _ check: (Report?) -> Void
  ) -> Int {
    let observatory = Observatory()
    _ = observatory.register(target)
    _ = next(observatory, store)
    var random = SplitMix64(seed: 5)
    var most = 0
    for version in 2..<2 + rounds {
      let change = [(1 + random.below(Self.rowCount), random.below(1_000_000))]
      var changes = ClassChange()
      changes[FlatStore.weight].values = store.setWeights(change)
      let before = store.readCount
      observatory.take(CommitRecord(version: version, classes: [FlatStore.classID: changes]), store)
      let report = next(observatory, store)
      most = max(most, store.readCount - before)
      check(report)
    }
    return most
  }

  private func next(_ observatory: Observatory, _ store: FlatStore) -> Report? {
    let round = observatory.beginRound()
    var last: Report?
    while let due = try? observatory.next(in: round, store) { last = due.report }
    return last
  }

  @Test(arguments: [
    "(Dog where weight > 500000).@count", "Dog.@sum.weight", "Dog.@max.weight",
    "Dog.@median.weight", "Dog.@sum.weight + (Dog where weight > 500000).@count * 2",
  ])
  func `a value that follows an aggregate does not read its rows again`(text: String) throws {
    let store = FlatStore(count: Self.rowCount)
    let (syntax, _) = try QueryParser.parseExpression(Array(text.utf8), from: 0)
    let bind = {
      try BoundValue.bind(syntax, schema: store.schema, names: NoNames(), reader: store)
    }
    var last = try bind().value
    let most = run(.value(try bind(), when: nil), store, rounds: 200) { report in
      let expected = (try? bind())?.value ?? .null
      if expected == last {
        #expect(report == nil)
      } else {
        guard case .value(let old, let new, isLast: false) = report else {
          Issue.record("\(text): \(report.map { "\($0)" } ?? "no report")")
          return
        }
        #expect(old == last && new == expected)
      }
      last = expected
    }
    #expect(most < 100, "\(text) read \(most) values")
  }

  @Test func `a condition that follows an aggregate does not read that one's rows again`() throws {
    let store = FlatStore(count: Self.rowCount)
    let text = "where age == (Dog where weight > 999000).@count % 7"
    let (tail, _) = try QueryParser.parseTail(Array(text.utf8), from: 0)
    let bind = {
      try BoundQuery.bind(
        tail, root: FlatStore.classID, schema: store.schema, names: NoNames(), reader: store)
    }
    var count = try bind().rows(store).count
    let most = run(.results(try bind(), .standard), store, rounds: 200) { report in
      if case .rows(let delivered) = report {
        count += delivered.changes.insertions.count - delivered.changes.deletions.count
      }
      #expect(count == (try? bind())?.rows(store).count)
    }
    // Its own condition is another one, so that each row is read once.
    #expect(most < Self.rowCount * 3 / 2, "read \(most) values")
  }
}
