import Herald
import Testing

/// Observation §1: sessions and delivery.
@Suite struct DeliveryRuleTests {
  @Test func `1.1 a session reads one version until it is advanced`() throws {
    try withKennel(dogs: 1) { kennel in
      let bg = try kennel.another()
      bg.store.autorefresh = false
      try kennel.write { try kennel.addDog(2) }
      #expect(try kennel.dogs().count == 2)
      #expect(try bg.dogs().count == 1)
      try bg.store.endTurn()
      #expect(try bg.dogs().count == 1)
      #expect(try bg.store.refresh())
      #expect(try bg.dogs().count == 2)
      try kennel.write { try kennel.addDog(3) }
      let seen = try bg.write { try bg.dogs().count }
      #expect(seen == 3)
      try kennel.write { try kennel.addDog(4) }
      bg.store.autorefresh = true
      #expect(try bg.dogs().count == 3)
      try bg.store.endTurn()
      #expect(try bg.dogs().count == 4)
    }
  }

  @Test func `1.2a the end of a turn delivers, but not while a write by hand is open`() throws {
    try withKennel(dogs: 1) { kennel in
      try kennel.observe(kennel.dogs(), as: "dogs")
      #expect(try kennel.turn() == ["dogs: initial 1"])
      try kennel.store.beginWrite()
      try kennel.addDog(2)
      #expect(try kennel.turn() == [])
      try kennel.store.commitWrite()
      #expect(kennel.delivered() == [])
      #expect(try kennel.turn() == ["dogs: insertions [1]"])
    }
  }

  @Test func `1.2b refresh delivers`() throws {
    try withKennel(dogs: 1) { kennel in
      try kennel.observe(kennel.dogs(), as: "dogs")
      try kennel.store.refresh()
      #expect(kennel.delivered() == ["dogs: initial 1"])
    }
  }

  @Test func `1.2c the beginning of a write delivers before its first statement`() throws {
    try withKennel(dogs: 1) { kennel in
      let bg = try kennel.another()
      try kennel.observe(kennel.dogs(), as: "dogs")
      try bg.write { try bg.addDog(2) }
      try kennel.write {
        #expect(kennel.delivered() == ["dogs: initial 2"])
        try kennel.addDog(3)
      }
      try bg.write { try bg.addDog(4) }
      try kennel.write { #expect(kennel.delivered() == ["dogs: insertions [2, 3]"]) }
    }
  }

  @Test func `1.2d a store token receives the session's own commit before write returns`() throws {
    try withKennel { kennel in
      try kennel.observeStore(as: "s")
      try kennel.observe(kennel.dogs(), as: "dogs")
      try kennel.write {
        try kennel.addDog(1)
        #expect(kennel.delivered() == ["dogs: initial 0"])
      }
      #expect(kennel.delivered() == ["s: changed"])
      #expect(try kennel.turn() == ["dogs: insertions [0]"])
    }
  }

  @Test func `1.3 without autorefresh a turn delivers what needs no advance`() throws {
    try withKennel { kennel in
      let bg = try kennel.another()
      bg.store.autorefresh = false
      try bg.observeStore(as: "s")
      try bg.observe(bg.dogs(), as: "dogs")
      try kennel.write { try kennel.addDog(1) }
      #expect(try bg.turn() == ["bg/s: refresh required", "bg/dogs: initial 0"])
      #expect(try bg.turn() == [])
      try kennel.write { try kennel.addDog(2) }
      #expect(try bg.turn() == [])
      #expect(try bg.store.refresh())
      #expect(kennel.delivered() == ["bg/s: changed", "bg/dogs: insertions [0, 1]"])
      try bg.write { try bg.addDog(3) }
      #expect(kennel.delivered() == ["bg/s: changed"])
      #expect(try bg.turn() == ["bg/dogs: insertions [2]"])
      try kennel.write {}
      #expect(try bg.turn() == ["bg/s: refresh required"])
    }
  }

  @Test func `1.4 refresh returns whether anything was new`() throws {
    try withKennel { kennel in
      let bg = try kennel.another()
      #expect(try !bg.store.refresh())
      try kennel.write { try kennel.addDog(1) }
      #expect(try bg.store.refresh())
      #expect(try !bg.store.refresh())
    }
  }

  @Test func `1.4 refresh does nothing in a delivery and in a write`() throws {
    try withKennel { kennel in
      let bg = try kennel.another()
      var answers: [Bool] = []
      try kennel.observe(kennel.dogs(), as: "dogs") {
        try bg.write { try bg.addDog(9 + answers.count) }
        answers.append(try kennel.store.refresh())
        #expect(try kennel.dogs().count == 0)
        kennel.tokens["dogs"]?.invalidate()
      }
      #expect(try kennel.turn() == ["dogs: initial 0"])
      #expect(answers == [false])
      try kennel.store.beginWrite()
      #expect(try !kennel.store.refresh())
      try kennel.store.rollbackWrite()
    }
  }

  @Test func `1.5 everything between two deliveries is one change set`() throws {
    try withKennel(dogs: 3) { kennel in
      let bg = try kennel.another()
      try kennel.observe(kennel.dogs(), as: "dogs")
      try kennel.store.endTurn()
      try bg.write { try bg.addDog(4) }
      try bg.write { try bg.dog(1).set("age", .int(4)) }
      try bg.write { try bg.store.delete(try bg.dog(2)) }
      try bg.write { try bg.dog(4).set("age", .int(9)) }
      try bg.write { try bg.dog(3).set("age", .int(5)) }
      _ = kennel.delivered()
      #expect(
        try kennel.turn() == ["dogs: deletions [1] insertions [2] modifications [0, 2->1]"])
    }
  }

  @Test func `1.5 a token with nothing to report is not called`() throws {
    try withKennel(dogs: 2) { kennel in
      try kennel.observe(kennel.dogs("where id == 1"), as: "one")
      try kennel.observe(kennel.dog(1), as: "max")
      try kennel.store.endTurn()
      _ = kennel.delivered()
      try kennel.write { try kennel.dog(2).set("age", .int(1)) }
      try kennel.write {}
      #expect(try !kennel.store.endTurn())
      #expect(kennel.delivered() == [])
    }
  }

  @Test func `1.6 a second write in one turn first delivers what is pending of the first`() throws {
    try withKennel { kennel in
      try kennel.observe(kennel.dogs(), as: "dogs")
      try kennel.store.endTurn()
      _ = kennel.delivered()
      try kennel.write { try kennel.addDog(1) }
      #expect(kennel.delivered() == [])
      try kennel.write {
        #expect(kennel.delivered() == ["dogs: insertions [0]"])
        try kennel.addDog(2)
      }
      #expect(try kennel.turn() == ["dogs: insertions [1]"])
    }
  }

  @Test func `1.6 between its commit and the next delivery a session sees only its own`() throws {
    try withKennel { kennel in
      let bg = try kennel.another()
      try kennel.write { try kennel.addDog(1) }
      try bg.write { try bg.addDog(2) }
      #expect(try kennel.dogs().count == 1)
      try kennel.store.endTurn()
      #expect(try kennel.dogs().count == 2)
    }
  }

  @Test func `1.7 in a delivery the collection is at the version that is delivered`() throws {
    try withKennel { kennel in
      let bg = try kennel.another()
      var counts: [Int] = []
      try kennel.observe(kennel.dogs(), as: "dogs") {
        // What another session does meanwhile is not seen before it is delivered.
        if counts.count < 2 { try bg.write { try bg.addDog(1 + counts.count) } }
        counts.append(try kennel.dogs().count)
      }
      try kennel.store.endTurn()
      try kennel.store.endTurn()
      try kennel.store.endTurn()
      #expect(counts == [0, 1, 2])
      #expect(
        kennel.delivered() == ["dogs: initial 0", "dogs: insertions [0]", "dogs: insertions [1]"])
    }
  }

  @Test func `1.8 store tokens come first, then the others as they were registered`() throws {
    try withKennel(dogs: 1) { kennel in
      let bg = try kennel.another()
      try kennel.observe(kennel.dogs("where age > 100"), as: "three")
      try kennel.observe(kennel.dog(1), as: "one")
      try kennel.observe(kennel.dog(1).collection("tags"), as: "five")
      try kennel.observeStore(as: "s")
      try kennel.observe(kennel.dogs(), as: "two")
      try kennel.observe(kennel.trigger(), as: "four")
      try kennel.observeStore(as: "z")
      #expect(try kennel.turn() == ["three: initial 0", "five: initial 0", "two: initial 1"])
      try bg.write {
        try bg.pull(1)
        try bg.dog(1).set("age", .int(200))
        try bg.dog(1).collection("tags").append([.string("x")])
      }
      #expect(
        try kennel.turn() == [
          "s: changed", "z: changed", "three: insertions [0]", "one: change age 0 -> 200, tags",
          "five: insertions [0]", "two: modifications [0]", "four: change n 0 -> 1",
        ])
    }
  }

  @Test func `1.9 what the session and others committed meanwhile is one change set`() throws {
    try withKennel(dogs: 1) { kennel in
      let bg = try kennel.another()
      try kennel.observe(kennel.trigger(), as: "trigger") {
        guard try kennel.dogs().count == 1 else { return }
        try kennel.write { try kennel.addDog(2) }
        try bg.write { try bg.addDog(3) }
      }
      try kennel.observe(kennel.dogs(), as: "dogs")
      try kennel.store.endTurn()
      _ = kennel.delivered()
      try kennel.write { try kennel.pull(1) }
      #expect(try kennel.turn() == ["trigger: change n 0 -> 1", "dogs: insertions [1, 2]"])
    }
  }

  @Test func `1.9 a block may read, write, observe and invalidate`() throws {
    try withKennel(dogs: 1) { kennel in
      try kennel.observe(kennel.dogs(), as: "other")
      try kennel.observe(kennel.trigger(), as: "trigger") {
        #expect(try kennel.dogs().count == 1)
        kennel.tokens["other"]?.invalidate()
        try kennel.observe(kennel.dog(1), as: "late")
        try kennel.write { try kennel.dog(1).set("age", .int(7)) }
      }
      try kennel.store.endTurn()
      try kennel.write { try kennel.pull(1) }
      _ = kennel.delivered()
      #expect(try kennel.turn() == ["trigger: change n 0 -> 1", "late: change age 0 -> 7"])
    }
  }

  @Test func `1.10 a token added during a delivery is first notified at the next one`() throws {
    try withKennel(dogs: 1) { kennel in
      var isFirst = true
      try kennel.observe(kennel.trigger(), as: "trigger") {
        if isFirst { try kennel.observe(kennel.dogs(), as: "late") }
        isFirst = false
      }
      try kennel.observe(kennel.dogs(), as: "dogs")
      try kennel.store.endTurn()
      _ = kennel.delivered()
      try kennel.write {
        try kennel.pull(1)
        try kennel.addDog(2)
      }
      #expect(
        try kennel.turn() == [
          "trigger: change n 0 -> 1", "dogs: insertions [1]", "late: initial 2",
        ])
      try kennel.write { try kennel.addDog(3) }
      #expect(try kennel.turn() == ["dogs: insertions [2]", "late: insertions [2]"])
    }
  }

  @Test func `1.10 a token invalidated during a delivery is not called any more in it`() throws {
    try withKennel(dogs: 1) { kennel in
      try kennel.observe(kennel.trigger(), as: "first") {
        kennel.tokens["second"]?.invalidate()
        kennel.tokens["first"]?.invalidate()
      }
      try kennel.observe(kennel.dogs(), as: "second")
      try kennel.observe(kennel.dogs(), as: "third")
      try kennel.store.endTurn()
      _ = kennel.delivered()
      try kennel.write {
        try kennel.pull(1)
        try kennel.addDog(2)
      }
      #expect(try kennel.turn() == ["first: change n 0 -> 1", "third: insertions [1]"])
      try kennel.write { try kennel.pull(2) }
      #expect(try kennel.turn() == [])
    }
  }

  @Test func `1.10 invalidating twice does nothing, and a released token stops`() throws {
    try withKennel(dogs: 1) { kennel in
      try kennel.observe(kennel.dogs(), as: "dogs")
      try kennel.observe(kennel.dogs(), as: "others")
      try kennel.store.endTurn()
      _ = kennel.delivered()
      let token = try #require(kennel.tokens["dogs"])
      #expect(token.isLive)
      token.invalidate()
      token.invalidate()
      #expect(!token.isLive)
      kennel.tokens["others"] = nil
      try kennel.write { try kennel.addDog(2) }
      #expect(try kennel.turn() == [])
    }
  }

  @Test func `the first error of a block is thrown after the other blocks were called`() throws {
    struct Diagnostic: Error {}
    try withKennel(dogs: 1) { kennel in
      try kennel.observe(kennel.dogs(), as: "a") { throw Diagnostic() }
      try kennel.observe(kennel.dogs(), as: "b")
      #expect(throws: Diagnostic.self) { try kennel.store.endTurn() }
      #expect(kennel.delivered() == ["a: initial 1", "b: initial 1"])
      #expect(try kennel.turn() == [])
    }
  }
}
