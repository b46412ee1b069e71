import Herald
import TestSupport

extension TwinRun {
  private func randomKey(_ property: TwinSchema.Property) -> Value {
    let number = random.below(40)
    return property.element == .int ? .int(number - 3) : .string("k\(number)")
  }

  private func find(_ key: Value, _ type: Int, _ state: TwinState) -> TwinObject? {
    guard let place = schema.classes[type].primaryKey else { return nil }
    return state.objects[type].first { $0.contents[place].value == key }
  }

  func add(
    _ session: TwinSession, _ transaction: inout TwinTransaction, type chosen: Int? = nil
  ) throws {
    let type = chosen ?? random.pick(schema.independent)
    let properties = schema.classes[type].properties
    let key = schema.classes[type].primaryKey.map { randomKey(properties[$0]) }
    if let key, find(key, type, transaction.state) != nil {
      return try addDuplicate(session, type, key, &transaction)
    }
    // What may be left out holds nil, or nothing.
    var contents: [PropertyContent] = []
    var named: [NamedContent] = []
    for property in properties {
      if property.isPrimaryKey, let key {
        contents.append(.value(key))
      } else if (property.isList || property.isOptional) && random.chance(30) {
        contents.append(emptyContent(property))
        continue
      } else {
        contents.append(try randomContent(property, session, &transaction))
      }
      named.append((property.name, contents[contents.count - 1]))
    }
    let object = try session.store.add(schema.classes[type].name, named)
    note("  add \(object.id.literal) \(text(named))")
    guard object.id.classID == schema.ids[type],
      object.id.number > transaction.state.objects[type].last?.id.number ?? 0
    else { throw failure("the new object has the number \(object.id.literal)") }
    transaction.add(object.id, type: type, contents)
  }

  /// An error is raised before anything is changed (10).
  private func addDuplicate(
    _ session: TwinSession, _ type: Int, _ key: Value, _ transaction: inout TwinTransaction
  ) throws {
    var named: [NamedContent] = []
    // No parts, which nobody would own.
    for property in schema.classes[type].properties where !schema.holdsParts(property) {
      let content = try randomContent(property, session, &transaction)
      named.append((property.name, property.isPrimaryKey ? .value(key) : content))
    }
    do {
      _ = try session.store.add(schema.classes[type].name, named)
    } catch HeraldError.duplicateKey { return }
    throw failure("a second object with the same key was added: \(text(named))")
  }

  func upsert(_ session: TwinSession, _ transaction: inout TwinTransaction) throws {
    let type = random.pick(schema.independent)
    let properties = schema.classes[type].properties
    guard let place = schema.classes[type].primaryKey else { return }
    let key = randomKey(properties[place])
    var contents: [PropertyContent] = []
    for property in properties {
      contents.append(try randomContent(property, session, &transaction))
    }
    contents[place] = .value(key)
    let named = zip(properties, contents).map { ($0.name, $1) }
    let object = try session.store.upsert(schema.classes[type].name, named)
    note("  upsert \(object.id.literal) \(text(named))")
    guard let twin = find(key, type, transaction.state) else {
      transaction.add(object.id, type: type, contents)
      return
    }
    guard twin.id == object.id else { throw failure("upsert found \(object.id.literal)") }
    for (place, content) in contents.enumerated() {
      let isEqual =
        switch content {
        case .value(let value): twin.contents[place].value == value
        case .list(let values): twin.contents[place].elements.map(\.value) == values
        case .map: preconditionFailure("the twin makes no maps")
        }
      if !isEqual { transaction.set(twin.id, place, content) }
    }
  }

  func set(
    _ session: TwinSession, _ id: ObjectID, _ transaction: inout TwinTransaction
  ) throws {
    guard let object = session.store.object(id), let type = schema.place(of: id.classID),
      let twin = transaction.state[id]
    else { throw failure("no \(id.literal)") }
    let properties = schema.classes[type].properties
    let open = properties.indices.filter { !properties[$0].isPrimaryKey }
    var places = [random.pick(open)]
    if random.chance(25) { places = open.filter { _ in random.chance(40) } }
    var named: [NamedContent] = []
    for place in places {
      // Often the value that is there already: no change (4.5).
      let isSame = random.chance(15) && !properties[place].isList
      let content =
        isSame
        ? .value(twin.contents[place].value)
        : try randomContent(properties[place], session, &transaction)
      named.append((properties[place].name, content))
    }
    note("  set \(id.literal) \(text(named))")
    try object.set(named)
    for (place, content) in zip(places, named.map(\.content)) {
      transaction.set(id, place, content)
    }
    // Set and set back is no change either; a part that was let go of does not come back.
    guard random.chance(15), let place = places.first, !properties[place].isList,
      !schema.holdsParts(properties[place])
    else { return }
    let old = PropertyContent.value(twin.contents[place].value)
    note("  set back \(id.literal).\(properties[place].name)")
    try object.set(properties[place].name, to: old)
    transaction.set(id, place, old)
  }

  func changeList(
    _ session: TwinSession, _ id: ObjectID, _ transaction: inout TwinTransaction
  ) throws {
    guard let object = session.store.object(id), let type = schema.place(of: id.classID) else {
      throw failure("no \(id.literal)")
    }
    guard let place = schema.classes[type].lists.randomElement(using: &random) else { return }
    let property = schema.classes[type].properties[place]
    let list = try object.collection(property.name)
    let count = transaction.state.elements(place, of: id).count
    let name = "\(id.literal).\(property.name)"
    switch random.below(count == 0 ? 3 : 12) {
    case 0..<3:
      var values: [Value] = []
      for _ in 0...random.below(3) {
        if let value = try randomElement(property, session, &transaction) { values.append(value) }
      }
      let row = random.chance(40) ? count : random.below(count + 1)
      note("  insert \(values.text) into \(name) at \(row)")
      try list.insert(values, at: row)
      transaction.insert(values, at: row, id, place)
    case 3..<6:
      let row = random.below(count)
      note("  remove \(name)[\(row)]")
      try list.remove(at: row)
      transaction.remove(at: row, id, place)
    case 6..<9:
      let (from, to) = (random.below(count), random.below(count))
      note("  move \(name)[\(from)] to \(to)")
      try list.move(from: from, to: to)
      transaction.move(from: from, to: to, id, place)
    case 9..<11:
      guard let value = try randomElement(property, session, &transaction) else { return }
      let row = random.below(count)
      note("  set \(name)[\(row)] = \(value.literal)")
      try list.replace(at: row, with: value)
      transaction.replace(at: row, with: value, id, place)
    default:
      note("  clear \(name)")
      try list.removeAll()
      transaction.removeAll(id, place)
    }
  }
}
