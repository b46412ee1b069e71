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

  @Test func `everything is generated for the library`() throws {
    var coverage = ModelCoverage()
    // Of schemas with values of any type, in which collections are nested.
    let mixed = (UInt64(1)...200).filter { seed in
      var random = SplitMix64(seed: seed)
      let properties = ModelSchema.random(&random).classes.flatMap(\.properties)
      return properties.contains { $0.element == .any }
    }
    for seed in mixed.prefix(10) {
      let run = try ModelRun(seed: seed, level: LibraryLevel(try DynamicStore()))
      try run.run(transactions: 60)
      coverage.add(run.coverage)
      for session in run.sessions { session.leave() }
    }
    let missing = coverage.missing(ModelCoverage.everywhere + ModelCoverage.whole)
    #expect(missing.isEmpty, "\(missing), of \(coverage.counts)")
  }

  private func runModel(_ seed: UInt64, _ store: DynamicStore) throws {
    let run = try ModelRun(seed: seed, level: LibraryLevel(store))
    defer {
      TransactionCount.add(
        run.transactions, inDeliveries: run.inDeliveries, inOtherProcesses: run.inOtherProcess)
    }
    do {
      try run.run(transactions: TransactionCount.library.perSeed)
    } catch let failure as ModelFailure {
      Issue.record(failure)
    } catch {
      Issue.record(run.failure(run.faults.first ?? "an error nobody expected: \(error)"))
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

/// Sessions of the library; also in another process where the store is a file.
private final class LibraryLevel: ModelLevel {
  private let store: DynamicStore
  private var isFirst = true

  init(_ store: DynamicStore) { self.store = store }

  func declare(_ schema: ModelSchema) throws -> [ClassID] {
    for definition in schema.definitions { try store.declare(definition) }
    for projection in schema.projectionDefinitions { try store.declare(projection) }
    return schema.classes.compactMap { store.schema.classSchema(named: $0.name)?.id }
  }

  var abilities: Set<ModelAbility> {
    let always: Set<ModelAbility> = [.blocksAct, .tellsAtOnce, .nests, .closes]
    return store.path == nil ? always : always.union([.hasOtherProcess])
  }

  var version: Int { store.version }

  func open(
    _ name: String, isRemote: Bool, _ callBack: @escaping (ModelCall) -> ModelAnswer
  ) throws -> (link: any ModelLink, version: Int) {
    if isRemote, let path = store.path {
      let remote = try RemoteSession(path, callBack)
      return (remote, remote.version)
    }
    defer { isFirst = false }
    let session = isFirst ? store : try store.newSession(named: name)
    return (LibrarySession(session, callBack), session.version)
  }
}
