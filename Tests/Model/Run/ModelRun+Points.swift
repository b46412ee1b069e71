import HeraldModel
import HeraldObservation

// What must come next: found out only then, since blocks write and stop each other.

extension ModelRun {
  /// The session moves to the newest version.
  func advance(_ session: ModelSession) {
    guard session.version < latest else { return }
    if level.abilities.contains(.hasShortLog),
      (session.version + 1..<latest).contains(where: { isRemote[$0] != session.isRemote })
    {
      noteDone("versions are compared")
      session.compared.append(session.version..<latest)
    }
    session.version = latest
    for token in session.tokens {
      (token.notifiedRefresh, token.hasPendingRefresh) = (false, false)
    }
  }

  /// What must come next, or may and is of the token `name`.
  private func next(
    _ session: ModelSession, _ point: ModelPoint, for name: String? = nil
  ) -> ModelPoint.Next {
    while true {
      if let (token, expectation) = next(session, &point.round) {
        if expectation.isOptional && token.name != name { continue }
        return .notified(token, expectation)
      }
      switch point.stage {
      case .once: return .nothing
      case .beginning:
        // Where others commit meanwhile, it begins again.
        guard !point.isFailing, session.version < latest || point.isRestarted else {
          return .nothing
        }
        advance(session)
        point.begin(.beginning, ModelRound(session))
      case .turn:
        // The queue continues when everything was delivered, also what blocks have written (6.6).
        if point.isNotified {
          startTurn(session, point)
        } else if !session.queue.isEmpty && openSession == nil {
          advance(session)
          point.begin(.turnBeginning, ModelRound(session))
        } else {
          return .nothing
        }
      case .turnCommit: startTurn(session, point)
      case .turnBeginning where point.isFailing:
        session.queue.removeFirst()
        startTurn(session, point)
      case .turnBeginning:
        guard session.version < latest || point.isRestarted else { return .queued }
        advance(session)
        point.begin(.turnBeginning, ModelRound(session))
      }
    }
  }

  private func next(
    _ session: ModelSession, _ round: inout ModelRound
  ) -> (ModelToken, ModelExpectation)? {
    while !round.rest.isEmpty {
      let token = round.rest.removeFirst()
      guard
        token.awaitsInitial || token.isOrphan || token.hasPendingRefresh
          || token.deliveredUpTo < round.version
      else { continue }
      let delivery = ModelDelivery(
        version: session.version, states: states, commits: commits, compared: session.compared,
        tokens: session.tokens.filter(\.isLive))
      guard let expectation = delivery.pending(token) else { continue }
      // What is pending is delivered (1.4): the last call follows the first one.
      if token.isLive && token.isOrphan { round.rest.insert(token, at: 0) }
      return (token, expectation)
    }
    return nil
  }

  /// A round of a turn's end (1.2a, 1.3).
  func startTurn(_ session: ModelSession, _ point: ModelPoint) {
    if session.autorefresh { advance(session) }
    if session.version < latest {
      for token in session.tokens where token.isStoreToken && !token.notifiedRefresh {
        (token.notifiedRefresh, token.hasPendingRefresh) = (true, true)
      }
    }
    point.begin(.turn, ModelRound(session))
  }

  /// Runs a delivery point that begins now; then nothing may be pending that had to be delivered. Nil where a
  /// block failed.
  @discardableResult
  func deliver<R>(
    _ session: ModelSession, _ stage: ModelPoint.Stage, at name: String, _ body: () throws -> R
  ) throws -> R? {
    let point = ModelPoint(stage, ModelRound(session))
    session.points.append(point)
    if case .turn = stage { startTurn(session, point) }
    let result = try unlessFailed(point, body)
    try finishPoint(session, at: name)
    return result
  }

  /// What delivers at a point throws if a block failed there, and only then: nil.
  func unlessFailed<R>(_ point: ModelPoint, _ body: () throws -> R) throws -> R? {
    var result: R?
    do { result = try body() } catch let refusal as ModelRefusal
      where refusal.reason == .rollback && point.hasFailed
    { return nil }
    if point.hasFailed { throw failure("a block failed, but what called it did not") }
    return result
  }

  /// Ends the innermost point.
  func finishPoint(_ session: ModelSession, at name: String) throws {
    if let fault = faults.first { throw failure("\(fault), at \(session.name)'s \(name)") }
    guard let point = session.points.last else { return }
    switch next(session, point) {
    case .nothing: break
    case .queued: throw failure("a queued write of \(session.name) did not run at its \(name)")
    case .notified(let token, let expectation):
      throw failure(
        """
        \(token.text) was not called at \(session.name)'s \(name)
        expected: \(expectation.text)
        """)
    }
    // Before a write's block nothing was said yet.
    if !point.isBeginning, let seen = session.seenVersion,
      seen != session.version
    {
      throw failure("\(session.name) is at version \(seen), not \(session.version)")
    }
    session.points.removeLast()
    session.tokens.removeAll { !$0.isLive }
  }

  // MARK: - Calls back

  /// What the library calls back for; never throws, since what a block throws is the library's matter.
  func receive(_ call: ModelCall, _ session: ModelSession) -> ModelAnswer {
    guard faults.isEmpty else { return .fail }
    do {
      switch call {
      case .notified(let name, let event, let found):
        note("  \(session.name) receives \(name): \(event.text)")
        if let token = session.tokens.first(where: { $0.name == name }) { note(event, of: token) }
        if let fault = found.first { throw ModelFailure(description: "\(name): \(fault)") }
        if session.statements == 0 {
          try compare(name, event, session)
          if session.points.count > 1 { noteDone("a nested delivery") }
          do { try act(session) } catch is ModelWhim {
            session.points.last?.isFailing = true
            session.points.last?.hasFailed = true
            return .fail
          }
        } else {
          try compareNotification(name, event, session)
          try actInWrite(session)
        }
        return .goOn
      case .inside:
        if session.points.last?.isFailing ?? false {
          throw ModelFailure(description: "a write runs, although a block failed")
        }
        try finishPoint(session, at: "beginning of a write")
        return try run(session.bodies.removeLast(), session) ? .goOn : .fail
      case .queued:
        guard let point = session.points.last, case .queued = next(session, point) else {
          throw ModelFailure(description: "a queued write of \(session.name) runs")
        }
        let answer =
          try run(session.queue.removeFirst(), session, isQueued: true)
          ? ModelAnswer.goOn : .fail
        // The commit notifies store tokens, and the turn continues.
        point.hasNotified = true
        return answer
      }
    } catch {
      faults.append("\(error)")
      return .fail
    }
  }

  private func compare(_ name: String, _ event: ModelEvent, _ session: ModelSession) throws {
    guard let point = session.points.last,
      case .notified(let token, let expected) = next(session, point, for: name)
    else {
      throw ModelFailure(
        description: "\(name) was called, which had nothing to receive: \(event.text)")
    }
    (point.isNotified, point.hasNotified) = (true, true)
    func fail(_ what: String) -> ModelFailure {
      ModelFailure(
        description: """
          \(what)
          expected: \(token.text): \(expected.text)
          seen: \(name): \(event.text)
          """)
    }
    guard token.name == name else { throw fail("the wrong token was called") }
    if let fault = expected.fault(event) { throw fail("wrong \(fault)") }
    // In a delivery an object is exactly at the version that is delivered (1.7).
    if case .change(_, let reading) = event, let id = token.target.owner {
      guard let reading, let twin = state(session)[id], let type = schema.place(of: id.classID)
      else { throw fail("the object is gone") }
      if let fault = fault(reading, twin, type, state(session)) { throw fail(fault) }
    }
  }
}
