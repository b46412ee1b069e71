import TestSupport
import Testing

@Suite(CountingTransactions()) struct ObservationTwinTests {
  @Test(arguments: seeds(TransactionCount.everything.seeds))
  func `every token receives what the rules require (2, 3, 4, 5)`(seed: UInt64) {
    run(
      ModelSession(seed: seed, .everything), seed, observers: 12,
      transactions: TransactionCount.everything.perSeed)
  }

  @Test(arguments: seeds(TransactionCount.objects.seeds))
  func `objects, properties and projections are delivered (2.3, 3, 7, 8)`(seed: UInt64) {
    run(
      ModelSession(seed: seed, .objects), seed, observers: 30,
      transactions: TransactionCount.objects.perSeed)
  }

  @Test(arguments: seeds(TransactionCount.collections.seeds))
  func `collections and their results are delivered (2.2, 2.4, 2.5, 4)`(seed: UInt64) {
    run(
      ModelSession(seed: seed, .collections), seed, observers: 24,
      transactions: TransactionCount.collections.perSeed)
  }

  @Test(arguments: seeds(TransactionCount.filters.seeds))
  func `changes of many filters are delivered (2.2, 4, 11.1)`(seed: UInt64) {
    run(
      ModelSession(seed: seed, .filters), seed, observers: 60,
      transactions: TransactionCount.filters.perSeed)
  }

  /// The bulk of the transactions: cheap ones, few tokens each.
  @Test(arguments: seeds(TransactionCount.fewTokens.seeds))
  func `few tokens over many transactions receive what the rules require (1 to 8)`(seed: UInt64) {
    let focus: [ModelSession.Focus] = [.objects, .collections, .collections, .everything]
    let session = ModelSession(
      seed: seed + 10_000, focus[Int(seed % 4)], isSmall: true)
    run(session, seed, observers: 4, transactions: TransactionCount.fewTokens.perSeed)
  }

  @Test func `the twins make at least 50,000 transactions in a run of all tests`() {
    #expect(TransactionCount.planned >= 50_000)
  }

  private func run(
    _ session: ModelSession, _ seed: UInt64, observers: Int, transactions: Int
  ) {
    var session = session
    defer { TransactionCount.add(session.transactions) }
    for _ in 0..<observers { session.observe() }
    session.round()
    while session.transactions < transactions {
      if session.scenario.random.oneIn(4) || session.observers.count < observers * 2 / 3 {
        session.observe()
      }
      if session.scenario.random.oneIn(12) { session.invalidate() }
      session.step()
      if let failure = session.failures.first {
        Issue.record("HERALD_SEED=\(seed), transaction \(session.transactions): \(failure)")
        return
      }
    }
  }
}
