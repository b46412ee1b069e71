import Herald
import TestSupport
import Testing

/// Sorts of so many rows that several threads take part, beside a sort of arrays.
@Suite struct LargeSortTests {
  private struct Row {
    let name: String
    let weight: Double
    let age: Int
    let number: Int
  }

  private static let count = 110_000

  private static func rows(_ random: inout SplitMix64) -> [Row] {
    let names = (0..<40).map { "\(["", "a name ", "another name of "][$0 % 3])\($0 / 3)" }
    return (0..<count).map {
      Row(
        name: names[random.below(names.count)], weight: Double(random.below(50)) - 25.5,
        age: random.below(300), number: $0)
    }
  }

  /// By the keys, and then in the order of creation.
  private static func comesBefore(_ a: Row, _ b: Row, _ keys: [(name: String, isAscending: Bool)])
    -> Bool
  {
    for key in keys {
      let order: Int =
        switch key.name {
        case "name": a.name == b.name ? 0 : a.name < b.name ? -1 : 1
        case "weight": a.weight == b.weight ? 0 : a.weight < b.weight ? -1 : 1
        case _: a.age - b.age
        }
      if order != 0 { return (order < 0) == key.isAscending }
    }
    return a.number < b.number
  }

  @Test func `many rows are sorted by several keys as arrays are`() throws {
    var random = SplitMix64(seed: firstSeed)
    let rows = Self.rows(&random)
    let store = try DynamicStore()
    try store.declare(
      ClassDefinition(
        name: "Dog",
        properties: [
          .init(name: "name", element: .string), .init(name: "weight", element: .double),
          .init(name: "age", element: .int), .init(name: "number", element: .int),
        ]))
    try store.write {
      for row in rows {
        _ = try store.add(
          "Dog",
          [
            ("name", .value(.string(row.name))), ("weight", .value(.double(row.weight))),
            ("age", .value(.int(row.age))), ("number", .value(.int(row.number))),
          ])
      }
    }
    for _ in 0..<6 {
      let keys = ["name", "weight", "age"].shuffled(using: &random).prefix(1 + random.below(3))
        .map { (name: $0, isAscending: random.chance(50)) }
      let text = keys.map { $0.name + ($0.isAscending ? "" : " desc") }.joined(separator: ", ")
      let expected = rows.sorted { Self.comesBefore($0, $1, keys) }.map(\.number)
      let (tail, _) = try QueryParser.parseTail(Array("sort(\(text))".utf8), from: 0)
      let found = try store.results("Dog", tail, names: NoNames()).objects.map {
        $0.id.number - 1
      }
      #expect(found == expected, "seed \(firstSeed): sort(\(text))")
    }
  }
}
