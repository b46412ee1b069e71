import HeraldModel
import HeraldObservation
import HeraldQuery
import TestSupport

extension ModelScenario {
  mutating func path(_ root: ClassID, length: Int, allowsBacklinks: Bool) -> PropertyPath {
    var way: [PropertyPath.Step] = []
    var classID = root
    for place in 0..<length {
      let isLast = place == length - 1
      if allowsBacklinks, random.oneIn(4), let step = backlinks(to: classID) {
        way.append(step.step)
        classID = step.origin
        continue
      }
      let steps = [
        Self.link, Self.links, Self.linkSet, Self.linkMap, Self.part, Self.parts, Self.partMap,
      ]
      let ends = [
        Self.number, Self.number, Self.text, Self.values, Self.valueMap, Self.mixed, Self.mixedMap,
      ]
      let property = random.pick(those(isLast ? steps + ends : steps, of: classID))
      way.append(PropertyPath.Step(classID, .property(property)))
      classID = target(classID, property)
    }
    return PropertyPath(root: root, steps: way)
  }

  private mutating func backlinks(to classID: ClassID) -> (
    step: PropertyPath.Step, origin: ClassID
  )? {
    var choices: [(ClassID, PropertyID)] = []
    for origin in classIDs {
      for property in [Self.link, Self.links, Self.linkSet, Self.linkMap]
      where type(property, of: origin)?.target == classID {
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

  mutating func query(_ classID: ClassID) -> ModelQuery {
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
      case 2 where !stages.isEmpty:
        stages.append(.filter(self.predicate(classID, &description)))
      default:
        let keys = (0..<1 + random.below(2)).map { _ in
          SortOrder.Key(path: keyPath(classID), isAscending: random.oneIn(2))
        }
        stages.append(.sort(SortOrder(keys: keys)))
        description += " sort(\(keys.map { "\($0.path.name) \($0.isAscending)" }))"
      }
    }
    return ModelQuery(
      query: BoundQuery(classID: classID, predicate: predicate, stages: stages),
      description: description)
  }

  /// A path of single links to a single value.
  private mutating func keyPath(_ root: ClassID) -> PropertyPath {
    var classID = root
    var way: [PropertyID] = []
    for _ in 0..<[0, 0, 1, 2][random.below(4)] {
      way.append(random.pick(those([Self.link, Self.part], of: classID)))
      classID = target(classID, way[way.count - 1])
    }
    let ends = those([Self.number, Self.number, Self.text, Self.link, Self.key], of: classID)
    return path(root, way + [random.pick(ends)])
  }

  private func path(_ root: ClassID, _ properties: PropertyID...) -> PropertyPath {
    path(root, properties)
  }

  /// From class to class along properties.
  private func path(_ root: ClassID, _ properties: [PropertyID]) -> PropertyPath {
    var classID = root
    let steps = properties.map { property in
      defer { classID = target(classID, property) }
      return PropertyPath.Step(classID, .property(property))
    }
    return PropertyPath(root: root, steps: steps)
  }

  private mutating func predicate(_ classID: ClassID, _ description: inout String)
    -> BoundPredicate
  {
    let least = random.below(5)
    switch random.below(6) {
    case 1 where random.oneIn(2): return numberSpan(classID, &description)
    case 0: return .always
    case 1, 2:
      description += " where number >= \(least)"
      return BoundPredicate(dependencies: [path(classID, Self.number)]) { number, reader in
        reader.value(Self.number, of: ObjectID(classID, number)).isAtLeast(least)
      }
    case 3:
      let step = random.pick(those([Self.link, Self.part], of: classID))
      description += " where \(step.rawValue).number >= \(least)"
      let path = path(classID, step, Self.number)
      return BoundPredicate(dependencies: [path]) { number, reader in
        guard case .link(let link) = reader.value(step, of: ObjectID(classID, number)) else {
          return false
        }
        return reader.value(Self.number, of: link).isAtLeast(least)
      }
    case 4:
      let lists = those([Self.links, Self.parts], of: classID)
      guard let list = lists.randomElement(using: &random) else { return .always }
      description += " where ANY \(list.rawValue).number >= \(least)"
      let path = path(classID, list, Self.number)
      return BoundPredicate(dependencies: [path]) { number, reader in
        var isFound = false
        reader.forEachElement(list, of: ObjectID(classID, number)) { element in
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

  /// A condition that says within which numbers it holds.
  mutating func numberSpan(
    _ classID: ClassID, _ description: inout String
  ) -> BoundPredicate {
    let least = random.below(6)
    let most = random.oneIn(2) ? least : least + random.below(3)
    description += " where number BETWEEN {\(least), \(most)}"
    return BoundPredicate(
      dependencies: [path(classID, Self.number)],
      span: ValueInterval(property: Self.number, lower: least, upper: most)
    ) { number, reader in
      let value = reader.value(Self.number, of: ObjectID(classID, number))
      return value.isAtLeast(least) && !value.isAtLeast(most + 1)
    }
  }

  /// One of many that differ in little: they watch the same paths.
  mutating func filter(_ classID: ClassID) -> ModelQuery {
    var description = "C\(classID.rawValue)"
    let predicate = numberSpan(classID, &description)
    let sort = SortOrder(keys: [SortOrder.Key(path: path(classID, Self.text), isAscending: true)])
    let isSorted = random.oneIn(3)
    if isSorted { description += " sort(text)" }
    return ModelQuery(
      query: BoundQuery(
        classID: classID, predicate: predicate, stages: isSorted ? [.sort(sort)] : []),
      description: description)
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
