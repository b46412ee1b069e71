import HeraldModel
import HeraldObservation
import TestSupport

extension ModelRun {
  /// One random transaction of the session, by a block or by hand.
  func write(_ session: ModelSession, byHand: Bool? = nil) throws {
    let body = randomBody(session)
    let names = body.silenced.map(\.name)
    let words = names.isEmpty ? "" : " without \(names.joined(separator: ", "))"
    let isByHand = byHand ?? (session.points.isEmpty && random.chance(20))
    note("\(session.name): \(isByHand ? "begin" : "write")\(words)")
    advance(session)
    for token in body.silenced { token.holders += 1 }
    defer { for token in body.silenced { token.holders -= 1 } }
    if isByHand { return try writeByHand(session, body) }
    let point = ModelPoint(.beginning, ModelRound(session))
    session.points.append(point)
    session.bodies.append(body)
    let before = session.points.count
    do {
      _ = try session.perform(.write(without: names))
      if session.points.last?.hasFailed ?? false, !body.isRolledBack {
        throw failure("a block failed, but not the write")
      }
    } catch let refusal as ModelRefusal where refusal.reason == .rollback && point.isFailing {
      // The block of the write was not called.
      session.bodies.removeLast()
      return try finishPoint(session, at: "beginning of a write")
    } catch let refusal as ModelRefusal where refusal.reason == .rollback && body.isRolledBack {
      try endNotifying(session)
    } catch let refusal as ModelRefusal
      where refusal.reason == .rollback && session.points.last?.hasFailed ?? false
    {
      // It was committed.
    } catch let refusal as ModelRefusal {
      throw failure(faults.first ?? refusal.words)
    }
    // The block has ended the beginning; a commit continues by notifying store tokens.
    if !body.isRolledBack { try finishPoint(session, at: "commit") }
    guard session.points.count == before - 1 else { throw failure("the block did not run") }
  }

  func randomBody(_ session: ModelSession) -> ModelBody {
    ModelBody(
      silenced: random.chance(20)
        ? session.tokens.filter { $0.isLive && !$0.isPropertyToken && random.chance(40) } : [],
      isRolledBack: random.chance(10))
  }

  /// What the block of a write does; whether it is to be committed.
  func run(_ body: ModelBody, _ session: ModelSession, isQueued: Bool = false) throws -> Bool {
    openSession = session
    defer { openSession = nil }
    if random.chance(8) { try observe(session) }
    let transaction = try changed(session)
    guard !body.isRolledBack else {
      note("  rollback")
      // Notified when the block has failed; `write` ends it.
      beginNotifying(reversals(of: transaction, session), session)
      return false
    }
    commit(transaction, session, body.silenced, isQueued: isQueued)
    return true
  }

  /// Does some statements in the open write.
  private func changed(_ session: ModelSession) throws -> ModelTransaction {
    let transaction = ModelTransaction(on: state(session), nextSerial: nextSerial)
    session.transaction = transaction
    defer { session.transaction = nil }
    if focus == .schemas, random.chance(40) { try alter(session, transaction) }
    if !transaction.hasNewLists { try change(session, transaction) }
    end(transaction, session)
    return transaction
  }

  private func end(_ transaction: ModelTransaction, _ session: ModelSession) {
    nextSerial = transaction.nextSerial
    transactions += 1
    if session.points.contains(where: { !$0.isBeginning }) { inDeliveries += 1 }
    if session.isRemote { inOtherProcess += 1 }
  }

  private func writeByHand(_ session: ModelSession, _ body: ModelBody) throws {
    // The write that is beginning, in a delivery of which this one was begun, begins again.
    defer { session.points.last?.isRestarted = true }
    guard try deliver(session, .beginning, at: "begin", { try session.perform(.begin) }) != nil
    else { return }
    openSession = session
    defer { openSession = nil }
    try whileOpen(session)
    let transaction = try changed(session)
    openSession = nil
    if body.isRolledBack {
      note("  rollback")
      _ = try notifying(reversals(of: transaction, session), session) {
        try session.perform(.rollback)
      }
      return
    }
    // Of those that were to be silenced, some may have died at the beginning.
    let silenced = body.silenced.filter(\.isLive)
    try commitByHand(transaction, session, silenced)
  }

  private func commitByHand(
    _ transaction: ModelTransaction, _ session: ModelSession, _ silenced: [ModelToken] = []
  ) throws {
    let names = silenced.map(\.name)
    let point = commit(transaction, session, silenced)
    _ = try unlessFailed(point) { try session.perform(.commit(without: names)) }
    try finishPoint(session, at: "commit")
  }

  /// The twin commits just before the library does, which then notifies store tokens (1.2d).
  @discardableResult
  private func commit(
    _ transaction: ModelTransaction, _ session: ModelSession, _ silenced: [ModelToken],
    isQueued: Bool = false
  ) -> ModelPoint {
    note("  commit")
    latest += 1
    states[latest] = transaction.committed
    commits[latest] = ModelCommit(transaction)
    isRemote[latest] = session.isRemote
    session.version = latest
    for token in silenced where token.isLive {
      token.deliveredUpTo = latest
      // Its silenced token never receives it and has ended (5.4).
      if isGone(token.target, state(session))
        || token.target.depends(on: ModelCommit(transaction), transaction.before.schema)
      {
        token.isLive = false
      }
    }
    // Notified of all of it already.
    for token in session.tokens where token.isPropertyToken {
      token.deliveredUpTo = latest
      if let owner = token.target.owner, !transaction.state.exists(owner) { token.isLive = false }
    }
    let round = ModelRound(session, isStoreOnly: true)
    if isQueued, let point = session.points.last {
      point.begin(.turnCommit, round)
      return point
    }
    session.points.append(ModelPoint(.once, round))
    return session.points[session.points.count - 1]
  }

  /// Whether what a token looks at is not there any more.
  private func isGone(_ target: ModelTarget, _ state: ModelStore) -> Bool {
    if case .inside(let place, _) = target { return place.node(state) == nil }
    return target.owner.map { !state.exists($0) } ?? false
  }

  /// A write that is the same in every run but for its content.
  private func plainWrite(_ body: (ModelSession, ModelTransaction) throws -> Void) throws {
    let session = sessions[0]
    note("\(session.name): begin")
    advance(session)
    try deliver(session, .beginning, at: "begin") { try session.perform(.begin) }
    let transaction = ModelTransaction(on: state(session), nextSerial: nextSerial)
    try body(session, transaction)
    end(transaction, session)
    try commitByHand(transaction, session)
    try settle(session)
  }

  /// Adds so many objects and deletes all of them again but a few, so that those that follow lie
  /// in another block.
  func addMany(_ count: Int) throws {
    try plainWrite { session, transaction in
      for _ in 0..<count { try add(session, transaction, type: 0) }
    }
    try plainWrite { session, transaction in
      for id in transaction.state.objects[0].map(\.id).shuffled(using: &random).dropFirst(6) {
        try delete(session, id, transaction)
      }
    }
  }

  /// Gives some objects lists of several runs.
  func fillLists() throws {
    try plainWrite { session, transaction in
      for type in schema.independent {
        try add(session, transaction, type: type)
        guard let id = transaction.state.objects[type].first?.id else { continue }
        let properties = schema.classes[type].properties
        for place in properties.indices where properties[place].shape == .list && random.chance(60)
        {
          let isMany = !schema.holdsEmbedded(properties[place]) && properties[place].element != .any
          var values: [Value] = []
          for _ in 0..<(isMany ? 450 + random.below(700) : 5) {
            let value = try randomElement(properties[place], session, transaction)
            if let value { values.append(value) }
          }
          let count = transaction.state.elements(place, of: id).count
          try change(session, id, place, .insert(values, at: count), transaction)
        }
      }
    }
  }

  /// A write that was begun by hand: nothing is delivered in its session (1.2a, 1.4), nobody else
  /// can write, and others see nothing of it.
  private func whileOpen(_ session: ModelSession) throws {
    if random.chance(30) {
      if try session.answer(.endTurn) { throw failure("endTurn delivered inside a write") }
      if try session.answer(.refresh) { throw failure("refresh answered true inside a write") }
    }
    let others = sessions.filter { $0 !== session && $0.points.isEmpty && $0.queue.isEmpty }
    guard !level.abilities.contains(.endsTurns), random.chance(30),
      let other = others.randomElement(using: &random)
    else { return }
    do {
      _ = try other.perform(.writeAtOnce)
      throw failure("two writes at once")
    } catch let refusal as ModelRefusal where refusal.reason == .writerBusy {}
    // Nobody may begin a write meanwhile.
    let actions = actionsLeft
    actionsLeft = 0
    defer { actionsLeft = actions }
    try endTurn(other)
    try compareAll(other, state(other))
  }

  /// A transaction that changes nothing of the twin: another class.
  func declareAnother(_ session: ModelSession) throws {
    note("\(session.name): class More\(latest)")
    advance(session)
    guard try deliver(session, .beginning, at: "begin", { try session.perform(.begin) }) != nil
    else { return }
    let target = schema.classes[schema.independent[0]].name
    _ = try session.perform(.declare(className: "More\(latest)", linkingTo: target))
    try commitByHand(ModelTransaction(on: state(session), nextSerial: nextSerial), session)
  }

  func change(_ session: ModelSession, _ transaction: ModelTransaction) throws {
    for _ in 0..<random.below(7) { try step(session, transaction) }
    if random.chance(15) { try compareAll(session, transaction.state) }
  }

  func step(_ session: ModelSession, _ transaction: ModelTransaction) throws {
    let all = transaction.state.all
    guard let id = all.randomElement(using: &random), random.below(focus.objects) < all.count
    else {
      return try add(session, transaction)
    }
    if random.chance(35), try changeObserved(session, transaction) { return }
    if focus == .nested, random.chance(60), try changeInside(session, id, transaction) { return }
    // Parts come with every object, so without this there were more and more.
    if all.count > 40, random.chance(60) { return try delete(session, id, transaction) }
    switch random.below(20) {
    case 0..<3: try add(session, transaction)
    case 3: try upsert(session, transaction)
    case 4..<10: try set(session, id, transaction)
    case 10..<14 where try changeInside(session, id, transaction): break
    case 10..<12 where all.count > 6 || random.chance(30):
      try delete(session, id, transaction)
    default: try changeCollection(session, id, transaction)
    }
  }

  /// Changes what some session observes: a property, a collection, a nested one, or an object; false
  /// where there is nothing.
  private func changeObserved(
    _ session: ModelSession, _ transaction: ModelTransaction
  ) throws -> Bool {
    let targets = sessions.flatMap(\.tokens).filter(\.isLive).map(\.target).filter { target in
      guard let owner = target.owner, transaction.state.exists(owner) else { return false }
      return switch target {
      case .property(let id, let place): !schema.isKey(place, of: id)
      case .collection(let id, let place, _), .collectionResults(let id, let place, _, _):
        schema.place(of: id.classID).map {
          schema.classes[$0].properties[place].isGiven
        } ?? false
      case .inside, .object, .projection: true
      case .store, .results, .end: false
      }
    }
    guard let target = targets.randomElement(using: &random) else { return false }
    if case .inside(let place, _) = target {
      return try changeInside(session, place.owner, transaction)
    }
    let place: Int
    switch target {
    case .property(_, let observed), .collection(_, let observed, _),
      .collectionResults(_, let observed, _, _):
      place = observed
    case .object, .projection:
      if let owner = target.owner { try set(session, owner, transaction) }
      return true
    case .store, .results, .inside, .end: return false
    }
    guard let id = target.owner else { return false }
    let isCollection = transaction.state.content(place, of: id).isCollection
    if isCollection && random.chance(80) {
      try changeCollection(session, id, transaction, place)
    } else {
      try set(session, id, transaction, place)
    }
    return true
  }
}
