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
      return .string(["", "Pug", "pug", "a longer name than fits", "Ä"][random.below(5)])
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
      var dogs: [DynamicObject] = []
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
    "@min.born",
  ]

  @Test(arguments: seeds(12))
  func `groups of columns are those of the members one by one`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let store = try Self.store(&random)
    for _ in 0..<20 {
      let keys = ["age", "breed", "isGood", "born", "id"].shuffled(using: &random)
        .prefix(1 + random.below(3)).joined(separator: ", ")
      let columns = Self.aggregates.shuffled(using: &random).prefix(random.below(5))
        .enumerated().map { "c\($0.offset): \($0.element)" }.joined(separator: ", ")
      let condition = ["", " where age > 10", " where id % 2 == 0", " where age == 77"][
        random.below(4)]
      let end = " by \(keys) { n: @count\(columns.isEmpty ? "" : ", ")\(columns) }"
      let whole = try store.groups("Dog" + condition + end).rows
      let limited = try store.groups("Dog" + condition + " limit(1000)" + end).rows
      // As texts, for NaN differs from itself.
      #expect("\(whole)" == "\(limited)", "seed \(seed): Dog\(condition)\(end)")
    }
  }
}
