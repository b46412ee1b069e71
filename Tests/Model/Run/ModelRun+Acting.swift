import HeraldModel
import HeraldObservation
import TestSupport

/// What a block fails with.
struct ModelWhim: Error {}

/// All objects of a class, frozen in a session.
struct ModelFrozen {
  let session: ModelSession
  let name: String
  let type: Int
  let state: ModelStore
}

extension ModelRun {
  /// Something that a block does, now and then: it writes (6), observes and stops (1.10), and has
  /// other sessions write and end their turns; in some runs it writes by hand, freezes and fails (5.3, 6.5, 9).
  func act(_ session: ModelSession) throws {
    guard actionsLeft > 0, depth < 3, random.chance(45) else { return }
    actionsLeft -= 1
    depth += 1
    defer { depth -= 1 }
    switch random.below(focus == .reactions ? 17 : 12) {
    case 0..<4: try writeInside(session)
    case 4..<6: try queueWrite(session)
    case 6: if session.tokens.count < 12 { try observe(session) }
    case 7: try stop(session)
    case 8:
      note("  \(session.name): a turn and a refresh inside a delivery")
      if try session.answer(.endTurn) { throw failure("a turn ended inside a delivery") }
      if try session.answer(.refresh) { throw failure("refresh answered true inside a delivery") }
    case 9: try compareAll(session, state(session))
    case 12..<14:
      noteDone(session.isBeginning ? "a write by hand, while one begins" : "a write by hand")
      try write(session, byHand: true)
    case 14: try freeze(session)
    case 15..<17:
      note("  \(session.name): a block fails")
      noteDone("a block fails")
      throw ModelWhim()
    default:
      let others = sessions.filter { $0.points.isEmpty }
      guard let other = others.randomElement(using: &random) else { return }
      if random.chance(60) { try write(other) }
      if random.chance(50) { try endTurn(other) }
    }
  }

  /// Rules 6.1 to 6.4: the deliveries before the write are those of any other.
  private func writeInside(_ session: ModelSession) throws {
    guard session.isBeginning else { return try write(session) }
    note("  \(session.name): a write while another is begun")
    do {
      _ = try session.perform(.write(without: []))
      throw failure("a write was begun while another was")
    } catch let refusal as ModelRefusal where refusal.reason == .writeInProgress {}
  }

  private func freeze(_ session: ModelSession) throws {
    let state = state(session)
    let type = random.pick(state.schema.declaredClasses)
    let name = "f\(frozen.count)"
    note("  \(session.name): freeze \(state.schema.classes[type].name)")
    _ = try session.perform(.freeze(name: name, className: state.schema.classes[type].name))
    frozen.append(ModelFrozen(session: session, name: name, type: type, state: state))
  }

  /// What is frozen does not change.
  func compareFrozen() throws {
    for frozen in frozen where sessions.contains(where: { $0 === frozen.session }) {
      let objects = try frozen.session.objects(.readFrozen(name: frozen.name))
      try compare(objects, frozen.type, frozen.state, "\(frozen.session.name)'s \(frozen.name)")
    }
  }

  /// Rule 6.6.
  private func queueWrite(_ session: ModelSession) throws {
    // Tokens that are live now; one that ends until then receives nothing.
    var body = randomBody(session)
    body.isRolledBack = false
    let names = body.silenced.map(\.name)
    note("  \(session.name): write async without \(names.joined(separator: ", "))")
    for token in body.silenced { token.holders += 1 }
    _ = try session.perform(.queueWrite(without: names))
    session.queue.append(body)
  }
}
