import HeraldModel
import TestSupport

extension ModelStore {
  /// Some objects of each class, of which one is deleted again, with links in circles.
  static func random(_ schema: ModelSchema, _ random: inout SplitMix64) -> ModelStore {
    let transaction = ModelTransaction(on: ModelStore(schema: schema), nextSerial: 1)
    for (type, id) in schema.ids.enumerated() {
      for number in 0..<random.below(10) {
        let properties = schema.classes[type].properties.filter(\.isGiven)
        transaction.add(
          ObjectID(id, number + 1), type: type,
          properties.map { property in
            if property.isPrimaryKey {
              return .value(property.element == .int ? .int(number - 1) : .string("k\(number)"))
            }
            return transaction.state.randomContent(property, links: false, &random)
          })
      }
    }
    for id in transaction.state.all {
      let properties = schema.place(of: id.classID).map { schema.classes[$0].properties } ?? []
      for (place, property) in properties.enumerated() where property.mayLink && property.isOpen {
        transaction.set(
          id, place, transaction.state.randomContent(property, links: true, &random))
      }
    }
    let plain = schema.independent.flatMap { transaction.state.objects[$0].map(\.id) }
    if let id = plain.randomElement(using: &random) { transaction.delete(id) }
    return transaction.state
  }

  private func randomContent(
    _ property: ModelSchema.Property, links: Bool, _ random: inout SplitMix64
  ) -> ModelGiven.Content {
    let count = property.isCollection ? random.below(4) : 1
    let values = (0..<count).compactMap { _ -> Value? in
      guard property.mayLink else { return property.randomValue(&random) }
      let isNil = !property.isCollection && random.chance(20)
      if !links || isNil { return property.isCollection ? nil : .null }
      guard let target = property.target else { return property.randomValue(&random) }
      return objects[target].randomElement(using: &random).map { .link($0.id) }
    }
    switch property.shape {
    case .single: return .value(values.first ?? .null)
    case .list, .set, .backlinks, .dropped: return .list(values)
    case .map:
      let keys = (0..<values.count).map { "k\($0 + random.below(2) * 4)" }
      return .map(MapEntries(zip(keys, values)))
    }
  }
}
