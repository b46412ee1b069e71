import Herald
import OtherProcess
import TestSupport
import Testing

@testable import TestModel

/// The library against the model. A failure prints its seed and the last steps; one seed is replayed,
/// and a longer run made, by
///
///     HERALD_SEED=18 scripts/test --filter LibraryModelTests
///     HERALD_TIMES=20 scripts/test --filter LibraryModelTests
@Suite(CountingTransactions()) struct LibraryModelTests {
  @Test(arguments: seeds(TransactionCount.library.seeds))
  func `every token receives what a slow model of plain arrays predicts`(seed: UInt64) throws {
    // Every tenth on disk, with a session in another process.
    guard seed % 10 == 0 else { return try runModel(seed, try DynamicStore()) }
    try withFolder { folder in
      try runModel(seed, try DynamicStore(path: "\(folder)/model.hdb"))
    }
  }

  @Test(arguments: seeds(TransactionCount.schemas.seeds))
  func `2.2: observers of rows follow classes that change, and end with what they depend on`(
    seed: UInt64
  ) throws {
    try runModel(seed, try DynamicStore(), .schemas, TransactionCount.schemas)
  }

  @Test func `everything is generated for the library`() throws {
    var coverage = ModelCoverage()
    // Of schemas with values of any type, in which collections are nested.
    let mixed = (UInt64(1)...200).filter { seed in
      var random = SplitMix64(seed: seed)
      let properties = ModelSchema.random(&random).classes.flatMap(\.properties)
      return properties.contains { $0.element == .any }
    }
    let expected = ModelCoverage.everywhere + ModelCoverage.whole
    for seed in mixed.prefix(40) where !coverage.missing(expected).isEmpty {
      let run = try ModelRun(seed: seed, level: LibraryLevel(try DynamicStore()))
      try run.run(transactions: 60)
      coverage.add(run.coverage)
      for session in run.sessions { session.leave() }
    }
    let missing = coverage.missing(expected)
    #expect(missing.isEmpty, "\(missing), of \(coverage.counts)")
  }

  @Test func `changes of classes are generated for the library`() throws {
    var coverage = ModelCoverage()
    for seed in 1...UInt64(20) where !coverage.missing(ModelCoverage.schemas).isEmpty {
      let run = try ModelRun(
        seed: seed, level: LibraryLevel(try DynamicStore()), focus: .schemas)
      try run.run(transactions: 60)
      coverage.add(run.coverage)
    }
    let missing = coverage.missing(ModelCoverage.schemas)
    #expect(missing.isEmpty, "\(missing), of \(coverage.counts)")
  }

  private func runModel(
    _ seed: UInt64, _ store: DynamicStore, _ focus: ModelFocus = .everything,
    _ plan: TransactionCount.Plan = TransactionCount.library
  ) throws {
    let run = try ModelRun(seed: seed, level: LibraryLevel(store), focus: focus)
    defer {
      TransactionCount.add(
        run.transactions, inDeliveries: run.inDeliveries, inOtherProcesses: run.inOtherProcess)
    }
    if let failure = run.failure(ofTransactions: plan.perSeed) {
      Issue.record(failure)
    }
    for session in run.sessions { session.leave() }
    guard let path = store.path else { return }
    do { try run.compareReopened(path) } catch { Issue.record(error) }
  }
}

extension ModelRun {
  /// What a store on disk holds after everybody has closed it.
  fileprivate func compareReopened(_ path: String) throws {
    let store = try DynamicStore(path: path)
    defer { store.close() }
    guard store.version == latest else { throw failure("reopened at version \(store.version)") }
    let again = ModelSession(name: "again", version: latest, isRemote: false)
    again.link = LibrarySession(store) { _ in .fail }
    try compareAll(again, state(again))
    try checkStore(again)
  }
}
