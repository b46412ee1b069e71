import Herald
import Testing

/// Observation §5: writing without notifying.
@Suite struct SilentRuleTests {
  @Test func `5.1 a silenced token's next change set starts after that commit`() throws {
    try withKennel(dogs: 3) { kennel in
      try kennel.observe(kennel.dogs(), as: "quiet")
      try kennel.observe(kennel.dogs(), as: "loud")
      try kennel.store.endTurn()
      _ = kennel.delivered()
      try kennel.write(without: ["quiet"]) { try kennel.store.delete(try kennel.dog(1)) }
      #expect(try kennel.turn() == ["loud: deletions [0]"])
      try kennel.write { try kennel.store.delete(try kennel.dog(3)) }
      #expect(try kennel.turn() == ["quiet: deletions [1]", "loud: deletions [1]"])
    }
  }

  @Test func `5.1 what was pending before is delivered at the beginning, later changes later`()
    throws
  {
    try withKennel { kennel in
      try kennel.observe(kennel.dogs(), as: "t")
      try kennel.write(without: ["t"]) {
        #expect(kennel.delivered() == ["t: initial 0"])
        try kennel.addDog(1)
      }
      try kennel.write(without: ["t"]) { try kennel.addDog(2) }
      try kennel.write { try kennel.addDog(3) }
      #expect(try kennel.turn() == ["t: insertions [2]"])
    }
  }

  @Test func `5.1 exactly one commit of a kind is silenced`() throws {
    try withKennel(dogs: 1) { kennel in
      try kennel.observe(kennel.dog(1), as: "max")
      try kennel.observeStore(as: "s")
      try kennel.observe(kennel.dog(1).collection("tags"), as: "tags")
      try kennel.store.endTurn()
      _ = kennel.delivered()
      try kennel.write(without: ["max", "s", "tags"]) {
        try kennel.dog(1).set("age", .int(1))
        try kennel.dog(1).collection("tags").append([.string("a")])
      }
      #expect(try kennel.turn() == [])
      try kennel.write(without: ["max", "s", "tags"]) {}
      try kennel.write {
        try kennel.dog(1).set("age", .int(2))
        try kennel.dog(1).collection("tags").append([.string("b")])
      }
      #expect(
        try kennel.turn() == ["s: changed", "max: change age 1 -> 2, tags", "tags: insertions [1]"])
    }
  }

  @Test func `5.1 a commit by hand can be silenced too`() throws {
    try withKennel(dogs: 1) { kennel in
      try kennel.observe(kennel.dogs(), as: "t")
      try kennel.store.beginWrite()
      try kennel.addDog(2)
      try kennel.store.commitWrite(without: [try #require(kennel.tokens["t"])])
      #expect(try kennel.turn() == ["t: initial 1"])
    }
  }

  @Test func `5.2 a foreign or ended token is an error before anything is written`() throws {
    try withKennel(dogs: 1) { kennel in
      let bg = try kennel.another()
      try bg.observe(bg.dogs(), as: "far")
      try kennel.observe(kennel.dogs(), as: "dead")
      kennel.tokens["dead"]?.invalidate()
      let version = kennel.store.version
      for token in [try #require(bg.tokens["far"]), try #require(kennel.tokens["dead"])] {
        var didRun = false
        #expect(throws: HeraldError.self) {
          try kennel.store.write(without: [token]) { didRun = true }
        }
        #expect(!didRun)
        try kennel.store.beginWrite()
        try kennel.addDog(9)
        #expect(throws: HeraldError.self) { try kennel.store.commitWrite(without: [token]) }
        if kennel.store.isInWrite { try kennel.store.rollbackWrite() }
      }
      #expect(kennel.store.version == version)
      #expect(try kennel.dogs().count == 1)
    }
  }

  @Test func `5.2 a token that ends at the beginning of the write needs no silence`() throws {
    try withKennel(dogs: 1) { kennel in
      let bg = try kennel.another()
      try kennel.observe(kennel.dog(1), as: "max")
      try bg.write { try bg.store.delete(try bg.dog(1)) }
      try kennel.write(without: ["max"]) {
        #expect(kennel.delivered() == ["max: deleted"])
        try kennel.addDog(2)
      }
      #expect(try kennel.dogs().count == 1)
    }
  }

  @Test func `5.3 if the block fails, everything is rolled back and nothing is silenced`() throws {
    struct Failure: Error {}
    try withKennel(dogs: 1) { kennel in
      try kennel.observe(kennel.dogs(), as: "t")
      try kennel.store.endTurn()
      _ = kennel.delivered()
      #expect(throws: Failure.self) {
        try kennel.write(without: ["t"]) {
          try kennel.addDog(2)
          throw Failure()
        }
      }
      #expect(try kennel.dogs().count == 1)
      #expect(try kennel.turn() == [])
      try kennel.write { try kennel.addDog(2) }
      #expect(try kennel.turn() == ["t: insertions [1]"])
    }
  }

  @Test func `5.4 an object deleted in a silenced commit: its silenced token ends`() throws {
    try withKennel(dogs: 2) { kennel in
      try kennel.observe(kennel.dog(2), as: "d")
      try kennel.observe(kennel.dog(2), as: "e")
      try kennel.write(without: ["d"]) { try kennel.store.delete(try kennel.dog(2)) }
      #expect(try kennel.turn() == ["e: deleted"])
      #expect(kennel.tokens["d"]?.isLive == false)
    }
  }
}
