import Herald
import TestSupport

/// What a write's block throws to be rolled back.
struct TwinRollback: Error {}

extension TwinRun {
  /// One random transaction of the session, by a block or by hand.
  func write(_ session: TwinSession) throws {
    transactions += 1
    let silenced = random.chance(20) ? session.tokens.filter { _ in random.chance(40) } : []
    let isRolledBack = random.chance(10)
    let isByHand = random.chance(20)
    let words = silenced.isEmpty ? "" : " without \(silenced.map(\.name).joined(separator: ", "))"
    note("\(session.name): \(isByHand ? "begin" : "write")\(words)")
    advance(session)
    let owed = deliver(session)
    let tokens = silenced.filter(\.isLive).compactMap(\.token)
    var transaction = TwinTransaction(on: state(session), nextSerial: nextSerial)
    if isByHand {
      try session.store.beginWrite()
      try settle(owed, at: "\(session.name)'s begin")
      try whileOpen(session)
      try change(session, &transaction)
      if isRolledBack {
        try session.store.rollbackWrite()
      } else {
        try session.store.commitWrite(without: tokens)
      }
    } else {
      do {
        try session.store.write(without: tokens) {
          try settle(owed, at: "\(session.name)'s beginning of a write")
          if random.chance(8) { try observe(session) }
          try change(session, &transaction)
          if isRolledBack { throw TwinRollback() }
        }
      } catch is TwinRollback {}
    }
    nextSerial = transaction.nextSerial
    if isRolledBack {
      note("  rollback")
      try settle([], at: "\(session.name)'s rollback")
      return
    }
    note("  commit")
    try committed(session, transaction, silenced)
  }

  /// A write that is the same in every run but for its content.
  func plainWrite(_ body: (TwinSession, inout TwinTransaction) throws -> Void) throws {
    let session = sessions[0]
    note("\(session.name): write")
    advance(session)
    let owed = deliver(session)
    var transaction = TwinTransaction(on: state(session), nextSerial: nextSerial)
    try session.store.write {
      try settle(owed, at: "\(session.name)'s beginning of a write")
      try body(session, &transaction)
    }
    nextSerial = transaction.nextSerial
    note("  commit")
    try committed(session, transaction, [])
  }

  /// Adds so many objects and deletes all of them again but a few, so that those that follow lie
  /// in another block.
  func addMany(_ count: Int) throws {
    try plainWrite { session, transaction in
      for _ in 0..<count { try add(session, &transaction, type: 0) }
    }
    try plainWrite { session, transaction in
      for id in transaction.state.objects[0].map(\.id).shuffled(using: &random).dropFirst(6) {
        guard let object = session.store.object(id) else { throw failure("no \(id.literal)") }
        try session.store.delete(object)
        transaction.delete(id)
      }
    }
  }

  /// Gives some objects lists of several runs.
  func fillLists() throws {
    try plainWrite { session, transaction in
      for type in schema.independent {
        try add(session, &transaction, type: type)
        guard let id = transaction.state.objects[type].first?.id,
          let object = session.store.object(id)
        else { continue }
        for place in schema.classes[type].lists where random.chance(60) {
          let property = schema.classes[type].properties[place]
          var values: [Value] = []
          for _ in 0..<(schema.holdsParts(property) ? 5 : 450 + random.below(700)) {
            let value = try randomElement(property, session, &transaction)
            if let value { values.append(value) }
          }
          note("  append \(values.count) elements to \(id.literal).\(property.name)")
          try object.collection(property.name).append(values)
          let count = transaction.state.elements(place, of: id).count
          transaction.insert(values, at: count, id, place)
        }
      }
    }
  }

  private func committed(
    _ session: TwinSession, _ transaction: TwinTransaction, _ silenced: [TwinToken]
  ) throws {
    latest += 1
    states[latest] = transaction.state
    commits[latest] = TwinCommit(transaction)
    session.version = latest
    guard session.store.version == latest else {
      throw failure("\(session.name) is at version \(session.store.version), not \(latest)")
    }
    for token in silenced where token.isLive {
      token.heard = latest
      // Its silenced token never hears of it and is dead (5.4).
      switch token.target {
      case .object(let id, _, _), .list(let id, _, _):
        if !transaction.state.exists(id) { token.isLive = false }
      case .store, .results: break
      }
    }
    try settle(deliver(session, storeOnly: true), at: "\(session.name)'s commit")
    session.tokens.removeAll { !$0.isLive }
  }

  /// A write that was begun by hand: nothing is delivered in its session (1.2a, 1.4), nobody else
  /// can write, and others see nothing of it.
  private func whileOpen(_ session: TwinSession) throws {
    if random.chance(30) {
      if try session.store.endTurn() { throw failure("endTurn delivered inside a write") }
      if try session.store.refresh() { throw failure("refresh answered true inside a write") }
      try settle([], at: "\(session.name)'s turn inside a write")
    }
    guard random.chance(30), let other = sessions.first(where: { $0 !== session }) else { return }
    do {
      try other.store.write(waiting: false) { throw self.failure("two writes at once") }
    } catch HeraldError.writerBusy {}
    try settle([], at: "a busy writer")
    try endTurn(other)
    try compareAll(other, state(other))
  }

  /// A transaction that changes nothing of the twin: another class.
  func declareAnother(_ session: TwinSession) throws {
    note("\(session.name): class More\(latest)")
    advance(session)
    let owed = deliver(session)
    try session.store.declare(
      ClassDefinition(
        name: "More\(latest)",
        properties: [.init(name: "first", element: .link(schema.classes[0].name))]))
    let transaction = TwinTransaction(on: state(session), nextSerial: nextSerial)
    latest += 1
    states[latest] = transaction.state
    commits[latest] = TwinCommit(transaction)
    session.version = latest
    try settle(
      owed + deliver(session, storeOnly: true), at: "\(session.name)'s declaration of a class")
  }

  private func change(_ session: TwinSession, _ transaction: inout TwinTransaction) throws {
    for _ in 0..<random.below(7) { try step(session, &transaction) }
    if random.chance(15) { try compareAll(session, transaction.state) }
  }

  private func step(_ session: TwinSession, _ transaction: inout TwinTransaction) throws {
    let all = transaction.state.all
    guard let id = all.randomElement(using: &random), random.below(14) < all.count else {
      return try add(session, &transaction)
    }
    switch random.below(20) {
    case 0..<3: try add(session, &transaction)
    case 3: try upsert(session, &transaction)
    case 4..<11: try set(session, id, &transaction)
    case 11..<13 where all.count > 6 || random.chance(30):
      guard let object = session.store.object(id) else { throw failure("no \(id.literal)") }
      note("  delete \(id.literal)")
      try session.store.delete(object)
      if object.isValid { throw failure("\(id.literal) is there after it was deleted") }
      transaction.delete(id)
    default: try changeList(session, id, &transaction)
    }
  }
}
