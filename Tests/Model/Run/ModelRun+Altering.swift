import HeraldModel
import HeraldObservation
import TestSupport

// Classes that change, at the beginning of a transaction: an `alter` changes no object.

extension ModelRun {
  func alter(_ session: ModelSession, _ transaction: ModelTransaction) throws {
    for _ in 0..<random.below(3) { try alterClass(session, transaction) }
    if random.chance(8) { try dropClass(session, transaction) }
  }

  private func alterClass(_ session: ModelSession, _ transaction: ModelTransaction) throws {
    let type = random.pick(schema.independent)
    let alterations = randomAlterations(schema.classes[type].properties)
    let name = schema.classes[type].name
    let declared = ModelAlteration(changes: alterations.map(schema.declared))
    note("  alter \(name): \(declared.changes)")
    try agree(session, .alter(className: name, declared)) {
      transaction.alter(type, alterations)
    }
  }

  /// Properties are altered once in a statement.
  private func randomAlterations(
    _ properties: [ModelSchema.Property]
  ) -> [ModelSchema.Alteration] {
    var names = Set(properties.filter(\.isOpen).map(\.name))
    return (0...random.below(3)).compactMap { _ in
      let name = names.sorted().randomElement(using: &random) ?? "none"
      names.remove(name)
      switch random.below(4) {
      case 0:
        // Now and then a name that there is already.
        var added = schema.randomProperty("q\(random.below(100))", &random)
        if random.chance(60) { added.initial = initial(added) }
        return .add(added)
      case 1: return .drop(name)
      case 2: return .rename(name, to: "r\(random.below(100))")
      case _: return .change(schema.randomProperty(name, &random))
      }
    }
  }

  private func initial(_ property: ModelSchema.Property) -> ModelGiven.Content? {
    guard let value = property.samples?.first else { return nil }
    return switch property.shape {
    case .single: .value(value)
    case .list, .set: .list([value])
    case .map: .map(["d": value])
    case .backlinks, .dropped: nil
    }
  }

  /// Drops a class that no other names, and declares another of its name.
  private func dropClass(_ session: ModelSession, _ transaction: ModelTransaction) throws {
    let type = random.pick(schema.independent)
    let name = schema.classes[type].name
    note("  drop \(name)")
    guard try agree(session, .drop(className: name), { transaction.drop(type) }) else { return }
    let target = schema.independent[0]
    _ = try session.perform(
      .declare(className: name, linkingTo: schema.classes[target].name))
    let id = try added(.add(className: name, []), session)
    note("  class \(name) { first: \(schema.classes[target].name) }, add \(id.literal)")
    transaction.declare(name, id.classID, linkingTo: target)
    transaction.add(id, type: schema.classes.count - 1, [.value(.null)])
  }

  /// Whether a statement is carried out, which the model and the session must agree on.
  @discardableResult
  private func agree(
    _ session: ModelSession, _ command: ModelCommand, _ body: () -> Bool
  ) throws -> Bool {
    let isTaken = body()
    do {
      _ = try session.perform(command)
      if !isTaken { throw failure("carried out, but must be refused: \(command)") }
    } catch let refusal as ModelRefusal {
      if isTaken { throw failure("refused: \(refusal.words), \(command)") }
    }
    return isTaken
  }
}
