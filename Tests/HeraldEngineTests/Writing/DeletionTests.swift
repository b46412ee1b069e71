import HeraldMaintenance
import HeraldModel
import HeraldObservation
import TestSupport
import Testing

@testable import HeraldEngine

/// A deleted object leaves no link to itself, and takes the embedded objects and nested collections that it has with it.
@Suite struct DeletionTests {
  private static let node = ClassDefinition(
    name: "Node",
    properties: [
      .init(name: "next", element: .link("Node")),
      .init(name: "list", element: .link("Node"), shape: .list),
      .init(name: "set", element: .link("Node"), shape: .set),
      .init(name: "map", element: .link("Node"), shape: .map), .init(name: "any", element: .any),
      .init(name: "number", element: .int, isIndexed: true, defaultValue: .value(.int(0))),
      .init(name: "from", element: .link("Node"), shape: .backlinks("list")),
    ])
  private static let part = ClassDefinition(
    name: "Part", isEmbedded: true,
    properties: [
      .init(name: "inner", element: .link("Part")), .init(name: "node", element: .link("Node")),
    ])
  private static let whole = ClassDefinition(
    name: "Whole",
    properties: [
      .init(name: "part", element: .link("Part")),
      .init(name: "parts", element: .link("Part"), shape: .list),
      .init(name: "byKey", element: .link("Part"), shape: .map),
    ])

  @Test func `every kind of link to it is removed`() throws {
    let session = try Session.made(Self.node)
    let (gone, other) = try session.write {
      (try session.add("Node", ("number", .int(1))), try session.add("Node"))
    }
    let (a, b) = (Value.link(gone), Value.link(other))
    try session.write {
      try session.set(
        other, ("next", a), ("list", .list([a, b, a])), ("set", .list([a, b])),
        ("map", .map(["k": a, "l": b])), ("any", .list([a, .map(["k": a, "l": .list([b, a])])])))
    }
    let text = try session.changes { try session.delete(gone) }
    #expect(
      text == """
        Node: deleted [1]
        Node#2.next was #1
        Node#2.list inserted [], removed [0, 2], changed [], moved []
        Node#2.set inserted [], removed [#1]
        Node#2.map inserted [], removed {}, changed {"k": #1}
        Node#2.any was nested1
        nested lists#1.elements inserted [], removed [0], changed [0], moved []
        nested lists#2.elements inserted [], removed [1], changed [], moved []
        nested maps#1.elements inserted [], removed {}, changed {"k": #1, "l": nested2}
        """)
    #expect(try session.read("next", of: other) == .null)
    #expect(try session.read("list", of: other) == .list([b]))
    #expect(try session.read("map", of: other) == .map(["k": .null, "l": b]))
    #expect(try session.read("any", of: other) == .list([.map(["k": .null, "l": .list([b])])]))
    #expect(session.check() == [])
  }

  /// Ways in which an object loses its embedded objects.
  struct Loss: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let lose: @Sendable (Session, ObjectID) throws -> Void
    let remaining: Int
  }

  static let losses = [
    Loss(testDescription: "its deletion", lose: { try $0.delete($1) }, remaining: 0),
    Loss(testDescription: "nil", lose: { try $0.set($1, ("part", .null)) }, remaining: 2),
    Loss(
      testDescription: "another one",
      lose: { try $0.set($1, ("part", .link(try $0.add("Part")))) }, remaining: 3),
    Loss(
      testDescription: "a row", lose: { try $0.edit($1, "parts", .remove(at: 0)) }, remaining: 3),
    Loss(testDescription: "all rows", lose: { try $0.edit($1, "parts", .removeAll) }, remaining: 3),
    Loss(testDescription: "a list", lose: { try $0.set($1, ("parts", .list([]))) }, remaining: 3),
    Loss(
      testDescription: "the same list",
      lose: { try $0.set($1, ("parts", try $0.read("parts", of: $1))) }, remaining: 4),
    Loss(
      testDescription: "a key", lose: { try $0.edit($1, "byKey", .removeKey("k")) }, remaining: 3),
    Loss(
      testDescription: "a map", lose: { try $0.set($1, ("byKey", .map([:]))) }, remaining: 3),
  ]

  @Test(arguments: losses)
  func `embedded objects are deleted with what contains them`(_ loss: Loss) throws {
    let session = try Session.made(Self.node, Self.part, Self.whole)
    let whole = try session.write {
      func part(_ inner: Value = .null) throws -> Value {
        .link(try session.add("Part", ("inner", inner)))
      }
      // The first one contains another.
      return try session.add(
        "Whole", ("part", try part(part())), ("parts", .list([try part()])),
        ("byKey", .map(["k": try part()])))
    }
    #expect(try session.objects("Part").count == 4)
    try session.write { try loss.lose(session, whole) }
    #expect(try session.objects("Part").count == loss.remaining)
    #expect(session.check() == [])
  }

  @Test func `an object that an earlier deletion of the statement removed is skipped`() throws {
    let session = try Session.made(Self.node, Self.part, Self.whole)
    let (whole, part) = try session.write {
      let part = try session.add("Part")
      return (try session.add("Whole", ("part", .link(part))), part)
    }
    try session.write { try session.delete([whole, part, whole]) {} }
    #expect(try session.objects("Part") == [])
    let text = errorText { try session.write { try session.delete(whole) } }
    #expect(text == "the object Whole#1 was deleted")
  }

  @Test(arguments: [false, true])
  func `a check stops the deletion of many before the object that it refuses`(
    hasPropertyObservers: Bool
  ) throws {
    struct Refused: Error {}
    let session = try Session.made(Self.node)
    let nodes = try session.write {
      try (0..<600).map { try session.add("Node", ("number", .int($0))) }
    }
    if hasPropertyObservers {
      let property = try session.property("number", of: nodes[0]).id
      _ = try session.observe(.property(nodes[599], property), BlockReceiver { _ in })
    }
    try session.write {
      var count = 0
      #expect(throws: Refused.self) {
        try session.delete(nodes) {
          count += 1
          if count > 300 { throw Refused() }
        }
      }
    }
    #expect(try session.objects("Node") == Array(nodes[300...]))
    #expect(session.check() == [])
  }

  // MARK: Random deletions

  /// What the links of a node lead to.
  private struct Links: Equatable {
    var next: Int?
    var list: [Int] = []
    var set: Set<Int> = []
    var map: [String: Int?] = [:]

    mutating func lose(_ gone: Set<Int>) {
      if let target = next, gone.contains(target) { next = nil }
      list.removeAll(where: gone.contains)
      set.subtract(gone)
      for (key, target) in map {
        if let target, gone.contains(target) { map[key] = .some(nil) }
      }
    }
  }

  private func links(_ session: Session, _ node: ObjectID) throws -> Links {
    func number(_ value: Value) -> Int? { value.links.first?.number }
    var links = Links(next: number(try session.read("next", of: node)))
    links.list = try session.read("list", of: node).links.map(\.number)
    links.set = Set(try session.read("set", of: node).links.map(\.number))
    guard case .map(let entries) = try session.read("map", of: node) else { return links }
    for (key, value) in entries { links.map[key] = .some(number(value)) }
    return links
  }

  @Test(arguments: seeds(10))
  func `what remains has the links to what remains`(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let session = try Session.made(Self.node)
    var models: [Int: Links] = [:]
    for _ in 0..<6 {
      try session.write {
        for _ in 0..<8 { models[try session.add("Node").number] = Links() }
        let all = models.keys.sorted()
        let classID = try #require(session.classSchema(named: "Node")).id
        func link(_ number: Int) -> Value { .link(ObjectID(classID, number)) }
        for _ in 0..<10 {
          let links = Links(
            next: random.pick(all), list: (0..<random.below(5)).map { _ in random.pick(all) },
            set: Set((0..<random.below(5)).map { _ in random.pick(all) }),
            map: ["k": random.pick(all), "l": random.pick(all)])
          let owner = random.pick(all)
          models[owner] = links
          try session.set(
            ObjectID(classID, owner), ("next", links.next.map(link) ?? .null),
            ("list", .list(links.list.map(link))), ("set", .list(links.set.map(link))),
            ("map", .map(MapEntries(links.map.mapValues { $0.map(link) ?? .null }))))
        }
        let gone = Set((0..<random.below(8)).map { _ in random.pick(all) })
        try session.delete(gone.sorted().map { ObjectID(classID, $0) }) {}
        for number in gone { models[number] = nil }
        for number in models.keys { models[number]?.lose(gone) }
      }
      #expect(try session.objects("Node").map(\.number) == models.keys.sorted(), "seed \(seed)")
      for node in try session.objects("Node") {
        #expect(try links(session, node) == models[node.number], "seed \(seed)")
      }
      #expect(session.check() == [], "seed \(seed)")
    }
  }
}
