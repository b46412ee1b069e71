import HeraldModel
import HeraldObservation
import TestSupport

/// A query as the twin knows it.
struct ModelQuery {
  enum Stage {
    case sort([(path: [Int], ascending: Bool)])
    case distinct([[Int]])
    case limit(Int)
    /// A predicate on the rows of the stages before it.
    case filter(ModelPredicate)
  }

  var type: Int
  var predicate: ModelPredicate?
  var stages: [Stage] = []

  /// The clauses after the class; those of a line apply to the rows of the line before.
  func text(_ schema: ModelSchema) -> String {
    var words: [String] = []
    if let predicate { words.append("where \(predicate.text(schema, type))") }
    for stage in stages {
      switch stage {
      case .sort(let keys):
        let list = keys.map { schema.name($0.path, from: type) + ($0.ascending ? " asc" : " desc") }
        words.append("sort(\(list.joined(separator: ", ")))")
      case .distinct(let paths):
        let list = paths.map { schema.name($0, from: type) }
        words.append("distinct(\(list.joined(separator: ", ")))")
      case .limit(let count): words.append("limit(\(count))")
      case .filter(let predicate): words.append("\nwhere \(predicate.text(schema, type))")
      }
    }
    return words.joined(separator: " ").replacing(" \n", with: "\n")
  }

  /// The rows, by going through everything (4.8): of a class, or of a collection.
  func rows(
    _ state: ModelStore, _ ground: (owner: ObjectID, property: Int)? = nil
  ) -> [ModelRow] {
    let all =
      ground.map { state.rows($0.property, of: $0.owner) }
      ?? state.objects[type].map { ModelRow(value: .link($0.id)) }
    var rows = all.filter { matches($0, predicate, state) }
    for stage in stages {
      switch stage {
      case .sort(let keys): rows = sorted(rows, keys, state)
      case .distinct(let paths):
        var seen: Set<[Value]> = []
        rows = rows.filter { row in seen.insert(values(paths, row, state)).inserted }
      case .limit(let count): rows = Array(rows.prefix(count))
      case .filter(let predicate): rows = rows.filter { matches($0, predicate, state) }
      }
    }
    return rows
  }

  private func matches(
    _ row: ModelRow, _ predicate: ModelPredicate?, _ state: ModelStore
  ) -> Bool {
    guard case .link(let id) = row.value, let object = state[id] else { return false }
    return predicate?.matches(object, state) ?? true
  }

  private func values(_ paths: [[Int]], _ row: ModelRow, _ state: ModelStore) -> [Value] {
    guard case .link(let id) = row.value else { return [] }
    return paths.map { state.value($0, of: id) }
  }

  private func sorted(
    _ rows: [ModelRow], _ keys: [(path: [Int], ascending: Bool)], _ state: ModelStore
  ) -> [ModelRow] {
    let decorated = rows.enumerated().map { place, row in
      (place: place, row: row, values: values(keys.map(\.path), row, state))
    }
    return decorated.sorted { a, b in
      for key in keys.indices where a.values[key] != b.values[key] {
        return a.values[key].precedes(b.values[key]) == keys[key].ascending
      }
      return a.place < b.place
    }.map(\.row)
  }

  var isSorted: Bool { !sortPaths.isEmpty }

  private var sortPaths: [[Int]] {
    stages.flatMap { stage -> [[Int]] in
      if case .sort(let keys) = stage { keys.map(\.path) } else { [] }
    }
  }

  /// Everything that a row is sorted by.
  func sortValues(of id: ObjectID, _ state: ModelStore) -> [Value] {
    sortPaths.map { state.value($0, of: id) }
  }
}

extension ModelSchema {
  /// A chain of single links that ends at a plain value; nil where the class has none.
  func randomPath(from type: Int, _ random: inout SplitMix64) -> [Int]? {
    var path: [Int] = []
    var place = type
    for _ in 0..<3 where random.chance(35) {
      guard !classes[place].singleLinks.isEmpty else { break }
      let link = random.pick(classes[place].singleLinks)
      guard let target = classes[place].properties[link].target else { break }
      path.append(link)
      place = target
    }
    guard !classes[place].plain.isEmpty else { return nil }
    return path + [random.pick(classes[place].plain)]
  }

  func randomPredicate(
    _ type: Int, depth: Int = 2, _ random: inout SplitMix64
  ) -> ModelPredicate? {
    if depth > 0 && random.chance(40) {
      guard let a = randomPredicate(type, depth: depth - 1, &random) else { return nil }
      if random.chance(25) { return .not(a) }
      guard let b = randomPredicate(type, depth: depth - 1, &random) else { return nil }
      return random.chance(50) ? .and(a, b) : .or(a, b)
    }
    if random.chance(25) {
      let asked = classes[type].collections.filter { place in
        let element = classes[type].properties[place].element
        return element != .any && element != .data
      }
      if let collection = asked.randomElement(using: &random) {
        return collectionLeaf(type, collection, &random)
      }
    }
    if random.chance(10), !classes[type].singleLinks.isEmpty {
      let link = random.pick(classes[type].singleLinks)
      return .compare([link], random.chance(50) ? .equal : .unequal, .null)
    }
    guard let path = randomPath(from: type, &random) else { return nil }
    return leaf(path, property(at: path, from: type), &random)
  }

  private func leaf(
    _ path: [Int], _ property: Property, _ random: inout SplitMix64
  ) -> ModelPredicate {
    let value = property.randomValue(&random)
    switch property.element {
    case .bool: return .compare(path, random.chance(50) ? .equal : .unequal, value)
    case .string where random.chance(35):
      let text = random.pick(["a", "b", "é", "É", "A", "z"])
      return .match(
        path, random.pick(ModelPredicate.Matching.allCases), text,
        foldsCase: random.chance(40))
    case .int, .float, .double, .string, .date, .data, .decimal, .uuid, .objectID, .any, .link:
      break
    }
    if random.chance(12) {
      return .isIn(path, [value, property.randomValue(&random), property.randomValue(&random)])
    }
    if random.chance(12), property.element != .string {
      let other = property.randomValue(&random)
      if !value.isNull && !other.isNull { return .between(path, value, other) }
    }
    if value.isNull || random.chance(40) {
      return .compare(path, random.chance(70) ? .equal : .unequal, value)
    }
    return .compare(path, random.pick(ModelPredicate.Comparison.allCases), value)
  }

  private func collectionLeaf(
    _ type: Int, _ list: Int, _ random: inout SplitMix64
  ) -> ModelPredicate? {
    let property = classes[type].properties[list]
    if random.chance(40) {
      return .count(list, random.pick(ModelPredicate.Comparison.allCases), random.below(4))
    }
    let quantifier = random.pick(ModelPredicate.Quantifier.allCases)
    var path: [Int] = []
    var end = property
    if let target = property.target {
      guard let rest = randomPath(from: target, &random) else { return nil }
      path = rest
      end = self.property(at: rest, from: target)
    }
    let value = end.randomValue(&random)
    let isEquality =
      value.isNull || end.element == .bool || end.element == .data || random.chance(50)
    let comparison =
      isEquality
      ? (random.chance(70) ? ModelPredicate.Comparison.equal : .unequal)
      : random.pick(ModelPredicate.Comparison.allCases)
    return .quantified(quantifier, list, path, comparison, value)
  }

  func randomQuery(_ random: inout SplitMix64) -> ModelQuery {
    randomQuery(of: random.below(classes.count), &random)
  }

  /// One of many queries that differ in an interval, some of them sorted; nil without an integer.
  func randomInterval(_ random: inout SplitMix64) -> ModelQuery? {
    let type = random.below(classes.count)
    let own = classes[type].plain
    guard let number = own.first(where: { classes[type].properties[$0].element == .int }) else {
      return nil
    }
    let low = random.below(6)
    let high = random.chance(50) ? low : low + random.below(3)
    var query = ModelQuery(type: type)
    query.predicate = .between([number], .int(low), .int(high))
    if random.oneIn(3) { query.stages = [.sort([([random.pick(own)], random.chance(50))])] }
    return query
  }

  func randomQuery(of type: Int, _ random: inout SplitMix64) -> ModelQuery {
    var query = ModelQuery(type: type)
    if random.chance(60) { query.predicate = randomPredicate(type, &random) }
    guard random.chance(60) else { return query }
    for _ in 0..<(1 + random.below(3)) {
      if let stage = randomStage(type, &random) { query.stages.append(stage) }
    }
    return query
  }

  private func randomStage(_ type: Int, _ random: inout SplitMix64) -> ModelQuery.Stage? {
    switch random.below(10) {
    case 0..<5:
      var keys: [(path: [Int], ascending: Bool)] = []
      for _ in 0...random.below(3) {
        guard let path = randomPath(from: type, &random) else { continue }
        keys.append((path, random.chance(60)))
      }
      return keys.isEmpty ? nil : .sort(keys)
    case 5..<7: return .limit(random.below(9))
    case 7: return randomPredicate(type, depth: 1, &random).map { .filter($0) }
    default: return randomPath(from: type, &random).map { .distinct([$0]) }
    }
  }
}
