import HeraldModel
import HeraldObservation
import HeraldQuery

/// Random schemas, contents, transactions and questions.
struct TwinScenario {
  static let number = PropertyID(1)
  static let text = PropertyID(2)
  static let link = PropertyID(3)
  static let links = PropertyID(4)
  static let values = PropertyID(5)
  static let key = PropertyID(6)

  var random: SplitMix64
  var state: TwinState
  var nextElement = 1
  private var nextKey = 1

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    let ids = (1...2 + random.below(2)).map { ClassID(UInt32($0)) }
    var classes: [ClassSchema] = []
    for id in ids {
      let link = random.oneIn(2) ? id : ids[random.below(ids.count)]
      let links = ids[random.below(ids.count)]
      classes.append(
        ClassSchema(
          id: id, name: "C\(id.rawValue)",
          properties: [
            PropertySchema(id: Self.key, name: "key", type: PropertyType(.int), isPrimaryKey: true),
            PropertySchema(id: Self.number, name: "number", type: PropertyType(.int)),
            PropertySchema(
              id: Self.text, name: "text", type: PropertyType(.string, isOptional: true)),
            PropertySchema(id: Self.link, name: "link", type: PropertyType(.link(link))),
            PropertySchema(
              id: Self.links, name: "links", type: PropertyType(.link(links), shape: .list)),
            PropertySchema(
              id: Self.values, name: "values", type: PropertyType(.int, shape: .list)),
          ]))
    }
    state = TwinState(schema: Schema(classes: classes))
    var filling = TwinTransaction(state, nextElement: nextElement)
    for _ in 0..<20 + random.below(20) { create(&filling) }
    state = filling.state
    nextElement = filling.elementCount
  }

  var classIDs: [ClassID] { state.schema.classes.map(\.id) }

  mutating func classID() -> ClassID { classIDs[random.below(classIDs.count)] }

  mutating func object(_ classID: ClassID, in state: TwinState) -> ObjectID? {
    let numbers = state.numbers(of: classID)
    return numbers.isEmpty ? nil : ObjectID(classID, numbers[random.below(numbers.count)])
  }

  private func target(_ classID: ClassID, _ property: PropertyID) -> ClassID {
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
    let created = write.create(classID, object)
    for _ in 0..<random.below(4) { append(created, &write) }
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
    default: operateOnList(object, random.oneIn(3) ? Self.values : Self.links, &write)
    }
  }

  private mutating func operateOnList(
    _ object: ObjectID, _ property: PropertyID, _ write: inout TwinTransaction
  ) {
    let count = write.list(object, property).count
    let value =
      property == Self.values
      ? .int(random.below(4)) : linkValue(object.classID, property, in: write.state)
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

  // MARK: Questions

  mutating func path(_ root: ClassID, length: Int, allowsBacklinks: Bool) -> PropertyPath {
    var steps: [PropertyPath.Step] = []
    var classID = root
    for place in 0..<length {
      let isLast = place == length - 1
      if allowsBacklinks, random.oneIn(4), let step = backlinks(to: classID) {
        steps.append(step.step)
        classID = step.origin
        continue
      }
      let choices =
        isLast
        ? [Self.number, Self.text, Self.link, Self.links, Self.values]
        : [Self.link, Self.links]
      let property = choices[random.below(choices.count)]
      steps.append(PropertyPath.Step(classID, .property(property)))
      classID = target(classID, property)
    }
    return PropertyPath(root: root, steps: steps)
  }

  private mutating func backlinks(to classID: ClassID) -> (
    step: PropertyPath.Step, origin: ClassID
  )? {
    var choices: [(ClassID, PropertyID)] = []
    for origin in classIDs {
      for property in [Self.link, Self.links] where target(origin, property) == classID {
        choices.append((origin, property))
      }
    }
    guard !choices.isEmpty else { return nil }
    let (origin, property) = choices[random.below(choices.count)]
    return (PropertyPath.Step(classID, .backlinks(origin: origin, property: property)), origin)
  }

  mutating func rowFilter(_ classID: ClassID, allowsBacklinks: Bool) -> RowFilter {
    switch random.below(8) {
    case 0, 1, 2: return .deep(limit: 4)
    case 3: return .deep(limit: random.below(6))
    case 4: return .keyPaths([])
    default:
      return .keyPaths(
        (0..<1 + random.below(2)).map { _ in
          path(classID, length: 1 + random.below(3), allowsBacklinks: allowsBacklinks)
        })
    }
  }

  mutating func query() -> TwinQuery {
    let classID = classID()
    var description = "C\(classID.rawValue)"
    let predicate = predicate(classID, &description)
    var stages: [QueryStage] = []
    for _ in 0..<[0, 1, 1, 2, 3, 4][random.below(6)] {
      switch random.below(6) {
      case 0:
        let limit = random.below(8)
        stages.append(.limit(limit))
        description += " limit(\(limit))"
      case 1:
        let path = keyPath(classID)
        stages.append(.distinct([path]))
        description += " distinct(\(path.name))"
      default:
        let keys = (0..<1 + random.below(2)).map { _ in
          SortOrder.Key(path: keyPath(classID), isAscending: random.oneIn(2))
        }
        stages.append(.sort(SortOrder(keys: keys)))
        description += " sort(\(keys.map { "\($0.path.name) \($0.isAscending)" }))"
      }
    }
    return TwinQuery(
      query: BoundQuery(classID: classID, predicate: predicate, stages: stages),
      description: description)
  }

  /// A path of single links to a single value.
  private mutating func keyPath(_ root: ClassID) -> PropertyPath {
    var steps: [PropertyPath.Step] = []
    var classID = root
    for _ in 0..<[0, 0, 1, 2][random.below(4)] {
      steps.append(PropertyPath.Step(classID, .property(Self.link)))
      classID = target(classID, Self.link)
    }
    let last = [Self.number, Self.number, Self.text, Self.link, Self.key][random.below(5)]
    steps.append(PropertyPath.Step(classID, .property(last)))
    return PropertyPath(root: root, steps: steps)
  }

  private mutating func predicate(_ classID: ClassID, _ description: inout String)
    -> BoundPredicate
  {
    let least = random.below(5)
    switch random.below(6) {
    case 0: return .always
    case 1, 2:
      description += " where number >= \(least)"
      return BoundPredicate(dependencies: [
        PropertyPath(root: classID, steps: [PropertyPath.Step(classID, .property(Self.number))])
      ]) { number, reader in
        reader.value(Self.number, of: ObjectID(classID, number)).isAtLeast(least)
      }
    case 3:
      description += " where link.number >= \(least)"
      let target = target(classID, Self.link)
      return BoundPredicate(dependencies: [
        PropertyPath(
          root: classID,
          steps: [
            PropertyPath.Step(classID, .property(Self.link)),
            PropertyPath.Step(target, .property(Self.number)),
          ])
      ]) { number, reader in
        guard case .link(let link) = reader.value(Self.link, of: ObjectID(classID, number)) else {
          return false
        }
        return reader.value(Self.number, of: link).isAtLeast(least)
      }
    case 4:
      description += " where ANY links.number >= \(least)"
      let target = target(classID, Self.links)
      return BoundPredicate(dependencies: [
        PropertyPath(
          root: classID,
          steps: [
            PropertyPath.Step(classID, .property(Self.links)),
            PropertyPath.Step(target, .property(Self.number)),
          ])
      ]) { number, reader in
        var isFound = false
        reader.forEachElement(Self.links, of: ObjectID(classID, number)) { element in
          if case .link(let link) = element {
            isFound = reader.value(Self.number, of: link).isAtLeast(least)
          }
          return !isFound
        }
        return isFound
      }
    default: return originCount(classID, least: 1 + random.below(3), &description)
    }
  }

  private mutating func originCount(
    _ classID: ClassID, least: Int, _ description: inout String
  ) -> BoundPredicate {
    guard let (step, _) = backlinks(to: classID),
      case .backlinks(let origin, let property) = step.kind
    else { return .always }
    description += " where @links.C\(origin.rawValue).\(property.rawValue).@count >= \(least)"
    return BoundPredicate(dependencies: [PropertyPath(root: classID, steps: [step])]) {
      number, reader in
      var count = 0
      reader.forEachOrigin(of: ObjectID(classID, number), origin: origin, property: property) {
        count += $1
        return true
      }
      return count >= least
    }
  }
}

extension Value {
  fileprivate func isAtLeast(_ least: Int) -> Bool {
    if case .int(let number) = self { number >= least } else { false }
  }
}

extension PropertyPath {
  var name: String {
    steps.map { step in
      switch step.kind {
      case .property(let property): "\(property.rawValue)"
      case .backlinks(let origin, let property): "@\(origin.rawValue).\(property.rawValue)"
      }
    }.joined(separator: ".")
  }
}
