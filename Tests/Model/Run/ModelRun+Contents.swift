import HeraldModel
import HeraldObservation
import TestSupport

// What objects are given. Embedded objects are made first, for the owner that is given them next.

extension ModelRun {
  func randomContent(
    _ property: ModelSchema.Property, _ session: ModelSession, _ transaction: ModelTransaction
  ) throws -> ModelGiven.Content {
    guard property.isCollection else {
      return .value(try randomElement(property, session, transaction) ?? .null)
    }
    var values: [Value] = []
    for _ in 0..<random.below(schema.holdsEmbedded(property) || partDepth > 0 ? 3 : 5) {
      if let value = try randomElement(property, session, transaction) { values.append(value) }
    }
    guard property.shape == .map else { return .list(values) }
    // A part that no key holds would be nobody's.
    let keys = (0..<values.count).map { "k\($0 * 2 + random.below(2))" }
    return .map(MapEntries(zip(keys, values)))
  }

  func randomKey() -> String { "k\(random.below(7))" }

  /// Nil where a collection cannot be given an element: no object to link to.
  func randomElement(
    _ property: ModelSchema.Property, _ session: ModelSession, _ transaction: ModelTransaction
  ) throws -> Value? {
    guard let target = property.target else {
      return property.element == .any
        ? mixedValue(transaction.state, depth: 0) : property.randomValue(&random)
    }
    if schema.holdsEmbedded(property) {
      if partDepth > 2 { return property.isCollection ? nil : .null }
      if !property.isCollection && random.chance(property.name == "lens" ? 60 : 20) { return .null }
      partDepth += 1
      defer { partDepth -= 1 }
      return try makePart(target, session, transaction)
    }
    if !property.isCollection && random.chance(20) { return .null }
    return transaction.state.objects[target].randomElement(using: &random).map { .link($0.id) }
  }

  /// A value of any type: mostly plain, else with links in it.
  private func mixedValue(_ state: ModelStore, depth: Int) -> Value {
    switch random.below(depth < 2 ? 10 : 7) {
    case 0: return .null
    case 1, 2: return .int(random.below(3))
    case 3: return .string(random.pick(["a", "b"]))
    case 4: return .double(0.5)
    case 5, 6:
      let type = random.pick(schema.independent)
      return state.objects[type].randomElement(using: &random).map { .link($0.id) } ?? .null
    case 7, 8: return .list((0..<random.below(3)).map { _ in mixedValue(state, depth: depth + 1) })
    default:
      return .map(["x": mixedValue(state, depth: depth + 1), "y": .int(random.below(2))])
    }
  }

  private func makePart(
    _ type: Int, _ session: ModelSession, _ transaction: ModelTransaction
  ) throws -> Value {
    var given: [ModelGiven] = []
    for property in schema.classes[type].properties where property.isGiven {
      given.append(
        ModelGiven(property.name, try randomContent(property, session, transaction)))
    }
    let part = try added(.addEmbeddedObject(className: schema.classes[type].name, given), session)
    note("  part \(part.literal) \(text(given))")
    transaction.add(part, type: type, given.map(\.content))
    return .link(part)
  }

  /// What a new object has that is given nothing.
  func emptyContent(_ property: ModelSchema.Property) -> ModelGiven.Content {
    property.initial ?? property.none
  }

  func text(_ given: [ModelGiven]) -> String {
    let parts = given.map { given in
      switch given.content {
      case .value(let value): "\(given.property): \(value.literal)"
      case .list(let values): "\(given.property): \(values.text)"
      case .map(let entries): "\(given.property): \(Value.map(entries).literal)"
      }
    }
    return "{\(parts.joined(separator: ", "))}"
  }
}
