import Foundation
import Herald
import TestSupport
import Testing

/// A process that alters and drops in a loop is killed at random moments: the store has the schema of
/// one of its commits, whole, with the objects that belong to it, and every commit that it has
/// acknowledged is there. What the commits do is told at `SchemaWriter`.
@Suite struct SchemaCrashTests {
  static let kills = 40

  @Test func `a process killed while it alters leaves the old schema or the new one`() throws {
    let seed = UInt64(ProcessInfo.processInfo.environment["HERALD_SEED"] ?? "") ?? 21
    var random = SplitMix64(seed: seed)
    try withDirectory { directory in
      var path = ""
      var acknowledged = 0
      var steps: Set<Int> = []
      for round in 0..<Self.kills {
        if round % 20 == 0 {
          path = directory.appendingPathComponent("\(round).hdb").path
          acknowledged = 0
        }
        let last = try TwinProcess(path, isAltering: true)
          .kill(afterCommits: random.below(4), spinning: random.below(400_000))
        let (number, faults) = try verify(path, max(acknowledged, last))
        acknowledged = number
        steps.insert(number % 6)
        guard faults.isEmpty else {
          Issue.record("HERALD_SEED=\(seed), kill \(round): \(faults.joined(separator: "\n"))")
          return
        }
      }
      // Kills met it on its way to more than a few of the schemas.
      #expect(steps.count > 3)
    }
  }

  /// Looks at a store after its writer was killed: how many commits it holds, what is wrong.
  private func verify(
    _ path: String, _ acknowledged: Int
  ) throws -> (number: Int, faults: [String]) {
    guard FileManager.default.fileExists(atPath: path) else {
      return (0, acknowledged == 0 ? [] : ["the file is gone"])
    }
    let store = try Store(path: path)
    defer { store.close() }
    let faults = store.check()
    if store.schema.classes.isEmpty {
      return (0, faults + (acknowledged == 0 ? [] : ["the classes are gone"]))
    }
    let counter = try #require(try store.object("Counter", key: .int(1)))
    guard case .int(let number) = try counter.value("n") else { return (0, faults + ["number"]) }
    let expected = Step(number % 6)
    return (
      number,
      faults
        + [
          number < acknowledged || number > acknowledged + 1
            ? "\(acknowledged) commits were acknowledged, \(number) are there" : nil,
          Step.described(store.schema) == expected.schema
            ? nil : "the schema: \(Step.described(store.schema))",
          try expected.holds(of: store) ? nil : "the objects, after commit \(number)",
        ].compactMap { $0 }
    )
  }
}

/// What a store is to hold after some commit.
private struct Step {
  let number: Int

  init(_ number: Int) { self.number = number }

  private var age: String { number > 2 ? "years" : "age" }

  /// The classes as `described` tells them.
  var schema: [String] {
    let years = number == 5 ? "years int indexed" : number > 2 ? "years string" : nil
    let properties = [
      "id int", years ?? (number == 2 ? "age string" : "age int"), "name string indexed",
      number < 3 ? "tags list" : nil, number > 0 ? "weight double" : nil,
    ]
    return [
      "Counter: id int, n int", "Dog: " + properties.compactMap { $0 }.joined(separator: ", "),
    ]
      + (number == 4 ? ["Toy: id int, dog Dog"] : [])
  }

  static func described(_ schema: Schema) -> [String] {
    schema.classes.map { classSchema in
      let definition = schema.definition(of: classSchema)
      let properties = definition.properties.map { property in
        let type =
          switch property.element {
          case .int: property.shape == .list ? "list" : "int"
          case .string: "string"
          case .double: "double"
          case .link(let name): name
          case _: "?"
          }
        return "\(property.name) \(type)\(property.isIndexed ? " indexed" : "")"
      }
      return "\(classSchema.name): \(properties.joined(separator: ", "))"
    }
  }

  func holds(of store: Store) throws -> Bool {
    let dogs = try store.objects("Dog").objects
    guard dogs.count == 700 else { return false }
    for (index, dog) in dogs.enumerated() {
      guard try isAsExpected(dog, index + 1) else { return false }
    }
    guard number == 4 else { return true }
    let toys = try store.objects("Toy").objects
    return try toys.map { try $0.value("dog") } == dogs.prefix(50).map { .link($0.id) }
  }

  private func isAsExpected(_ dog: Object, _ id: Int) throws -> Bool {
    let age: Value = (2...4).contains(number) ? .string("\(3 * id)") : .int(3 * id)
    guard try dog.value("id") == .int(id), try dog.value(self.age) == age,
      try dog.value("name") == .string("dog \(id)")
    else { return false }
    if number > 0, try dog.value("weight") != .double(0.5) { return false }
    return try number > 2 || dog.collection("tags").values == [.int(id), .int(id + 1)]
  }
}
