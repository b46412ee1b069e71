import Herald
import TestSupport
import Testing

/// Objects added one after the other with values of the same properties, beside the same ones with others in between,
/// so that each is added as if it were the first.
@Suite struct SimilarAdditionTests {
  private static let dog = ClassDefinition(
    name: "Dog",
    properties: [
      .init(name: "id", element: .int, isPrimaryKey: true),
      .init(name: "name", element: .string, isIndexed: true),
      .init(name: "age", element: .int, isOptional: true, isIndexed: true),
      .init(name: "weight", element: .double, defaultValue: .value(.double(1.5))),
      .init(name: "born", element: .date, isOptional: true),
      .init(name: "toys", element: .string, shape: .list),
      .init(name: "friend", element: .link("Dog"), isOptional: true),
    ])
  private static let other = ClassDefinition(
    name: "Other", properties: [.init(name: "n", element: .int)])

  private static func makeStore() throws -> DynamicStore {
    let store = try DynamicStore()
    try store.declare(dog)
    try store.declare(other)
    return store
  }

  /// The contents of an object, of which some are invalid or must be coerced.
  private static func contents(
    _ names: [String], _ random: inout SplitMix64
  ) -> [NamedContent] {
    names.map { name in
      let value: Value =
        switch name {
        case "id": .int(random.below(400))
        case "name": random.oneIn(30) ? .null : .string("dog \(random.below(50))")
        case "age": random.oneIn(5) ? .null : .int(random.below(20) - 5)
        case "born":
          random.oneIn(3) ? .string("2026-01-02") : .date(Timestamp(seconds: random.below(99)))
        case _: random.oneIn(3) ? .int(3) : random.oneIn(20) ? .bool(true) : .double(0.25)
        }
      return (name, .value(value))
    }
  }

  private static let forms = [
    ["id", "name", "age", "weight", "born"], ["id", "name"], ["name", "weight", "id"],
    ["id", "name", "name"], ["id", "name", "bark"], ["age", "id", "name"],
  ]

  /// Adds objects in several writes, and returns what became of each.
  private static func add(
    to store: DynamicStore, seed: UInt64, between: (DynamicStore) throws -> Void
  ) throws -> [String] {
    var random = SplitMix64(seed: seed)
    var outcomes: [String] = []
    for round in 0..<6 {
      let isKept = !random.oneIn(4)
      let names = random.pick(forms)
      do {
        try store.write {
          for _ in 0..<random.below(60) {
            let given = random.oneIn(8) ? random.pick(forms) : names
            let contents = contents(given, &random)
            do {
              let dog = try store.add("Dog", contents)
              outcomes.append("\(dog.id.number) \(try dog.value("name")) \(dog.isValid)")
            } catch {
              outcomes.append("\(error)")
            }
            try between(store)
          }
          if !isKept { throw HeraldError.interrupted }
        }
      } catch HeraldError.interrupted {
        outcomes.append("rolled back")
      }
      // Later objects have another column.
      if round == 2 { try store.alter("Dog", [.rename("age", to: "years")]) }
      if round == 3 { try store.alter("Dog", [.rename("years", to: "age")]) }
      if round == 4 { try store.alter("Dog", [.drop("born")]) }
    }
    return outcomes
  }

  private static func values(_ store: DynamicStore) throws -> [[Value?]] {
    try store.objects("Dog").objects.map { dog in
      try ["id", "name", "age", "weight"].map { try dog.value($0) } + [.int(dog.id.number)]
    }
  }

  @Test(arguments: seeds(60))
  func `objects added in a row are those that are added alone`(seed: UInt64) throws {
    let (inRow, alone) = (try Self.makeStore(), try Self.makeStore())
    let outcomes = try Self.add(to: inRow, seed: seed) { _ in }
    let expected = try Self.add(to: alone, seed: seed) { store in
      _ = try store.add("Other", [("n", .value(.int(1)))])
    }
    #expect(outcomes == expected, "seed \(seed)")
    #expect(try Self.values(inRow) == Self.values(alone), "seed \(seed)")
    #expect(inRow.check().isEmpty, "seed \(seed)")
  }

  @Test func `an observer receives objects added in a row as insertions`() throws {
    let store = try Self.makeStore()
    var rows: [Int] = []
    let token = try store.objects("Dog").observe { _, change in
      if case .update(let changes, _) = change { rows += changes.insertions }
    }
    try store.endTurn()
    try store.write {
      for id in 0..<5 {
        _ = try store.add("Dog", [("id", .value(.int(id))), ("name", .value(.string("a")))])
      }
    }
    try store.endTurn()
    #expect(rows == [0, 1, 2, 3, 4])
    token.invalidate()
  }
}
