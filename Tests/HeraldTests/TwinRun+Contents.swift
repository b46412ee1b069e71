import Herald
import TestSupport

// What objects are given. Embedded objects are made first, for the owner that is given them next.

extension TwinRun {
  func randomContent(
    _ property: TwinSchema.Property, _ session: TwinSession, _ transaction: inout TwinTransaction
  ) throws -> PropertyContent {
    guard property.isList else {
      return .value(try randomElement(property, session, &transaction) ?? .null)
    }
    var values: [Value] = []
    for _ in 0..<random.below(5) {
      if let value = try randomElement(property, session, &transaction) { values.append(value) }
    }
    return .list(values)
  }

  /// Nil where a list cannot be given an element: no object to link to.
  func randomElement(
    _ property: TwinSchema.Property, _ session: TwinSession, _ transaction: inout TwinTransaction
  ) throws -> Value? {
    guard let target = property.target else { return property.randomValue(&random) }
    if schema.holdsParts(property) {
      let isNone = !property.isList && random.chance(property.name == "lens" ? 60 : 20)
      return isNone ? .null : try makePart(target, session, &transaction)
    }
    if !property.isList && random.chance(20) { return .null }
    return transaction.state.objects[target].randomElement(using: &random).map { .link($0.id) }
  }

  private func makePart(
    _ type: Int, _ session: TwinSession, _ transaction: inout TwinTransaction
  ) throws -> Value {
    var contents: [PropertyContent] = []
    for property in schema.classes[type].properties {
      contents.append(try randomContent(property, session, &transaction))
    }
    let named = zip(schema.classes[type].properties, contents).map { ($0.name, $1) }
    let part = try session.store.addPart(schema.classes[type].name, named)
    note("  part \(part.id.literal) \(text(named))")
    transaction.add(part.id, type: type, contents)
    return .link(part.id)
  }

  /// The content that stands for nothing: nil, or no elements.
  func emptyContent(_ property: TwinSchema.Property) -> PropertyContent {
    property.isList ? .list([]) : .value(.null)
  }

  func text(_ named: [NamedContent]) -> String {
    let parts = named.map { name, content in
      switch content {
      case .value(let value): "\(name): \(value.literal)"
      case .list(let values): "\(name): \(values.text)"
      case .map(let entries): "\(name): \(entries)"
      }
    }
    return "{\(parts.joined(separator: ", "))}"
  }
}
