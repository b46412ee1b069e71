import HeraldModel
import HeraldObservation
import HeraldQuery
import TestSupport

/// Random transactions.
extension ModelScenario {
  mutating func transaction() -> ModelTransaction {
    var write = ModelTransaction(state, nextElement: nextElement)
    let count = random.oneIn(10) ? 12 : 1 + random.below(3)
    for _ in 0..<count { operate(&write) }
    return write
  }

  mutating func create(_ write: inout ModelTransaction) {
    create(random.pick(ownClassIDs), &write)
  }

  /// An object with empty collections, in which then something is put.
  @discardableResult
  private mutating func create(
    _ classID: ClassID, _ write: inout ModelTransaction
  ) -> ObjectID {
    var object = ModelObject()
    for property in state.schema.classSchema(classID)?.properties ?? [] {
      switch property.type.shape {
      case .single: object.values[property.id] = .null
      case .list: object.lists[property.id] = []
      case .set: object.sets[property.id] = []
      case .map: object.maps[property.id] = [:]
      case .backlinks: break
      }
    }
    object.values[Self.number] = .int(random.below(6))
    object.values[Self.text] = textValue()
    object.values[Self.link] =
      random.oneIn(3) ? .null : linkValue(classID, Self.link, in: write.state)
    if type(Self.mixed, of: classID) != nil {
      object.values[Self.mixed] = mixedValue(in: write.state)
    }
    if classID != partClass {
      object.values[Self.key] = .int(nextKey)
      nextKey += 1
    }
    let created = write.create(classID, object)
    for _ in 0..<random.below(4) { append(created, &write) }
    for _ in 0..<random.below(4) { operateOnSetOrMap(created, &write) }
    if random.oneIn(2) { operateOnParts(created, &write) }
    return created
  }

  private mutating func textValue() -> Value {
    random.oneIn(4) ? .null : .string(["a", "b", "c"][random.below(3)])
  }

  /// An element for a collection of plain values; few, so that equal ones meet.
  private mutating func plainValue(_ object: ObjectID, _ property: PropertyID) -> Value {
    guard let type = type(property, of: object.classID) else { return .null }
    if type.isOptional && random.oneIn(6) { return .null }
    switch type.element {
    case .string: return .string(["a", "b", "c", ""][random.below(4)])
    case .date: return .date(Timestamp(seconds: random.below(4)))
    case .bool: return .bool(random.oneIn(2))
    case .int, .float, .double, .data, .decimal, .uuid, .objectID, .any, .link:
      return .int(random.below(4))
    }
  }

  private mutating func append(_ object: ObjectID, _ write: inout ModelTransaction) {
    let lists = those([Self.values, Self.links], of: object.classID)
    guard let list = lists.randomElement(using: &random) else { return }
    let count = write.list(object, list).count
    if list == Self.values {
      write.insert([plainValue(object, list)], at: count, object, list)
    } else {
      let value = linkValue(object.classID, list, in: write.state)
      if value != .null { write.insert([value], at: count, object, list) }
    }
  }

  private mutating func operate(_ write: inout ModelTransaction) {
    guard let object = object(classID(), in: write.state) else { return create(&write) }
    // Parts come with every object, so without this there were more and more.
    let count = write.state.objects.values.reduce(0) { $0 + $1.count }
    if count > most, random.oneIn(2) { return write.delete(object) }
    switch random.below(23) {
    case 0, 1: create(&write)
    case 2: write.delete(object)
    case 3, 4, 5, 6: write.set(Self.number, of: object, to: .int(random.below(6)))
    case 7: write.set(Self.text, of: object, to: textValue())
    case 8, 9:
      let value =
        random.oneIn(3) ? .null : linkValue(object.classID, Self.link, in: write.state)
      write.set(Self.link, of: object, to: value)
    case 10:
      let former = write.before[object]?.values[Self.number]
      if let former { write.set(Self.number, of: object, to: former) }
    case 11, 12: append(object, &write)
    case 13, 14, 15: operateOnSetOrMap(object, &write)
    case 16 where isMixed:
      if random.oneIn(2) {
        write.set(Self.mixed, of: object, to: mixedValue(in: write.state))
      } else {
        operateOnList(object, Self.mixedList, &write)
      }
    case 17, 18, 19: operateOnParts(object, &write)
    default: operateOnList(object, random.oneIn(3) ? Self.values : Self.links, &write)
    }
  }

  private mutating func operateOnList(
    _ object: ObjectID, _ property: PropertyID, _ write: inout ModelTransaction
  ) {
    guard type(property, of: object.classID) != nil else { return }
    let count = write.list(object, property).count
    let value =
      switch property {
      case Self.values: plainValue(object, property)
      case Self.mixedList: mixedValue(in: write.state)
      default: linkValue(object.classID, property, in: write.state)
      }
    guard count > 0 else {
      if value != .null { write.insert([value, value], at: 0, object, property) }
      return
    }
    switch random.below(10) {
    case 0, 1, 2:
      if value != .null { write.insert([value], at: random.below(count + 1), object, property) }
    case 3, 4: write.remove(at: random.below(count), object, property)
    case 5, 6, 7:
      write.move(from: random.below(count), to: random.below(count), object, property)
    case 8: if value != .null { write.replace(at: random.below(count), value, object, property) }
    default: if random.oneIn(3) { write.clear(object, property) }
    }
  }

  private mutating func operateOnSetOrMap(
    _ object: ObjectID, _ write: inout ModelTransaction
  ) {
    let properties = those(
      [
        Self.linkSet, Self.linkSet, Self.valueSet, Self.valueMap, Self.linkMap, Self.linkMap,
        Self.mixedSet, Self.mixedMap, Self.mixedMap,
      ], of: object.classID)
    guard let property = properties.randomElement(using: &random),
      let type = type(property, of: object.classID)
    else { return }
    if type.linkedClass != nil && random.oneIn(7) { return removeSome(object, property, &write) }
    let value: Value
    if type.linkedClass != nil {
      value = linkValue(object.classID, property, in: write.state)
    } else if property == Self.mixedSet {
      value =
        random.oneIn(2) ? .string("x") : linkValue(object.classID, Self.link, in: write.state)
    } else if type.element == .any {
      value = mixedValue(in: write.state)
    } else {
      value = plainValue(object, property)
    }
    if type.shape == .set {
      if value != .null { changeSet(value, object, property, &write) }
    } else {
      changeMap(["a", "b", "c"][random.below(3)], value, object, property, &write)
    }
  }

  private mutating func removeSome(
    _ object: ObjectID, _ property: PropertyID, _ write: inout ModelTransaction
  ) {
    let set = write.state[object]?.sets[property] ?? []
    for value in set.sorted(by: { Value.order($0, $1) < 0 }) where random.oneIn(2) {
      write.removeValue(value, object, property)
    }
    for key in (write.state[object]?.maps[property] ?? [:]).keys.sorted() where random.oneIn(2) {
      write.removeEntry(key, object, property)
    }
  }

  private mutating func changeSet(
    _ value: Value, _ object: ObjectID, _ property: PropertyID, _ write: inout ModelTransaction
  ) {
    if random.oneIn(3) {
      write.removeValue(value, object, property)
    } else {
      write.insertValue(value, object, property)
    }
  }

  private mutating func changeMap(
    _ key: String, _ value: Value, _ object: ObjectID, _ property: PropertyID,
    _ write: inout ModelTransaction
  ) {
    if random.oneIn(2) {
      write.removeEntry(key, object, property)
    } else {
      write.setEntry(key, value, object, property)
    }
  }

  /// Parts come, go, move and are replaced.
  private mutating func operateOnParts(_ object: ObjectID, _ write: inout ModelTransaction) {
    let properties = those([Self.part, Self.parts, Self.partMap], of: object.classID)
    guard partDepth < 3, let partClass,
      let property = properties.randomElement(using: &random)
    else { return }
    partDepth += 1
    defer { partDepth -= 1 }
    let count = write.list(object, property).count
    switch property {
    case Self.part:
      write.set(
        property, of: object, to: random.oneIn(4) ? .null : .link(create(partClass, &write)))
    case Self.partMap:
      let key = ["a", "b", "c"][random.below(3)]
      if random.oneIn(3) {
        write.removeEntry(key, object, property)
      } else {
        write.setEntry(key, .link(create(partClass, &write)), object, property)
      }
    default:
      switch random.below(count == 0 ? 2 : 8) {
      case 0, 1:
        let part = create(partClass, &write)
        write.insert([.link(part)], at: random.below(count + 1), object, property)
      case 2, 3: write.remove(at: random.below(count), object, property)
      case 4, 5:
        write.move(from: random.below(count), to: random.below(count), object, property)
      case 6:
        write.replace(
          at: random.below(count), .link(create(partClass, &write)), object, property)
      default: write.clear(object, property)
      }
    }
  }

  /// Mostly plain; else a link, alone, in a list or in a map.
  private mutating func mixedValue(in state: ModelState) -> Value {
    let classID = random.pick(ownClassIDs)
    let link = object(classID, in: state).map(Value.link) ?? .null
    switch random.below(8) {
    case 0: return link
    case 1: return .list([.int(random.below(2)), link])
    case 2: return .map(["x": .list([link]), "y": .int(1)])
    case 3: return .null
    case 4, 5: return .string(["a", "b"][random.below(2)])
    default: return .int(random.below(3))
    }
  }
}
