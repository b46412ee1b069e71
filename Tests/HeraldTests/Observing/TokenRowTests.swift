import Herald
import Testing

/// Rows by position where the random runs have none: results of a list, backlinks, and what has no
/// rows.
private let definition = ClassDefinition(
  name: "Dog",
  properties: [
    .init(name: "age", element: .int),
    .init(name: "mother", element: .link("Dog")),
    .init(name: "pups", element: .link("Dog"), shape: .backlinks("mother")),
    .init(name: "friends", element: .link("Dog"), shape: .list),
    .init(name: "nums", element: .int, shape: .list),
  ])

private func tail(_ text: String) throws -> QueryTail? {
  try QueryParser.parseTail(Array(text.utf8), from: 0).tail
}

@Suite struct TokenRowTests {
  @Test func `1.7: a token knows the objects in the rows that it delivered`() throws {
    let store = try DynamicStore()
    try store.declare(definition)
    let dogs = try store.write {
      try (0..<6).map { try store.add("Dog", [NamedContent("age", .value(.int($0 % 3)))]) }
    }
    let mother = dogs[0]
    try store.write {
      for dog in dogs[1...4] { try dog.set("mother", to: .value(.link(mother.id))) }
      try mother.collection("friends").append(dogs.map { .link($0.id) })
    }
    let friends = try mother.collection("friends")
    let young = try store.results(
      of: friends, tail("where age < 2 sort(age desc)"), names: NoNames())
    var updates = 0
    let ofResults = try young.observe { _, _ in updates += 1 }
    let ofBacklinks = try mother.collection("pups").observe { _, _ in updates += 1 }
    let ofNumbers = try mother.collection("nums").observe { _, _ in updates += 1 }
    #expect(ofResults.objects(in: 0..<9) == nil)
    try store.endTurn()
    #expect(ofResults.objects(in: 0..<9) == [dogs[1], dogs[4], dogs[0], dogs[3]])
    #expect(ofResults.objects(in: 1..<3) == [dogs[4], dogs[0]])
    #expect(ofBacklinks.objects(in: 2..<9) == [dogs[3], dogs[4]])
    #expect(ofNumbers.objects(in: 0..<9) == nil)
    try store.write {
      try dogs[2].set("age", to: .value(.int(1)))
      try dogs[1].set("mother", to: .value(.null))
    }
    // Not delivered yet.
    #expect(ofResults.objects(in: 0..<1) == [dogs[1]])
    try store.endTurn()
    #expect(ofResults.objects(in: 0..<3) == [dogs[1], dogs[2], dogs[4]])
    #expect(ofBacklinks.objects(in: 0..<9) == [dogs[2], dogs[3], dogs[4]])
    #expect(updates == 5)
    ofResults.invalidate()
    #expect(ofResults.objects(in: 0..<3) == nil)
  }
}
