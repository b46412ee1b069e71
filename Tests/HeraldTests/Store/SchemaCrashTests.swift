import Herald
import TestSupport
import Testing

/// A process that alters and drops in a loop is killed at random moments: the store has the schema of
/// one of its commits, whole, with the objects that belong to it, and every commit that it has
/// acknowledged is there. `SchemaWriter` says what the commits do.
@Suite struct SchemaCrashTests {
  @Test func `a process killed while it alters leaves the old schema or the new one`() throws {
    let writer = KilledWriter(isAltering: true, kills: 40, commits: 4, spinning: 400_000)
    let numbers = try writer.run(seed: givenSeed ?? 21, faults)
    // Kills met it on its way to more than a few of the schemas.
    #expect(Set(numbers.map { $0 % 6 }).count > 3)
  }

  private func faults(_ store: DynamicStore, _ commits: Int?) throws -> [String] {
    guard let commits else {
      return store.schema.classes.isEmpty ? [] : ["classes without the counter"]
    }
    let expected = Step(commits % 6)
    let schema = Step.described(store.schema)
    return [
      schema == expected.schema ? nil : "the schema: \(schema)",
      try expected.holds(of: store) ? nil : "the objects, after commit \(commits)",
    ].compactMap { $0 }
  }
}

/// What a store is to hold after some commit.
private struct Step {
  let number: Int

  init(_ number: Int) { self.number = number }

  private var age: String { number > 2 ? "years" : "age" }

  /// The classes as `described` prints them.
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

  func holds(of store: DynamicStore) throws -> Bool {
    let dogs = try store.objects("Dog").objects
    guard dogs.count == 700 else { return false }
    for (index, dog) in dogs.enumerated() {
      guard try isAsExpected(dog, index + 1) else { return false }
    }
    guard number == 4 else { return true }
    let toys = try store.objects("Toy").objects
    return try toys.map { try $0.value("dog") } == dogs.prefix(50).map { .link($0.id) }
  }

  private func isAsExpected(_ dog: ObjectHandle, _ id: Int) throws -> Bool {
    let age: Value = (2...4).contains(number) ? .string("\(3 * id)") : .int(3 * id)
    guard try dog.value("id") == .int(id), try dog.value(self.age) == age,
      try dog.value("name") == .string("dog \(id)")
    else { return false }
    if number > 0, try dog.value("weight") != .double(0.5) { return false }
    return try number > 2 || dog.collection("tags").values == [.int(id), .int(id + 1)]
  }
}
