import Herald
import OtherProcess
import TestSupport
import Testing

/// The library against its twin. A failure prints its seed and the last steps; one seed is replayed,
/// and a longer run made, by
///
///     HERALD_SEED=18 scripts/test --filter TwinTests
///     HERALD_TIMES=20 scripts/test --filter TwinTests
@Suite(CountingTransactions()) struct TwinTests {
  @Test(arguments: seeds(TransactionCount.library.seeds))
  func `every token receives what a slow model of plain arrays predicts`(seed: UInt64) throws {
    // Every tenth on disk, with a session in another process.
    guard seed % 10 == 0 else { return try runTwin(seed, try Store()) }
    try withFolder { folder in
      try runTwin(seed, try Store(path: "\(folder)/twin.hdb"))
    }
  }

  private func runTwin(_ seed: UInt64, _ store: Store) throws {
    let run = try TwinRun(seed: seed, store: store)
    defer {
      TransactionCount.add(
        run.transactions, inDeliveries: run.inDeliveries, inOtherProcesses: run.inOtherProcess)
    }
    do {
      try run.prepare()
      while run.transactions < TransactionCount.library.perSeed { try run.step() }
      try run.finish()
    } catch let failure as TwinFailure {
      Issue.record(failure)
    } catch {
      Issue.record(run.failure(run.faults.first ?? "an error nobody expected: \(error)"))
    }
    for session in run.sessions { session.leave() }
    guard let path = store.path else { return }
    do { try run.compareReopened(path) } catch { Issue.record(error) }
  }
}

extension TwinRun {
  /// Some runs begin with objects of two blocks, of which few are left, some with long lists.
  func prepare() throws {
    if seed % 4 == 1 { try addMany(250 + random.below(20)) }
    if seed % 4 == 2 { try fillLists() }
  }

  /// What a store on disk holds after everybody has closed it.
  func compareReopened(_ path: String) throws {
    let store = try Store(path: path)
    defer { store.close() }
    guard store.version == latest else { throw failure("reopened at version \(store.version)") }
    let again = session(store, "again")
    try compareAll(again, state(again))
    try checkStore(again)
  }

  /// One random step of one random session.
  func step() throws {
    let session = random.pick(sessions)
    actionsLeft = random.chance(60) ? 5 : 0
    switch random.below(100) {
    case 0..<45:
      try write(session)
      if random.chance(55) { try endTurn(session) }
    case 45..<65: try endTurn(session)
    case 65..<70: try refresh(session)
    case 70..<74:
      session.autorefresh.toggle()
      note("\(session.name): autorefresh \(session.autorefresh)")
      _ = try session.perform(.setAutorefresh(session.autorefresh))
    case 74..<88: if session.tokens.count < 9 { try observe(session) }
    case 88..<93: try stop(session)
    case 93: if random.chance(20) { try declareAnother(session) }
    case 94: if random.chance(40) { try reopen(session) }
    default:
      try compareAll(session, state(session))
      try checkStore(session)
    }
  }

  /// A session is closed, or a process ends: its tokens stop silently, and another replaces it.
  private func reopen(_ session: TwinSession) throws {
    guard let place = sessions.firstIndex(where: { $0 === session }), place > 0 else { return }
    note("\(session.name): close, open")
    let isRemote = session.isRemote
    session.leave()
    if isRemote, let path {
      sessions[place] = try otherProcess(path)
    } else {
      let store = try newStore(session.name)
      guard store.version == latest else { throw failure("a new session is at \(store.version)") }
      sessions[place] = self.session(store, session.name)
    }
  }

  func checkStore(_ session: TwinSession) throws {
    let faults = try session.check()
    if !faults.isEmpty { throw failure("check: \(faults)") }
  }

  /// At the end every token receives everything, and everything is consistent.
  func finish() throws {
    actionsLeft = 0
    for session in sessions {
      try refresh(session)
      try endTurn(session)
      try compareAll(session, state(session))
      try checkStore(session)
    }
  }
}
