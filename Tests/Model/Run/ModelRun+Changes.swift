import HeraldModel
import HeraldObservation
import TestSupport

extension ModelRun {
  private func randomKey(_ property: ModelSchema.Property) -> Value {
    let number = random.below(40)
    return property.element == .int ? .int(number - 3) : .string("k\(number)")
  }

  private func find(_ key: Value, _ type: Int, _ state: ModelStore) -> ModelObject? {
    guard let place = schema.classes[type].primaryKey else { return nil }
    return state.objects[type].first { $0.contents[place].value == key }
  }

  func add(
    _ session: ModelSession, _ transaction: ModelTransaction, type chosen: Int? = nil
  ) throws {
    let type = chosen ?? random.pick(schema.independent)
    let properties = schema.classes[type].properties
    let key = schema.classes[type].primaryKey.map { randomKey(properties[$0]) }
    if let key, find(key, type, transaction.state) != nil {
      return try addDuplicate(session, type, key, transaction)
    }
    // What may be left out holds nil, or nothing.
    var contents: [ModelGiven.Content] = []
    var given: [ModelGiven] = []
    for property in properties where property.isGiven {
      if property.isPrimaryKey, let key {
        contents.append(.value(key))
      } else if property.isCollection || property.isOptional || property.element == .any,
        random.chance(30)
      {
        contents.append(emptyContent(property))
        continue
      } else {
        contents.append(try randomContent(property, session, transaction))
      }
      given.append(ModelGiven(property.name, contents[contents.count - 1]))
    }
    let id = try added(.add(className: schema.classes[type].name, given), session)
    note("  add \(id.literal) \(text(given))")
    guard id.classID == schema.ids[type],
      id.number > transaction.state.objects[type].last?.id.number ?? 0
    else { throw failure("the new object has the number \(id.literal)") }
    transaction.add(id, type: type, contents)
  }

  /// The object that a session adds. Its number is none that the session's process gave out before,
  /// whatever became of that write.
  func added(_ command: ModelCommand, _ session: ModelSession) throws -> ObjectID {
    let id = try session.object(command)
    guard numbers[session.isRemote, default: []].insert(id).inserted else {
      throw failure("the number of \(id.literal) is given twice")
    }
    return id
  }

  /// An error is raised before anything is changed (10).
  private func addDuplicate(
    _ session: ModelSession, _ type: Int, _ key: Value, _ transaction: ModelTransaction
  ) throws {
    var given: [ModelGiven] = []
    // No parts, which nobody would own.
    for property in schema.classes[type].properties
    where property.isGiven && !schema.holdsEmbedded(property) {
      let content = try randomContent(property, session, transaction)
      given.append(ModelGiven(property.name, property.isPrimaryKey ? .value(key) : content))
    }
    do {
      _ = try session.perform(.add(className: schema.classes[type].name, given))
    } catch let refusal as ModelRefusal where refusal.reason == .duplicateKey { return }
    throw failure("a second object with the same key was added: \(text(given))")
  }

  func upsert(_ session: ModelSession, _ transaction: ModelTransaction) throws {
    let type = random.pick(schema.independent)
    let properties = schema.classes[type].properties
    guard let place = schema.classes[type].primaryKey else { return }
    let key = randomKey(properties[place])
    var given: [ModelGiven] = []
    let places = properties.indices.filter { properties[$0].isGiven }
    for property in properties where property.isGiven {
      given.append(
        ModelGiven(property.name, try randomContent(property, session, transaction)))
    }
    given[place].content = .value(key)
    let twin = find(key, type, transaction.state)
    note("  upsert \(twin?.id.literal ?? "a new object") \(text(given))")
    var notifications: [ModelNotification] = []
    if let twin {
      // A list that is held already is left alone.
      for (place, given) in zip(places, given)
      where properties[place].shape != .list || !isEqual(given.content, twin.contents[place]) {
        notifications += assign(given.content, to: place, of: twin.id, session, transaction)
      }
    }
    let command = ModelCommand.upsert(className: schema.classes[type].name, given)
    guard let twin else {
      // Nobody is notified of a new object.
      return transaction.add(try added(command, session), type: type, given.map(\.content))
    }
    let id = try notifying(notifications, session) { try session.object(command) }
    guard twin.id == id else { throw failure("upsert found \(id.literal)") }
  }

  private func isEqual(_ given: ModelGiven.Content, _ content: ModelContent) -> Bool {
    switch given {
    case .value(let value): content.value == value
    // A set is compared by value in any case.
    case .list(let values): content.values == values
    case .map(let entries): content.entries == entries
    }
  }

  func set(
    _ session: ModelSession, _ id: ObjectID, _ transaction: ModelTransaction,
    _ chosen: Int? = nil
  ) throws {
    guard let type = schema.place(of: id.classID), let twin = transaction.state[id] else {
      throw failure("no \(id.literal)")
    }
    let properties = schema.classes[type].properties
    let open = properties.indices.filter { properties[$0].isOpen }
    if open.isEmpty { return }
    var places = [chosen ?? random.pick(open)]
    if chosen == nil, random.chance(25) { places = open.filter { _ in random.chance(40) } }
    var given: [ModelGiven] = []
    for place in places {
      // Often the value that is there already, no change (4.5), or one that was there a commit ago.
      let isSingle = !properties[place].isCollection
      var chosen: ModelGiven.Content?
      if random.chance(15), isSingle {
        chosen = .value(twin.contents[place].value)
      } else if random.chance(20), isSingle, !schema.holdsEmbedded(properties[place]) {
        chosen = previous(place, of: id, transaction).first.map { .value($0) }
      }
      let content = try chosen ?? randomContent(properties[place], session, transaction)
      given.append(ModelGiven(properties[place].name, content))
    }
    note("  set \(id.literal) \(text(given))")
    try assign(given, to: places, of: id, session, transaction)
    // Set and set back is no change either; a part that was released does not come back. Blocks
    // may have deleted what is in the way.
    let old = places.first.map { twin.contents[$0].value } ?? .null
    guard random.chance(15), let place = places.first, !properties[place].isCollection,
      !schema.holdsEmbedded(properties[place]), transaction.state.exists(id),
      old.links.allSatisfy(transaction.state.exists)
    else { return }
    note("  set back \(id.literal).\(properties[place].name)")
    try assign(
      [ModelGiven(properties[place].name, .value(old))], to: [place], of: id, session, transaction)
  }

  private func assign(
    _ given: [ModelGiven], to places: [Int], of id: ObjectID, _ session: ModelSession,
    _ transaction: ModelTransaction
  ) throws {
    var notifications: [ModelNotification] = []
    for (place, given) in zip(places, given) {
      notifications += assign(given.content, to: place, of: id, session, transaction)
    }
    _ = try notifying(notifications, session) { try session.perform(.set(id, given)) }
  }

  /// The values of a property one to three commits ago, whose objects still exist.
  private func previous(_ place: Int, of id: ObjectID, _ transaction: ModelTransaction) -> [Value] {
    let state = states[latest - random.below(3)]
    if focus == .schemas { return [] }
    return (state?[id]?.contents[place].values ?? []).filter {
      $0.links.allSatisfy(transaction.state.exists)
    }
  }

  func delete(
    _ session: ModelSession, _ id: ObjectID, _ transaction: ModelTransaction
  ) throws {
    note("  delete \(id.literal)")
    let before = transaction.state
    transaction.delete(id)
    let notifications = differences(from: before, to: transaction.state, session)
    if try notifying(notifications, session, { try session.answer(.delete(id)) }) {
      throw failure("\(id.literal) is there after it was deleted")
    }
  }

  func changeCollection(
    _ session: ModelSession, _ id: ObjectID, _ transaction: ModelTransaction,
    _ chosen: Int? = nil
  ) throws {
    guard let type = schema.place(of: id.classID),
      let place = chosen ?? schema.classes[type].ownCollections.randomElement(using: &random)
    else { return }
    let property = schema.classes[type].properties[place]
    let content = transaction.state.content(place, of: id)
    let operation: ModelOperation? =
      switch property.shape {
      case .list: try listOperation(property, content.elements.count, session, transaction)
      case .set:
        try setOperation(
          property, content.values, previous(place, of: id, transaction), session, transaction)
      case .map: try mapOperation(property, content.entries, session, transaction)
      case .single, .backlinks, .dropped: nil
      }
    guard let operation else { return }
    try change(session, id, place, operation, transaction)
    // Often the element that moved is replaced, too, unless a block has moved or removed it.
    guard case .move(let from, let to) = operation, random.chance(30) else { return }
    let now = transaction.state.elements(place, of: id)
    guard to < now.count, now[to].serial == content.elements[from].serial,
      let value = try randomElement(property, session, transaction)
    else { return }
    try change(session, id, place, .replace(at: to, with: value), transaction)
  }

  func change(
    _ session: ModelSession, _ id: ObjectID, _ place: Int, _ operation: ModelOperation,
    _ transaction: ModelTransaction
  ) throws {
    let name = schema.name([place], from: schema.place(of: id.classID) ?? 0)
    note("  \(id.literal).\(name): \(operation.text)")
    let before = transaction.state
    transaction.change(id, place, operation)
    let notifications = notifications(
      operation.assignment(before.content(place, of: id)), place, of: id,
      from: before, to: transaction.state, session)
    _ = try notifying(notifications, session) {
      try session.perform(.change(id, property: name, operation))
    }
  }

  func listOperation(
    _ property: ModelSchema.Property, _ count: Int, _ session: ModelSession,
    _ transaction: ModelTransaction
  ) throws -> ModelOperation? {
    switch random.below(count == 0 ? 3 : 12) {
    case 0..<3:
      var values: [Value] = []
      for _ in 0...random.below(3) {
        if let value = try randomElement(property, session, transaction) { values.append(value) }
      }
      return .insert(values, at: random.chance(40) ? count : random.below(count + 1))
    case 3..<6: return .remove(at: random.below(count))
    case 6..<9: return .move(from: random.below(count), to: random.below(count))
    case 9..<11:
      let value = try randomElement(property, session, transaction)
      return value.map { .replace(at: random.below(count), with: $0) }
    default: return .removeAll
    }
  }

  private func setOperation(
    _ property: ModelSchema.Property, _ values: [Value], _ previous: [Value],
    _ session: ModelSession, _ transaction: ModelTransaction
  ) throws -> ModelOperation? {
    if random.chance(30), let back = previous.first(where: { !values.contains($0) }) {
      return .insertValue(back)
    }
    switch random.below(8) {
    case 0..<4: return try randomElement(property, session, transaction).map { .insertValue($0) }
    case 4..<7:
      return (values.randomElement(using: &random)).map { .removeValue($0) }
    default: return .removeAll
    }
  }

  func mapOperation(
    _ property: ModelSchema.Property, _ entries: MapEntries, _ session: ModelSession,
    _ transaction: ModelTransaction
  ) throws -> ModelOperation? {
    switch random.below(9) {
    case 0..<5:
      return try randomElement(property, session, transaction).map { .setKey(randomKey(), $0) }
    case 5..<8: return .removeKey(entries.keys.sorted().randomElement(using: &random) ?? "none")
    default: return .removeAll
    }
  }
}

extension ModelOperation {
  var text: String {
    switch self {
    case .insert(let values, let row):
      values.count > 20
        ? "insert \(values.count) elements at \(row)" : "insert \(values.text) at \(row)"
    case .remove(let row): "remove [\(row)]"
    case .move(let from, let to): "move [\(from)] to \(to)"
    case .replace(let row, let value): "[\(row)] = \(value.literal)"
    case .insertValue(let value): "insert \(value.literal)"
    case .removeValue(let value): "remove \(value.literal)"
    case .setKey(let key, let value): "[\(key)] = \(value.literal)"
    case .removeKey(let key): "remove \(key)"
    case .removeAll: "clear"
    }
  }
}
