import Herald
import TestSupport

/// What two processes write and one of them observes: dogs with toys of their own, and boxes that hold
/// dogs in every way.
enum TwoProcessKennel {
  static let definitions = [
    ClassDefinition(
      name: "Toy", isEmbedded: true,
      properties: [.init(name: "name", element: .string, defaultValue: .value(.string("")))]),
    ClassDefinition(
      name: "Dog",
      properties: [
        .init(name: "id", element: .int, isPrimaryKey: true),
        .init(name: "age", element: .int, defaultValue: .value(.int(0))),
        .init(name: "pal", element: .link("Dog")),
        .init(name: "toy", element: .link("Toy")),
        .init(name: "toys", element: .link("Toy"), shape: .list),
        .init(name: "fans", element: .link("Dog"), shape: .backlinks("pal")),
      ]),
    ClassDefinition(
      name: "Box",
      properties: [
        .init(name: "id", element: .int, isPrimaryKey: true),
        .init(name: "dogs", element: .link("Dog"), shape: .list),
        .init(name: "tags", element: .string, shape: .list),
        .init(name: "friends", element: .link("Dog"), shape: .set),
        .init(name: "mates", element: .link("Dog"), shape: .map),
      ]),
  ]

  /// Declares the classes and adds 20 dogs and a box.
  static func fill(_ store: DynamicStore) throws {
    for definition in definitions { try store.declare(definition) }
    try store.write {
      for id in 1...20 { _ = try store.add("Dog", [("id", .value(.int(id)))]) }
      _ = try store.add("Box", [("id", .value(.int(1)))])
    }
  }

  /// Views of every kind.
  static func mirrors(_ store: DynamicStore) throws -> [RowMirror] {
    var mirrors = try [
      "Dog", "Dog where age > 40", "Dog sort(age desc, id) limit(6)",
      "Dog distinct(age) sort(age desc)", "Dog sort(pal.age, age) limit(12) distinct(age)",
      "Dog where toy.name == 'a'", "Dog where fans.@count > 0", "Dog where ANY toys.name == 'b'",
      "Box", "Toy sort(name desc)",
    ].map { try RowMirror(of: $0, store) }
    if let box = try store.object("Box", key: .int(1)) {
      for name in ["dogs", "tags", "friends", "mates"] {
        mirrors.append(try RowMirror(of: box.collection(name)))
      }
      let tail = try tail("sort(age)")
      let sorted = try store.results(of: box.collection("dogs"), tail, names: NoNames())
      mirrors.append(try RowMirror("Box#1.dogs sort(age)", of: sorted))
    }
    if let dog = try store.object("Dog", key: .int(1)) {
      for name in ["toys", "fans"] { mirrors.append(try RowMirror(of: dog.collection(name))) }
    }
    return mirrors
  }

  static func tail(_ text: String) throws -> QueryTail? {
    try QueryParser.parseTail(Array(text.utf8), from: 0).0
  }

  /// Random statements that no other process's commits can make fail, and at the end a sign, of
  /// which one is enough.
  static func script(_ random: inout SplitMix64, statements: Int) -> String {
    var script = ""
    for number in 0..<statements { script += statement(number, &random) + "\n" }
    return script + String(repeating: "upsert Dog { id: 999 }\n", count: 30)
  }

  private static func statement(_ number: Int, _ random: inout SplitMix64) -> String {
    let (dog, other) = (1 + random.below(10), 1 + random.below(20))
    let name = random.pick(["a", "b", "c"])
    switch random.below(20) {
    case 0..<4: return "set Dog where id == \(dog) { age: \(random.below(100)) }"
    case 4: return "upsert Dog { id: \(100 + random.below(30)), age: \(number) }"
    case 5: return "delete Dog where id == \(100 + random.below(30))"
    case 6: return "append Dog#\(dog) to Box#1.dogs"
    case 7: return "if Box#1.dogs.@count > 3 { move Box#1.dogs[0] to 2 }"
    case 8: return "if Box#1.dogs.@count > 9 { remove Box#1.dogs[4]; remove Box#1.dogs[0] }"
    case 9: return "set Box#1.tags = [\"\(name)\", \"\(number)\"]; append \"x\" to Box#1.tags"
    case 10: return "Dog#\(dog).toy = { name: \"\(name)\" }"
    case 11: return "append { name: \"\(name)\" }, { name: \"c\" } to Dog#\(1 + dog % 2).toys"
    case 12: return "if Dog#1.toys.@count > 2 { remove Dog#1.toys[1]; move Dog#1.toys[0] to 1 }"
    case 13: return "set Toy where name == \"\(name)\" { name: \"\(random.pick(["a", "b"]))\" }"
    case 14: return "Dog#\(dog).pal = \(random.chance(30) ? "nil" : "Dog#\(other)")"
    case 15: return "Dog#\(other).pal = Dog#1"
    case 16: return "insert Dog#\(dog) into Box#1.friends; remove Dog#\(other) from Box#1.friends"
    case 17: return "set Box#1.mates[\"\(name)\"] = Dog#\(other)"
    case 18: return "write { remove Box#1.mates[\"\(name)\"]; Dog#\(dog).age = 41 }"
    default: return "write { upsert Box { id: \(2 + random.below(5)) }; Dog#\(dog).age += 1 }"
    }
  }

  /// A commit of this process, in the midst of the other's.
  static func write(_ store: DynamicStore, _ random: inout SplitMix64) throws {
    let number = random.below(10)
    try store.write {
      guard let dog = try store.object("Dog", key: .int(11 + number)),
        let list = try store.object("Box", key: .int(1))?.collection("dogs")
      else { return }
      try dog.set("age", to: .value(.int(random.below(50))))
      if random.chance(50) { try list.insert([.link(dog.id)], at: 0) }
      let toy = try store.addEmbeddedObject("Toy", [("name", .value(.string("b")))])
      try dog.set("toy", to: .value(.link(toy.id)))
    }
  }
}
