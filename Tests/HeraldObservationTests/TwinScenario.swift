import HeraldModel
import HeraldObservation
import HeraldQuery
import TestSupport

/// Random schemas, contents, transactions and questions.
struct TwinScenario {
  static let number = PropertyID(1)
  static let text = PropertyID(2)
  static let link = PropertyID(3)
  static let links = PropertyID(4)
  static let values = PropertyID(5)
  static let key = PropertyID(6)
  static let linkSet = PropertyID(7)
  static let valueSet = PropertyID(8)
  static let linkMap = PropertyID(9)
  static let valueMap = PropertyID(10)
  /// Values of any type; only in some scenarios, since everything can reach everything by them.
  static let mixed = PropertyID(11)
  static let mixedList = PropertyID(12)
  static let mixedMap = PropertyID(13)
  static let mixedSet = PropertyID(14)
  /// Backlinks through `link`, `links` and so on, as far as another class links here.
  static let firstBacklinks = 20

  var random: SplitMix64
  var state: TwinState
  var nextElement = 1
  private var nextKey = 1

  /// With `isSmall` there are few objects, so that most changes concern somebody.
  init(seed: UInt64, isSmall: Bool = false) {
    random = SplitMix64(seed: seed)
    let ids = (1...2 + random.below(2)).map { ClassID(UInt32($0)) }
    let isMixed = random.oneIn(3)
    var targets: [ClassID: [PropertyID: ClassID]] = [:]
    for id in ids {
      targets[id] = [
        Self.link: random.oneIn(2) ? id : ids[random.below(ids.count)],
        Self.links: ids[random.below(ids.count)], Self.linkSet: ids[random.below(ids.count)],
        Self.linkMap: ids[random.below(ids.count)],
      ]
    }
    state = TwinState(
      schema: Schema(classes: ids.map { Self.classSchema($0, targets, isMixed: isMixed) }))
    var filling = TwinTransaction(state, nextElement: nextElement)
    let count = isSmall ? 5 + random.below(4) : 20 + random.below(20)
    for _ in 0..<count { create(&filling) }
    state = filling.state
    nextElement = filling.elementCount
  }

  private static func classSchema(
    _ id: ClassID, _ targets: [ClassID: [PropertyID: ClassID]], isMixed: Bool
  ) -> ClassSchema {
    func property(
      _ property: PropertyID, _ name: String, _ shape: PropertyShape = .single
    ) -> PropertySchema {
      PropertySchema(
        id: property, name: name,
        type: PropertyType(.link(targets[id]?[property] ?? id), shape: shape))
    }
    var properties = [
      PropertySchema(id: key, name: "key", type: PropertyType(.int), isPrimaryKey: true),
      PropertySchema(id: number, name: "number", type: PropertyType(.int)),
      PropertySchema(id: text, name: "text", type: PropertyType(.string, isOptional: true)),
      property(link, "link"), property(links, "links", .list),
      PropertySchema(id: values, name: "values", type: PropertyType(.int, shape: .list)),
      property(linkSet, "linkSet", .set),
      PropertySchema(id: valueSet, name: "valueSet", type: PropertyType(.int, shape: .set)),
      property(linkMap, "linkMap", .map),
      PropertySchema(id: valueMap, name: "valueMap", type: PropertyType(.int, shape: .map)),
    ]
    if isMixed {
      properties += [
        PropertySchema(id: mixed, name: "mixed", type: PropertyType(.any)),
        PropertySchema(id: mixedList, name: "mixedList", type: PropertyType(.any, shape: .list)),
        PropertySchema(id: mixedMap, name: "mixedMap", type: PropertyType(.any, shape: .map)),
        PropertySchema(id: mixedSet, name: "mixedSet", type: PropertyType(.any, shape: .set)),
      ]
    }
    var next = firstBacklinks
    for (origin, its) in targets.sorted(by: { $0.key < $1.key }) {
      for (link, target) in its.sorted(by: { $0.key < $1.key }) where target == id {
        let name = linkNames[link] ?? ""
        properties.append(
          PropertySchema(
            id: PropertyID(UInt32(next)), name: "\(name)Of\(origin.rawValue)",
            type: PropertyType(.link(origin), shape: .backlinks(name))))
        next += 1
      }
    }
    return ClassSchema(id: id, name: "C\(id.rawValue)", properties: properties)
  }

  private static let linkNames = [
    link: "link", links: "links", linkSet: "linkSet", linkMap: "linkMap",
  ]

  var classIDs: [ClassID] { state.schema.classes.map(\.id) }

  mutating func classID() -> ClassID { classIDs[random.below(classIDs.count)] }

  mutating func object(_ classID: ClassID, in state: TwinState) -> ObjectID? {
    let numbers = state.numbers(of: classID)
    return numbers.isEmpty ? nil : ObjectID(classID, numbers[random.below(numbers.count)])
  }

  var isMixed: Bool { state.schema.classes[0].property(Self.mixed) != nil }

  /// Backlinks properties of a class.
  func backlinksProperties(_ classID: ClassID) -> [PropertyID] {
    (state.schema.classSchema(classID)?.properties ?? []).filter(\.type.isBacklinks).map(\.id)
  }

  func target(_ classID: ClassID, _ property: PropertyID) -> ClassID {
    state.schema.classSchema(classID)?.property(property)?.type.target ?? classID
  }

  private mutating func linkValue(_ classID: ClassID, _ property: PropertyID, in state: TwinState)
    -> Value
  {
    object(target(classID, property), in: state).map(Value.link) ?? .null
  }

  // MARK: Transactions

  mutating func transaction() -> TwinTransaction {
    var write = TwinTransaction(state, nextElement: nextElement)
    let count = random.oneIn(10) ? 12 : 1 + random.below(3)
    for _ in 0..<count { operate(&write) }
    return write
  }

  private mutating func create(_ write: inout TwinTransaction) {
    let classID = classID()
    var object = TwinObject()
    object.values = [
      Self.key: .int(nextKey), Self.number: .int(random.below(6)), Self.text: textValue(),
      Self.link: random.oneIn(3) ? .null : linkValue(classID, Self.link, in: write.state),
    ]
    nextKey += 1
    object.lists = [Self.links: [], Self.values: []]
    object.sets = [Self.linkSet: [], Self.valueSet: []]
    object.maps = [Self.linkMap: [:], Self.valueMap: [:]]
    if isMixed {
      object.values[Self.mixed] = mixedValue(in: write.state)
      object.lists[Self.mixedList] = []
      object.maps[Self.mixedMap] = [:]
      object.sets[Self.mixedSet] = []
    }
    let created = write.create(classID, object)
    for _ in 0..<random.below(4) { append(created, &write) }
    for _ in 0..<random.below(4) { operateOnSetOrMap(created, &write) }
  }

  private mutating func textValue() -> Value {
    random.oneIn(4) ? .null : .string(["a", "b", "c"][random.below(3)])
  }

  private mutating func append(_ object: ObjectID, _ write: inout TwinTransaction) {
    if random.oneIn(2) {
      write.insert(
        [.int(random.below(4))], at: write.list(object, Self.values).count, object, Self.values)
    } else {
      let value = linkValue(object.classID, Self.links, in: write.state)
      if value != .null {
        write.insert([value], at: write.list(object, Self.links).count, object, Self.links)
      }
    }
  }

  private mutating func operate(_ write: inout TwinTransaction) {
    guard let object = object(classID(), in: write.state) else { return create(&write) }
    switch random.below(20) {
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
    default: operateOnList(object, random.oneIn(3) ? Self.values : Self.links, &write)
    }
  }

  private mutating func operateOnList(
    _ object: ObjectID, _ property: PropertyID, _ write: inout TwinTransaction
  ) {
    let count = write.list(object, property).count
    let value =
      switch property {
      case Self.values: Value.int(random.below(4))
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
    _ object: ObjectID, _ write: inout TwinTransaction
  ) {
    let state = write.state
    let key = ["a", "b", "c"][random.below(3)]
    switch random.below(isMixed ? 10 : 7) {
    case 0, 1:
      let value = linkValue(object.classID, Self.linkSet, in: state)
      if value != .null { changeSet(value, object, Self.linkSet, &write) }
    case 2: changeSet(.int(random.below(8)), object, Self.valueSet, &write)
    case 3: changeMap(key, .int(random.below(3)), object, Self.valueMap, &write)
    case 4, 5:
      let value = linkValue(object.classID, Self.linkMap, in: state)
      changeMap(key, value, object, Self.linkMap, &write)
    case 6:
      let (set, map) = (write.state[object]?.sets, write.state[object]?.maps)
      let values = (set?[Self.linkSet] ?? []).sorted { Value.order($0, $1) < 0 }
      for value in values where random.oneIn(2) {
        write.removeValue(value, object, Self.linkSet)
      }
      for key in (map?[Self.linkMap] ?? [:]).keys.sorted() where random.oneIn(2) {
        write.removeEntry(key, object, Self.linkMap)
      }
    case 7:
      let link = linkValue(object.classID, Self.link, in: state)
      let value = random.oneIn(2) ? .string("x") : link
      changeSet(value, object, Self.mixedSet, &write)
    default: changeMap(key, mixedValue(in: write.state), object, Self.mixedMap, &write)
    }
  }

  private mutating func changeSet(
    _ value: Value, _ object: ObjectID, _ property: PropertyID, _ write: inout TwinTransaction
  ) {
    if random.oneIn(3) {
      write.removeValue(value, object, property)
    } else {
      write.insertValue(value, object, property)
    }
  }

  private mutating func changeMap(
    _ key: String, _ value: Value, _ object: ObjectID, _ property: PropertyID,
    _ write: inout TwinTransaction
  ) {
    if random.oneIn(2) {
      write.removeEntry(key, object, property)
    } else {
      write.setEntry(key, value, object, property)
    }
  }

  /// Mostly plain; else a link, alone, in a list or in a map.
  private mutating func mixedValue(in state: TwinState) -> Value {
    let classID = classID()
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
