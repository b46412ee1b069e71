import Herald
import TestSupport
import Testing

/// Groups that are made of whole columns beside those that are made member by member, which a `limit` of the members
/// requires.
@Suite struct ColumnGroupsTests {
  private static let properties: [ClassDefinition.Property] = [
    .init(name: "age", element: .int, isOptional: true),
    .init(name: "breed", element: .string, isOptional: true),
    .init(name: "isGood", element: .bool, isOptional: true),
    .init(name: "born", element: .date, isOptional: true),
    .init(name: "weight", element: .double, isOptional: true),
    .init(name: "size", element: .float, isOptional: true),
    .init(name: "id", element: .int),
  ]

  private static func value(of name: String, _ random: inout SplitMix64) -> Value {
    if name != "id", random.chance(10) { return .null }
    switch name {
    case "age":
      return .int([0, 1, -5, .max, .min, random.below(500)].randomElement(using: &random) ?? 0)
    case "breed":
      // Two of them are equal to Swift, though their bytes differ.
      return .string(
        [
          "", "Pug", "pug", "a longer name than fits", "a longer name that fits", "\u{C4}",
          "A\u{308}", "eight by", "seven b", "12", "21", "1234", "abc", "acb",
        ].randomElement(using: &random) ?? "")
    case "isGood": return .bool(random.chance(50))
    case "born":
      return .date(Timestamp(seconds: random.below(3), nanoseconds: Int32(random.below(2))))
    case "weight":
      return .double([0.1, 0.0, -0.0, 1e17, .infinity, -.infinity, .nan][random.below(7)])
    case "size": return .float([0.1, 3.5, -2, .nan][random.below(4)])
    case _: return .int(random.below(1 << 40))
    }
  }

  private static func store(_ random: inout SplitMix64) throws -> DynamicStore {
    let store = try DynamicStore()
    try store.declare(ClassDefinition(name: "Dog", properties: properties))
    try store.write {
      var dogs: [ObjectHandle] = []
      for _ in 0..<700 {
        dogs.append(
          try store.add(
            "Dog", properties.map { ($0.name, .value(value(of: $0.name, &random))) }))
      }
      for dog in dogs where random.chance(20) { try store.delete(dog) }
    }
    return store
  }

  private static let aggregates = [
    "@count", "@min.age", "@max.age", "@sum.age", "@avg.age", "@min.weight", "@max.weight",
    "@sum.weight", "@avg.weight", "@min.size", "@max.size", "@sum.size", "@avg.size", "@max.id",
    "@min.born", "@median.age", "@percentile(0.7).weight", "@stddev.size", "@distinct.weight",
    "@distinct.breed", "@max.breed", "@median.size", "@stddev.age", "@distinct.age",
  ]

  /// Expects that groups of columns are those that are made member by member.
  private static func expectSameGroups(
    _ store: DynamicStore, _ random: inout SplitMix64, limit: Int, _ seed: UInt64
  ) throws {
    let keys = ["age", "breed", "isGood", "born", "id"].shuffled(using: &random)
      .prefix(1 + random.below(3)).joined(separator: ", ")
    let columns = aggregates.shuffled(using: &random).prefix(random.below(5))
      .enumerated().map { "c\($0.offset): \($0.element)" }.joined(separator: ", ")
    let condition = ["", " where age > 10", " where id % 2 == 0", " where age == 77"][
      random.below(4)]
    let by = random.chance(80) ? " by \(keys)" : ""
    let end = "\(by) { n: @count\(columns.isEmpty ? "" : ", ")\(columns) }"
    let whole = try store.groups("Dog" + condition + end).rows
    let limited = try store.groups("Dog" + condition + " limit(\(limit))" + end).rows
    // As texts, for NaN differs from itself.
    #expect("\(whole)" == "\(limited)", "seed \(seed): Dog\(condition)\(end)")
  }

  @Test(arguments: seeds(12))
  func `groups of columns are those of the members one by one`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let store = try Self.store(&random)
    for _ in 0..<20 { try Self.expectSameGroups(store, &random, limit: 1000, seed) }
    // A write reads its own changes.
    try store.write {
      for dog in try store.objects("Dog").objects where random.chance(30) {
        let name = ["age", "breed", "weight"][random.below(3)]
        try dog.set(name, to: .value(Self.value(of: name, &random)))
      }
      for _ in 0..<5 { try Self.expectSameGroups(store, &random, limit: 1000, seed) }
    }
    for _ in 0..<5 { try Self.expectSameGroups(store, &random, limit: 1000, seed) }
  }

  /// So many that several threads group them.
  @Test(arguments: seeds(2))
  func `groups of many columns are those of the members one by one`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let count = 105_000
    let id = random.chance(50) ? 500 : 1 << 40
    let ranges = [Int.max - 2...Int.max, -200...200, 0...90_000, Int.min...Int.max]
    let ages = ranges.shuffled(using: &random).map { range in
      (0..<count).map { _ in Int.random(in: range, using: &random) }
    }
    for round in 0..<4 {
      let store = try DynamicStore()
      try store.declare(ClassDefinition(name: "Dog", properties: Self.properties))
      try store.write {
        _ = try store.insert(
          "Dog",
          columns: Self.properties.map { property in
            switch property.name {
            case "age" where random.chance(50): (property.name, .ints(ages[round]))
            case "id": (property.name, .ints((0..<count).map { _ in random.below(id) }))
            case let name:
              (name, .values((0..<count).map { _ in Self.value(of: name, &random) }))
            }
          })
      }
      try Self.expectSameGroups(store, &random, limit: count, seed)
    }
  }
}
