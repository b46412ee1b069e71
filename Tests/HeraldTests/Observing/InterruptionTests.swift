import Herald
import HeraldQuery
import Testing

/// What takes long through the library, stopped: nothing comes of it.
@Suite struct InterruptionTests {
  private let interruption = Interruption()

  private func withDogs(_ body: (Kennel) throws -> Void) throws {
    try withKennel { kennel in
      try kennel.write {
        for id in 1...600 { try kennel.addDog(id, [("age", .value(.int(id % 9)))]) }
      }
      kennel.store.interruption = interruption
      try body(kennel)
    }
  }

  @Test(arguments: [0, 1, 300, 600, 601, 602, 900])
  func `an alter that is stopped, also in a write begun by hand, leaves no write`(
    questions: Int
  ) throws {
    try withDogs { kennel in
      let store = kennel.store
      let schema = store.schema
      try store.beginWrite()
      try kennel.dog(1).set("age", .int(77))
      interruption.request(afterChecks: questions)
      #expect(throws: HeraldError.interrupted) {
        try store.alter(
          "Dog", [.change(.init(name: "age", element: .string)), .drop("tags"), .drop("toy")])
      }
      interruption.clear()
      // The check of all objects changes nothing: only later everything is rolled back.
      if store.isInWrite { try store.rollbackWrite() }
      #expect(store.schema == schema)
      #expect(try kennel.dog(1).value("age") == .int(1))
      #expect(try kennel.dogs("where age == 1").count == 67)
      #expect(throws: HeraldError.interrupted) {
        try store.alter("Person", [.drop("dogs")])
        interruption.request(afterChecks: questions / 2)
        try store.drop("Dog")
      }
      interruption.clear()
    }
  }

  @Test func `a first call that is stopped is still pending, and the others are delivered`() throws
  {
    try withDogs { kennel in
      let store = kennel.store
      try kennel.observe(try kennel.dogs("where id < 3 sort(age)"), as: "old")
      #expect(try kennel.turn() == ["old: initial 2"])
      try kennel.observe(try kennel.dogs("where age + id > 3 sort(toy)"), as: "new")
      #expect(kennel.tokens["new"]?.awaitsInitial == true)
      interruption.request(afterChecks: 2)
      #expect(throws: HeraldError.interrupted) { try store.endTurn() }
      #expect(kennel.tokens["new"]?.awaitsInitial == true)
      #expect(kennel.delivered() == [])
      // What is not a first scan is not stopped.
      interruption.clear()
      kennel.tokens["new"]?.invalidate()
      try kennel.write { try kennel.dog(2).set("age", .int(100)) }
      interruption.request()
      #expect(try kennel.turn() == ["old: modifications [1]"])
      interruption.clear()
      try kennel.observe(try kennel.dogs("where age + id > 3 sort(toy)"), as: "again")
      #expect(try kennel.turn() == ["again: initial 599"])
    }
  }

  @Test func `what a write deletes of results can be stopped`() throws {
    try withDogs { kennel in
      interruption.request(afterChecks: 200)
      #expect(throws: HeraldError.interrupted) {
        try kennel.write { try kennel.store.delete(try kennel.dogs()) }
      }
      interruption.clear()
      let left = try kennel.dogs().count
      #expect(left == 600)
    }
  }
}
