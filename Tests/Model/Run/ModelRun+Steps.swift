import HeraldModel
import TestSupport

extension ModelRun {
  /// Runs a number of transactions, and returns the faults that it found.
  func failure(ofTransactions count: Int) -> ModelFailure? {
    do {
      try run(transactions: count)
      return nil
    } catch let failure as ModelFailure {
      return failure
    } catch {
      return failure(faults.first ?? "an error nobody expected: \(error)")
    }
  }

  /// Some runs begin with objects of two blocks, of which few are left, some with long lists; then so
  /// many transactions are made, and in the end everything is delivered to everybody.
  func run(transactions count: Int) throws {
    if seed % 4 == 1, focus != .nested, focus != .schemas { try addMany(250 + random.below(20)) }
    if seed % 4 == 2 { try fillLists() }
    while transactions < count {
      let session = random.pick(sessions)
      try step(session)
      try settle(session)
    }
    try finish()
  }

  /// All turns end, that of this session first, where a statement ends them.
  func settle(_ session: ModelSession) throws {
    guard level.abilities.contains(.endsTurns) else { return }
    try endTurn(session)
    for other in sessions where other !== session { try endTurn(other) }
  }

  /// One random step of a session.
  func step(_ session: ModelSession) throws {
    actionsLeft = level.abilities.contains(.blocksAct) && random.chance(60) ? focus.actions : 0
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
    case 74..<88:
      // Soon there are many where many are wanted.
      for _ in 0..<(1 + focus.tokens / 8) where session.tokens.count < focus.tokens {
        try observe(session)
        try settle(session)
      }
    case 88..<93: if random.below(focus.tokens) < 9 { try stop(session) }
    case 93: if focus != .schemas, random.chance(40) { try declareAnother(session) }
    case 94: if random.chance(40) { try reopen(session) }
    default:
      try compareAll(session, state(session))
      try checkStore(session)
    }
  }

  /// A session is closed, or a process ends: its tokens stop silently, and another replaces it.
  private func reopen(_ session: ModelSession) throws {
    guard level.abilities.contains(.closes),
      let place = sessions.firstIndex(where: { $0 === session }), place > 0
    else { return }
    note("\(session.name): close, open")
    session.leave()
    if session.isRemote { numbers[true] = [] }
    sessions[place] = try self.session(session.name, isRemote: session.isRemote)
  }

  func checkStore(_ session: ModelSession) throws {
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
    try compareFrozen()
  }
}
