import Herald
import Testing

/// Observation §6: writing in a delivery.
@Suite struct NestedRuleTests {
  /// A first token on all dogs, a writer on the trigger that reacts once, and a last one; `react`
  /// is the writer's block. What is delivered when the trigger is pulled and a dog added.
  private func notified(
    _ react: @escaping (Kennel, Kennel) throws -> Void
  ) throws -> [String] {
    var lines: [String] = []
    try withKennel(dogs: 1) { kennel in
      let bg = try kennel.another()
      var isFirst = true
      try kennel.observe(kennel.dogs(), as: "first")
      try kennel.observe(kennel.trigger(), as: "writer") {
        if isFirst {
          isFirst = false
          try react(kennel, bg)
        }
      }
      try kennel.observe(kennel.dogs(), as: "last")
      try kennel.store.endTurn()
      _ = kennel.delivered()
      try kennel.write {
        try kennel.pull(1)
        try kennel.addDog(2)
      }
      lines = try kennel.turn()
    }
    return lines
  }

  @Test func `6.1 what a block writes is delivered later, as if it were written outside`() throws {
    #expect(
      try notified { kennel, _ in
        try kennel.write { try kennel.addDog(3) }
        kennel.journal.lines.append("written")
      } == [
        "first: insertions [1]", "writer: change n 0 -> 1", "last: insertions [1]", "written",
        "first: insertions [2]", "last: insertions [2]",
      ])
  }

  @Test func `6.2 beginning a write that advances delivers what is newer first`() throws {
    #expect(
      try notified { kennel, bg in
        try bg.write { try bg.addDog(3) }
        try bg.write {
          try bg.addDog(4)
          try bg.pull(7)
        }
        try kennel.write { kennel.journal.lines.append("written") }
      } == [
        "first: insertions [1]", "writer: change n 0 -> 1",
        // Nested: the first receives what is newer, the writer too, the last both at once.
        "first: insertions [2, 3]", "writer: change n 1 -> 7", "last: insertions [1, 2, 3]",
        "written",
      ])
  }

  @Test func `6.3 in the nested delivery the writer's block cannot begin another write`() throws {
    try withKennel(dogs: 1) { kennel in
      let bg = try kennel.another()
      var errors: [HeraldError] = []
      var calls = 0
      try kennel.observe(kennel.trigger(), as: "writer") {
        calls += 1
        let isNested = calls == 2
        if !isNested { try bg.write { try bg.pull(2) } }
        do {
          try kennel.write { try kennel.addDog(10) }
        } catch let error as HeraldError { errors.append(error) }
        if isNested {
          do { try kennel.pull(9) } catch let error as HeraldError { errors.append(error) }
          try kennel.store.writeAsync { try kennel.addDog(20) }
        }
      }
      try kennel.write { try kennel.pull(1) }
      #expect(try kennel.turn() == ["writer: change n 0 -> 1", "writer: change n 1 -> 2"])
      #expect(errors.first == .writeInProgress)
      #expect(errors.count == 2)
      let ids = try kennel.dogs().objects.map { try $0.value("id") }
      #expect(ids.contains(.int(20)))
      #expect(ids.count == 3)
    }
  }

  @Test func `6.3 nor can another block while the write of one is being begun`() throws {
    try withKennel(dogs: 1) { kennel in
      var errors: [HeraldError] = []
      try kennel.observe(kennel.trigger(), as: "writer") {
        guard try kennel.dogs().count == 1 else { return }
        try kennel.write { try kennel.addDog(2) }
      }
      try kennel.observe(kennel.dog(1), as: "other") {
        do {
          try kennel.write { try kennel.addDog(3) }
        } catch let error as HeraldError { errors.append(error) }
      }
      try kennel.write {
        try kennel.pull(1)
        try kennel.dog(1).set("age", .int(1))
      }
      // The other token is notified before the writer's first statement (6.4).
      #expect(try kennel.turn() == ["writer: change n 0 -> 1", "other: change age 0 -> 1"])
      #expect(errors == [.writeInProgress])
      #expect(try kennel.dogs().count == 2)
    }
  }

  @Test func `6.4 the tokens after the writer are notified before its first statement`() throws {
    #expect(
      try notified { kennel, _ in
        try kennel.write { kennel.journal.lines.append("written") }
      } == [
        "first: insertions [1]", "writer: change n 0 -> 1", "last: insertions [1]", "written",
      ])
  }

  @Test func `6.5 commit and begin by hand may nest deeply; the 65th begin is an error`() throws {
    try withKennel { kennel in
      let bg = try kennel.another()
      var depth = 0
      var deepest = 0
      var errors: [HeraldError] = []
      try kennel.observe(kennel.trigger(), as: "writer") {
        depth += 1
        deepest = max(deepest, depth)
        defer { depth -= 1 }
        guard errors.isEmpty else { return }
        // Another commit each time, so that beginning a write delivers once more.
        try bg.write { try bg.pull(100 + depth) }
        do {
          try kennel.store.beginWrite()
          if kennel.store.isInWrite { try kennel.store.commitWrite() }
        } catch let error as HeraldError { errors.append(error) }
      }
      try kennel.write { try kennel.pull(1) }
      try kennel.store.endTurn()
      #expect(errors.contains(.tooManyNestedWrites(64)))
      #expect(deepest == 65)
      kennel.tokens["writer"]?.invalidate()
      try kennel.write { try kennel.addDog(1) }
      #expect(try kennel.dogs().count == 1)
      try bg.store.refresh()
      #expect(try bg.dogs().count == 1)
    }
  }

  @Test func `6.6 async writes run after the turn, first in, first out, each in its own`() throws {
    #expect(
      try notified { kennel, _ in
        try kennel.store.writeAsync {
          kennel.journal.lines.append("one")
          try kennel.addDog(3)
        }
        try kennel.store.writeAsync {
          kennel.journal.lines.append("two")
          try kennel.addDog(4)
        }
      } == [
        "first: insertions [1]", "writer: change n 0 -> 1", "last: insertions [1]", "one",
        "first: insertions [2]", "last: insertions [2]", "two", "first: insertions [3]",
        "last: insertions [3]",
      ])
  }

  @Test func `6.6 an async write that fails is rolled back and ends the turn with its error`()
    throws
  {
    struct Failure: Error {}
    try withKennel { kennel in
      try kennel.store.writeAsync {
        try kennel.addDog(1)
        throw Failure()
      }
      #expect(throws: Failure.self) { try kennel.store.endTurn() }
      #expect(try kennel.dogs().count == 0)
      #expect(!kennel.store.isInWrite)
    }
  }

  @Test func `5.1 a token may silence itself in its own block`() throws {
    try withKennel { kennel in
      try kennel.observe(kennel.trigger(), as: "writer") {
        try kennel.write(without: ["writer"]) {
          try kennel.pull(7)
          try kennel.addDog(1)
        }
      }
      try kennel.observe(kennel.dogs(), as: "dogs")
      try kennel.store.endTurn()
      _ = kennel.delivered()
      try kennel.write { try kennel.pull(1) }
      #expect(try kennel.turn() == ["writer: change n 0 -> 1", "dogs: insertions [0]"])
      #expect(try kennel.trigger().value("n") == .int(7))
    }
  }
}
