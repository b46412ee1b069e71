import HeraldMaintenance
import HeraldModel
import HeraldQuery
import TestSupport
import Testing

@testable import HeraldEngine

/// Objects that are added column by column are as those that are added one by one.
@Suite struct CoercedColumnsTests {
  private static func dog(
    _ name: String, key: Bool = false, _ more: [ClassDefinition.Property] = []
  ) -> ClassDefinition {
    ClassDefinition(
      name: name,
      properties: [
        .init(name: "id", element: .int, isPrimaryKey: key),
        .init(name: "weight", element: .double, isOptional: true, isIndexed: true),
        .init(
          name: "name", element: .string, isIndexed: true, defaultValue: .value(.string("Max"))),
        .init(name: "isGood", element: .bool, defaultValue: .value(.bool(true))),
        .init(name: "born", element: .date, isOptional: true),
        .init(name: "age", element: .int, isOptional: true, isIndexed: true),
      ] + more)
  }

  /// The values of each object.
  private func rows(_ session: Session, _ className: String) throws -> [[Value]] {
    try session.objects(className).map { dog in
      try session.declaredClass(className).properties.map { try session.read($0.name, of: dog) }
    }
  }

  private func randomColumn(
    _ name: String, _ count: Int, _ random: inout SplitMix64
  ) -> ColumnContent {
    let numbers = (0..<count).map { _ in random.below(5) }
    let isPlain = random.chance(50)
    switch name {
    case "id": return .ints((0..<count).map { $0 })
    case "weight":
      return isPlain
        ? .doubles(numbers.map(Double.init))
        : .values(numbers.map { $0 == 0 ? .null : .int($0) })
    case "name": return .strings(numbers.map { String(repeating: "n", count: 100 * $0) })
    case "isGood":
      return isPlain ? .bools(numbers.map { $0 > 2 }) : .values(numbers.map { .bool($0 > 2) })
    case "born":
      return isPlain
        ? .dates(numbers.map { Timestamp(seconds: $0) })
        : .values(numbers.map { .string("2026-01-0\($0 + 1)T00:00:00Z") })
    default:
      return isPlain ? .ints(numbers) : .values(numbers.map { $0 == 0 ? .null : .int($0) })
    }
  }

  @Test(arguments: seeds(4))
  func `columns of any kind give the same objects as rows do`(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let tags = ClassDefinition.Property(
      name: "tags", element: .string, shape: .list,
      defaultValue: seed % 2 == 0 ? .list([.string("a")]) : nil)
    let session = try Session.made(
      Self.dog("Columns", [tags]), Self.dog("Rows", [tags]), Self.dog("Keyed", key: true))
    try session.beginWrite(byHand: true)
    for _ in 0..<2 {
      let count = 1 + random.below(350)
      let names =
        ["id"] + ["weight", "name", "isGood", "born", "age"].filter { _ in random.chance(60) }
      let columns = names.shuffled(using: &random).map { name -> NamedColumn in
        (name, randomColumn(name, count, &random))
      }
      let numbers = try session.add(to: try session.declaredClass("Columns"), columns: columns)
      #expect(numbers.count == count, "seed \(seed)")
      for row in 0..<count {
        let contents = columns.map { ($0.name, $0.content[row]) }
        try session.add(named: "Rows", contents)
      }
      if try session.objects("Keyed").isEmpty {
        _ = try session.add(to: try session.declaredClass("Keyed"), columns: columns)
      }
    }
    #expect(try rows(session, "Columns") == rows(session, "Rows"), "seed \(seed)")
    // It has the first columns, and no tags.
    let keyed = try rows(session, "Keyed")
    #expect(
      try keyed == rows(session, "Rows").prefix(keyed.count).map { $0.dropLast() },
      "seed \(seed)")
    try session.commit()
    #expect(session.check() == [], "seed \(seed)")
  }

  /// Columns that are refused, and why.
  struct Refusal: Sendable, CustomTestStringConvertible {
    let message: String
    let columns: [NamedColumn]

    var testDescription: String { message }
  }

  static let refusals = [
    Refusal(
      message: "property 'age' of class 'Dog' gets 1 values, and 'id' 2",
      columns: [("id", .ints([1, 2])), ("age", .ints([1]))]),
    Refusal(
      message: "class 'Dog' has two properties 'id'",
      columns: [("id", .ints([1])), ("id", .ints([2]))]),
    Refusal(
      message: "class 'Dog' has no property 'agee'; did you mean 'age'?",
      columns: [("id", .ints([1])), ("agee", .ints([2]))]),
    Refusal(
      message: "property 'id' of class 'Dog' needs a value", columns: [("age", .ints([1]))]),
    Refusal(
      message: "property 'id' of class 'Dog' is int and cannot hold \"x\"",
      columns: [("id", .values([.int(3), .string("x")]))]),
    Refusal(
      message: "property 'isGood' of class 'Dog' needs a value",
      columns: [("id", .ints([1, 2])), ("isGood", .values([.bool(true), .null]))]),
    Refusal(
      message: "an object of class 'Dog' with id 7 exists already",
      columns: [("id", .ints([1, 2, 7, 3]))]),
    Refusal(
      message: "an object of class 'Dog' with id 1 exists already",
      columns: [("id", .ints([1, 2, 1]))]),
  ]

  @Test(arguments: refusals)
  func `if one value is refused, no object is added`(_ refusal: Refusal) throws {
    let session = try Session.made(Self.dog("Dog", key: true))
    try session.write { _ = try session.add("Dog", ("id", .int(7))) }
    let text = try session.changes {
      let dog = try session.declaredClass("Dog")
      #expect(
        errorText { _ = try session.add(to: dog, columns: refusal.columns) } == refusal.message)
    }
    #expect(text == "nothing")
    #expect(session.check() == [])
  }

  @Test func `without columns, or with empty ones, nothing is added`() throws {
    let session = try Session.made(Self.dog("Dog"))
    try session.beginWrite(byHand: true)
    let dog = try session.declaredClass("Dog")
    #expect(try session.add(to: dog, columns: [("id", .ints([]))]).isEmpty)
    #expect(
      errorText { _ = try session.add(to: dog, columns: []) }
        == "property 'id' of class 'Dog' needs a value")
    #expect(try session.objects("Dog") == [])
  }
}
