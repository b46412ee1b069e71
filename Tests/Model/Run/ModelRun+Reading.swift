import HeraldModel
import HeraldObservation

extension ModelRun {
  /// What of an object differs from its twin.
  func fault(
    _ reading: ModelReading, _ twin: ModelObject, _ type: Int, _ state: ModelStore
  ) -> String? {
    let properties = state.schema.classes[type].properties
    let places = properties.indices.filter { properties[$0].shape != .dropped }
    guard reading.contents.count == places.count else {
      return "\(twin.id.literal) has other properties"
    }
    for (place, read) in zip(places, reading.contents) {
      let property = properties[place]
      let expected: ModelReading.Content
      if property.isCollection {
        let rows = state.rows(place, of: twin.id)
        let keys = property.shape == .map ? twin.contents[place].entries.keys.sorted() : []
        expected = .rows(rows.map(\.value), keys: keys)
      } else {
        expected = .value(twin.contents[place].value)
      }
      guard read == expected else {
        return "\(twin.id.literal).\(property.name) is \(read), not \(expected)"
      }
    }
    return nil
  }

  /// Compares every object that the session reads with its twin.
  func compareAll(_ session: ModelSession, _ state: ModelStore) throws {
    for type in state.schema.declaredClasses {
      let objects = try session.objects(.read(className: state.schema.classes[type].name))
      try compare(objects, type, state, session.name)
    }
    try compareQuery(session, state)
    try compareCollection(session, state)
  }

  func compare(
    _ objects: [ModelReading], _ type: Int, _ state: ModelStore, _ name: String
  ) throws {
    let twins = state.objects[type]
    guard objects.map(\.id) == twins.map(\.id) else {
      throw failure(
        "\(name) reads \(objects.map { $0.id.literal }), not \(twins.map { $0.id.literal })")
    }
    for (object, twin) in zip(objects, twins) {
      if let fault = fault(object, twin, type, state) { throw failure("\(name) reads: \(fault)") }
    }
  }

  private func compareQuery(_ session: ModelSession, _ state: ModelStore) throws {
    let schema = state.schema
    let query = schema.randomQuery(&random)
    let expected = query.rows(state).map(\.value)
    let name = schema.classes[query.type].name
    let seen = try session.rows(.ask(className: name, text: query.text(schema)))
    guard seen.ids.map(Value.link) == expected, seen.count == expected.count else {
      throw failure(
        """
        \(session.name): \(name) \(query.text(schema))
        expected: \(expected.text)
        seen: \(seen.ids.map(\.literal)), count \(seen.count)
        """)
    }
  }

  /// A query over a collection keeps its order and its duplicates (4.8).
  private func compareCollection(_ session: ModelSession, _ state: ModelStore) throws {
    guard let owner = state.all.randomElement(using: &random),
      let type = state.schema.place(of: owner.classID),
      let (property, query) = randomCollectionQuery(type, state.schema)
    else { return }
    let schema = state.schema
    let expected = query.rows(state, (owner, property)).map(\.value)
    let name = schema.name([property], from: type)
    let seen = try session.rows(
      .askCollection(owner, property: name, text: query.text(schema)))
    guard seen.ids.map(Value.link) == expected, seen.count == expected.count else {
      throw failure(
        """
        \(session.name): \(owner.literal).\(name) \(query.text(schema))
        expected: \(expected.text)
        seen: \(seen.ids.map(\.literal)), count \(seen.count)
        """)
    }
  }

  /// A query over a collection of links of a class.
  func randomCollectionQuery(
    _ type: Int, _ schema: ModelSchema
  ) -> (property: Int, query: ModelQuery)? {
    let properties = schema.classes[type].properties
    let collections = schema.classes[type].collections.filter { properties[$0].target != nil }
    guard let property = collections.randomElement(using: &random),
      let target = properties[property].target
    else { return nil }
    return (property, schema.randomQuery(of: target, &random))
  }
}
