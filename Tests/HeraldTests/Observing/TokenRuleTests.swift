import Herald
import Testing

/// Observation §2: what each kind of token receives.
@Suite struct TokenRuleTests {
  @Test func `2.1 a store token receives every transaction, empty or of the schema`() throws {
    try withKennel { kennel in
      try kennel.observeStore(as: "s")
      try kennel.write {}
      #expect(kennel.delivered() == ["s: changed"])
      try kennel.write { try kennel.addDog(1) }
      #expect(kennel.delivered() == ["s: changed"])
      try kennel.store.declare(
        ClassDefinition(name: "Cat", properties: [.init(name: "name", element: .string)]))
      #expect(kennel.delivered() == ["s: changed"])
      try kennel.store.beginWrite()
      try kennel.store.rollbackWrite()
      #expect(try kennel.turn() == [])
    }
  }

  @Test func `2.2 initial comes exactly once, at the first delivery point`() throws {
    try withKennel(dogs: 2) { kennel in
      try kennel.observe(kennel.dogs(), as: "dogs")
      #expect(kennel.delivered() == [])
      #expect(try kennel.turn() == ["dogs: initial 2"])
      #expect(try kennel.turn() == [])
    }
  }

  @Test func `2.2 observe followed by a write receives initial without it, then an update`() throws
  {
    try withKennel(dogs: 2) { kennel in
      try kennel.observe(kennel.dogs(), as: "dogs")
      try kennel.write {
        #expect(kennel.delivered() == ["dogs: initial 2"])
        try kennel.addDog(3)
      }
      #expect(try kennel.turn() == ["dogs: insertions [2]"])
    }
  }

  @Test func `2.3 an object token receives properties in the order of the schema`() throws {
    try withKennel(dogs: 2) { kennel in
      try kennel.observe(kennel.dog(1), as: "max")
      #expect(try kennel.turn() == [])
      try kennel.write {
        let dog = try kennel.dog(1)
        try dog.collection("tags").append([.string("x")])
        try dog.set("toy", .string("ball"))
        try dog.set("age", .int(4))
        try dog.set("name", .string("Wolfie"))
      }
      #expect(
        try kennel.turn() == [
          "max: change name \"\" -> \"Wolfie\", age 0 -> 4, toy nil -> \"ball\", tags"
        ])
    }
  }

  @Test func `2.3 deletion replaces other changes, is delivered once, and ends the token`() throws {
    try withKennel(dogs: 2) { kennel in
      let bg = try kennel.another()
      try kennel.observe(kennel.dog(1), as: "max")
      try bg.write { try bg.dog(1).set("age", .int(4)) }
      try bg.write { try bg.store.delete(try bg.dog(1)) }
      #expect(try kennel.turn() == ["max: deleted"])
      #expect(kennel.tokens["max"]?.isLive == false)
      try kennel.write { try kennel.addDog(1) }
      #expect(try kennel.turn() == [])
    }
  }

  @Test func `2.3 deleting an object and adding its key again is a deletion`() throws {
    try withKennel(dogs: 1) { kennel in
      try kennel.observe(kennel.dog(1), as: "max")
      try kennel.observe(kennel.dog(1), as: "none", keyPaths: [])
      try kennel.observe(kennel.dog(1), as: "age", keyPaths: ["age"])
      try kennel.write {
        try kennel.store.delete(try kennel.dog(1))
        try kennel.addDog(1, [("age", .value(.int(5)))])
      }
      #expect(try kennel.turn() == ["max: deleted", "none: deleted", "age: deleted"])
    }
  }

  @Test func `2.4 an object token receives its own properties only`() throws {
    try withKennel(dogs: 2) { kennel in
      try kennel.write {
        let person = try kennel.addPerson(1)
        try kennel.dog(1).set("owner", .link(person.id))
        try kennel.dog(1).collection("siblings").append(try kennel.links([2]))
      }
      try kennel.observe(kennel.dog(1), as: "max")
      try kennel.write {
        try kennel.person(1).set("name", .string("Ann"))
        try kennel.dog(2).set("age", .int(4))
      }
      #expect(try kennel.turn() == [])
    }
  }

  /// A chain of people, each the boss of the one before; a dog belongs to the first.
  private func withChain(_ body: (Kennel) throws -> Void) throws {
    try withKennel(dogs: 1) { kennel in
      try kennel.write {
        for id in (1...6).reversed() {
          let person = try kennel.addPerson(id)
          if id < 6 { try person.set("boss", .link(try kennel.person(id + 1).id)) }
        }
        try kennel.dog(1).set("owner", .link(try kennel.person(1).id))
      }
      try body(kennel)
    }
  }

  @Test(arguments: [(1, true), (3, true), (4, true), (5, false), (6, false)])
  func `2.4 a row is modified by changes at most four links away`(
    person: Int, isNotified: Bool
  ) throws {
    try withChain { kennel in
      try kennel.observe(kennel.dogs(), as: "dogs")
      try kennel.store.endTurn()
      _ = kennel.delivered()
      try kennel.write { try kennel.person(person).set("name", .string("x")) }
      #expect(try kennel.turn() == (isNotified ? ["dogs: modifications [0]"] : []))
    }
  }

  @Test(arguments: [0, 1, 2, 5, 6])
  func `2.4 depth N receives changes at most N links away`(depth: Int) throws {
    try withChain { kennel in
      try kennel.observe(kennel.dogs(), as: "dogs", depth: depth)
      try kennel.store.endTurn()
      _ = kennel.delivered()
      for person in 1...6 {
        try kennel.write { try kennel.person(person).set("name", .string("x")) }
        #expect(
          try kennel.turn() == (person <= depth ? ["dogs: modifications [0]"] : []),
          "person \(person)")
      }
      try kennel.write { try kennel.dog(1).set("age", .int(4)) }
      #expect(try kennel.turn() == ["dogs: modifications [0]"])
    }
  }

  @Test func `2.4 deep changes come through lists, cycles and the shortest way`() throws {
    try withKennel(dogs: 3) { kennel in
      try kennel.write {
        try kennel.dog(1).collection("siblings").append(try kennel.links([2]))
        try kennel.dog(2).collection("siblings").append(try kennel.links([3, 1]))
      }
      try kennel.observe(kennel.dogs("where id == 1"), as: "one", depth: 2)
      try kennel.observe(kennel.dogs("where id == 3"), as: "three")
      try kennel.store.endTurn()
      _ = kennel.delivered()
      try kennel.write { try kennel.dog(3).set("age", .int(4)) }
      #expect(try kennel.turn() == ["one: modifications [0]", "three: modifications [0]"])
      try kennel.write { try kennel.dog(2).set("age", .int(4)) }
      #expect(try kennel.turn() == ["one: modifications [0]"])
    }
  }

  @Test(arguments: [0, 2])
  func `2.5 the owner's deletion deletes every row of its list, also of none`(rows: Int) throws {
    try withKennel(dogs: 3) { kennel in
      try kennel.write {
        try kennel.dog(1).collection("siblings").append(try kennel.links([2, 3].prefix(rows) + []))
      }
      try kennel.observe(kennel.dog(1).collection("siblings"), as: "siblings")
      try kennel.store.endTurn()
      _ = kennel.delivered()
      try kennel.write { try kennel.store.delete(try kennel.dog(1)) }
      let deletions = rows == 0 ? "" : "deletions [0, 1] "
      #expect(try kennel.turn() == ["siblings: \(deletions)owner deleted"])
      #expect(kennel.tokens["siblings"]?.isLive == false)
    }
  }

  @Test func `2.5 a token registered within an open write receives initial with the write`() throws
  {
    try withKennel(dogs: 1) { kennel in
      try kennel.write {
        try kennel.observe(kennel.dogs(), as: "dogs")
        try kennel.addDog(2)
      }
      #expect(try kennel.turn() == ["dogs: initial 2"])
      try kennel.store.beginWrite()
      try kennel.observe(kennel.dogs(), as: "others")
      try kennel.addDog(3)
      try kennel.store.commitWrite()
      #expect(try kennel.turn() == ["dogs: insertions [2]", "others: initial 3"])
    }
  }

  @Test(arguments: [false, true])
  func `1.4 refresh delivers the last call too of a token that begins without its owner`(
    isNested: Bool
  ) throws {
    try withKennel(dogs: 2) { kennel in
      let bg = try kennel.another()
      kennel.store.autorefresh = false
      // Its block begins a write, in which the others are notified (6.4).
      try kennel.observe(kennel.trigger(), as: "writer") {
        if isNested { try kennel.write { kennel.journal.lines.append("written") } }
      }
      try kennel.observe(kennel.dog(1).collection("siblings"), as: "siblings")
      try kennel.observe(kennel.dogs(), as: "dogs")
      try bg.write {
        try bg.store.delete(bg.dog(1))
        try bg.pull(1)
      }
      #expect(try kennel.store.refresh())
      let lines = [
        "writer: change n 0 -> 1", "siblings: initial 0", "siblings: owner deleted",
        "dogs: initial 1",
      ]
      #expect(kennel.delivered() == lines + (isNested ? ["written"] : []))
      #expect(kennel.tokens["siblings"]?.isLive == false)
      #expect(try kennel.turn() == [])
    }
  }
}
