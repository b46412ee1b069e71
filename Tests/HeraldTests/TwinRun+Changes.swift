import Herald
import TestSupport

extension TwinRun {
  func randomContent(_ property: TwinSchema.Property, _ state: TwinState) -> PropertyContent {
    guard property.isList else { return .value(randomElement(property, state) ?? .null) }
    return .list((0..<random.below(5)).compactMap { _ in randomElement(property, state) })
  }

  /// Nil where a list cannot be given an element: no object to link to.
  func randomElement(_ property: TwinSchema.Property, _ state: TwinState) -> Value? {
    guard let target = property.target else { return property.randomValue(&random) }
    if !property.isList && random.chance(20) { return .null }
    return state.objects[target].randomElement(using: &random).map { .link($0.id) }
  }

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
    let type = chosen ?? random.below(schema.classes.count)
    let properties = schema.classes[type].properties
    var contents = properties.map { randomContent($0, transaction.state) }
    if let place = schema.classes[type].primaryKey {
      let key = randomKey(properties[place])
      contents[place] = .value(key)
      if find(key, type, transaction.state) != nil {
        return try addDuplicate(session, type, contents)
      }
    }
    // What may be left out holds nil, or nothing.
    var named: [NamedContent] = []
    for (place, property) in properties.enumerated() {
      let mayBeLeftOut = property.isList || property.isOptional
      if mayBeLeftOut && random.chance(30) {
        contents[place] = property.isList ? .list([]) : .value(.null)
      } else {
        named.append((property.name, contents[place]))
      }
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
    _ session: TwinSession, _ type: Int, _ contents: [PropertyContent]
  ) throws {
    let named = zip(schema.classes[type].properties, contents).map { ($0.name, $1) }
    do {
      _ = try session.store.add(schema.classes[type].name, named)
    } catch HeraldError.duplicateKey { return }
    throw failure("a second object with the same key was added: \(text(named))")
  }

  func upsert(_ session: TwinSession, _ transaction: inout TwinTransaction) throws {
    let type = random.below(schema.classes.count)
    let properties = schema.classes[type].properties
    guard let place = schema.classes[type].primaryKey else { return }
    let key = randomKey(properties[place])
    var contents = properties.map { randomContent($0, transaction.state) }
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
      var content = randomContent(properties[place], transaction.state)
      // Often the value that is there already: no change (4.5).
      if random.chance(15), !properties[place].isList {
        content = .value(twin.contents[place].value)
      }
      named.append((properties[place].name, content))
      transaction.set(id, place, content)
    }
    note("  set \(id.literal) \(text(named))")
    try object.set(named)
    // Set and set back is no change either.
    guard random.chance(15), let place = places.first, !properties[place].isList else { return }
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
      let values = (0...random.below(3)).compactMap { _ in
        randomElement(property, transaction.state)
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
      guard let value = randomElement(property, transaction.state) else { return }
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

  private func text(_ named: [NamedContent]) -> String {
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
