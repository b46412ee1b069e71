import Herald

extension TwinRun {
  /// What of an object differs from its twin.
  func fault(_ object: Object, _ twin: TwinObject) -> String? {
    guard let type = schema.place(of: twin.id.classID) else { return "class" }
    for (place, property) in schema.classes[type].properties.enumerated() {
      do {
        if property.isList {
          let seen = try object.collection(property.name).values
          let expected = twin.contents[place].elements.map(\.value)
          if seen != expected {
            return "\(twin.id.literal).\(property.name) is \(seen.text), not \(expected.text)"
          }
        } else {
          let seen = try object.value(property.name)
          let expected = twin.contents[place].value
          if seen != expected {
            return "\(twin.id.literal).\(property.name) is \(seen.literal), not \(expected.literal)"
          }
        }
      } catch { return "reading \(twin.id.literal).\(property.name): \(error)" }
    }
    return nil
  }

  /// Compares every object that the session reads with its twin.
  func compareAll(_ session: TwinSession, _ state: TwinState) throws {
    for (type, twins) in state.objects.enumerated() {
      let objects = try session.store.objects(schema.classes[type].name).objects
      guard objects.map(\.id) == twins.map(\.id) else {
        throw failure(
          "\(session.name) reads \(objects.map { $0.id.literal }), not \(twins.map { $0.id.literal })"
        )
      }
      for (object, twin) in zip(objects, twins) {
        if let fault = fault(object, twin) { throw failure("\(session.name) reads: \(fault)") }
      }
    }
    try compareQuery(session, state)
    try compareList(session, state)
  }

  private func compareQuery(_ session: TwinSession, _ state: TwinState) throws {
    let query = schema.randomQuery(&random)
    let results = try results(query, session.store)
    let expected = query.rows(state)
    let seen = try results.objects.map(\.id)
    let count = try results.count
    guard seen == expected, count == expected.count else {
      throw failure(
        """
        \(session.name): \(schema.classes[query.type].name) \(query.text(schema))
        expected: \(expected.map(\.literal))
        seen: \(seen.map(\.literal)), count \(count)
        """)
    }
  }

  /// A query over a list keeps its order and its duplicates (4.8).
  private func compareList(_ session: TwinSession, _ state: TwinState) throws {
    guard let owner = state.all.randomElement(using: &random), let twin = state[owner],
      let type = schema.place(of: owner.classID),
      let property = schema.classes[type].lists.randomElement(using: &random),
      let target = schema.classes[type].properties[property].target
    else { return }
    let query = schema.randomQuery(&random)
    guard query.type == target else { return }
    let (tail, _) = try QueryParser.parseTail(Array(query.text(schema).utf8), from: 0)
    guard let object = session.store.object(owner) else { throw failure("no \(owner.literal)") }
    let list = try object.collection(schema.classes[type].properties[property].name)
    let seen = try session.store.results(of: list, tail, names: NoNames()).objects.map(\.id)
    let members = twin.contents[property].links.filter { id in
      state[id].map { query.predicate?.matches($0, state) ?? true } ?? false
    }
    let expected = query.staged(members, state)
    guard seen == expected else {
      throw failure(
        """
        \(session.name): \(owner.literal).\(list.property.name) \(query.text(schema))
        expected: \(expected.map(\.literal))
        seen: \(seen.map(\.literal))
        """)
    }
  }
}
