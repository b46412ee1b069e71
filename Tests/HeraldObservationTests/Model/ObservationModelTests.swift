import TestSupport
import Testing

@testable import TestModel

/// Observers alone against the model, over the records of random transactions.
@Suite(CountingTransactions()) struct ObservationModelTests {
  @Test(arguments: seeds(TransactionCount.everything.seeds))
  func `every token receives what the rules require (2, 3, 4, 5)`(seed: UInt64) {
    run(seed, .everything, TransactionCount.everything)
  }

  @Test(arguments: seeds(TransactionCount.objects.seeds))
  func `objects, properties and projections are delivered (2.3, 3, 7, 8)`(seed: UInt64) {
    run(seed, .objects, TransactionCount.objects)
  }

  @Test(arguments: seeds(TransactionCount.collections.seeds))
  func `collections and their results are delivered (2.2, 2.4, 2.5, 4)`(seed: UInt64) {
    run(seed, .collections, TransactionCount.collections)
  }

  @Test(arguments: seeds(TransactionCount.filters.seeds))
  func `changes of many filters are delivered (2.2, 4, 11.1)`(seed: UInt64) {
    run(seed, .filters, TransactionCount.filters)
  }

  /// The bulk of the transactions: cheap ones, few tokens each.
  @Test(arguments: seeds(TransactionCount.fewTokens.seeds))
  func `few tokens over many transactions receive what the rules require (1 to 8)`(seed: UInt64) {
    run(seed + 10_000, .fewTokens, TransactionCount.fewTokens)
  }

  @Test func `everything is generated for observers`() throws {
    var coverage = ModelCoverage()
    for seed in UInt64(1)...40 where !coverage.missing(ModelCoverage.everywhere).isEmpty {
      let focus = [ModelFocus.everything, .objects, .collections][Int(seed % 3)]
      let run = try ModelRun(seed: seed, level: ObservationLevel(), focus: focus)
      try run.run(transactions: 60)
      coverage.add(run.coverage)
    }
    let missing = coverage.missing(ModelCoverage.everywhere)
    #expect(missing.isEmpty, "\(missing), of \(coverage.counts)")
  }

  @Test func `random schemas have every kind of property`() {
    var coverage = ModelCoverage()
    for seed in 0..<500 {
      var random = SplitMix64(seed: seed)
      coverage.note(ModelSchema.random(&random))
    }
    let missing = coverage.missing(ModelCoverage.properties)
    #expect(missing.isEmpty, "\(missing), of \(coverage.counts)")
  }

  @Test func `the models make at least 50,000 transactions in a run of all tests`() {
    #expect(TransactionCount.planned >= 50_000)
  }

  private func run(_ seed: UInt64, _ focus: ModelFocus, _ plan: TransactionCount.Plan) {
    do {
      let run = try ModelRun(seed: seed, level: ObservationLevel(), focus: focus)
      defer { TransactionCount.add(run.transactions) }
      if let failure = run.failure(ofTransactions: plan.perSeed) { Issue.record(failure) }
    } catch { Issue.record(error) }
  }
}
