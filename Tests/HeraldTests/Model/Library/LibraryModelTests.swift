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
    try withLevel(.everything, isFile: seed % 10 == 0) { level in
      try runModel(seed, level, .everything, TransactionCount.library)
    }
  }

  @Test(arguments: seeds(TransactionCount.schemas.seeds))
  func `2.2: observers of rows follow classes that change, and end with what they depend on`(
    seed: UInt64
  ) throws {
    try withLevel(.schemas, isFile: false) { level in
      try runModel(seed, level, .schemas, TransactionCount.schemas)
    }
  }

  /// Every second time on disk, with a log that rarely reaches back.
  @Test(arguments: seeds(TransactionCount.reactions.seeds))
  func `6: every token receives what the rules require, whatever blocks do`(seed: UInt64) throws {
    try withLevel(.reactions, isFile: seed % 2 == 0) { level in
      try runModel(seed, level, .reactions, TransactionCount.reactions)
    }
  }

  @Test func `everything is generated for the library`() throws {
    // Of schemas with values of any type, in which collections are nested.
    let mixed = (UInt64(1)...200).filter { seed in
      var random = SplitMix64(seed: seed)
      let properties = ModelSchema.random(&random).classes.flatMap(\.properties)
      return properties.contains { $0.element == .any }
    }
    try expect(ModelCoverage.everywhere + ModelCoverage.whole, of: .everything, mixed.prefix(40))
    try expect(ModelCoverage.schemas, of: .schemas, 1...20)
    try expect(ModelCoverage.reactions, of: .reactions, 1...20)
  }

  private func expect(
    _ names: [String], of focus: ModelFocus, _ seeds: some Sequence<UInt64>
  ) throws {
    var coverage = ModelCoverage()
    for seed in seeds where !coverage.missing(names).isEmpty {
      try withLevel(focus, isFile: focus == .reactions && seed % 2 == 0) { level in
        let run = try ModelRun(seed: seed, level: level, focus: focus)
        try run.run(transactions: 60)
        coverage.add(run.coverage)
        for session in run.sessions { session.leave() }
      }
    }
    let missing = coverage.missing(names)
    #expect(missing.isEmpty, "\(missing), of \(coverage.counts)")
  }

  private func withLevel(
    _ focus: ModelFocus, isFile: Bool, _ body: (LibraryLevel) throws -> Void
  ) throws {
    guard isFile else { return try body(LibraryLevel(try DynamicStore())) }
    try withFolder { folder in
      let store = try DynamicStore(path: "\(folder)/model.hdb")
      try body(LibraryLevel(store, hasShortLog: focus == .reactions))
    }
  }

  private func runModel(
    _ seed: UInt64, _ level: LibraryLevel, _ focus: ModelFocus, _ plan: TransactionCount.Plan
  ) throws {
    let run = try ModelRun(seed: seed, level: level, focus: focus)
    defer {
      TransactionCount.add(
        run.transactions, inDeliveries: run.inDeliveries, inOtherProcesses: run.inOtherProcess)
    }
    if let failure = run.failure(ofTransactions: plan.perSeed) { Issue.record(failure) }
    for session in run.sessions { session.leave() }
    guard let path = level.store.path else { return }
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
