import Herald
import Testing

@testable import TestModel

/// Observation §4: change sets of results.
@Suite struct ChangeSetRuleTests {
  /// Eight dogs, whose ages are ten times their number, observed by a query; what the token is
  /// delivered after the commits, which others make, so that they are coalesced.
  private func notified(
    _ query: String, depth: Int? = nil, _ commits: [(Kennel) throws -> Void]
  ) throws -> [String] {
    var lines: [String] = []
    try withKennel(dogs: 8) { kennel in
      try kennel.write { for id in 1...8 { try kennel.dog(id).set("age", .int(id * 10)) } }
      try kennel.observe(kennel.dogs(query), as: "t", depth: depth)
      try kennel.store.endTurn()
      _ = kennel.delivered()
      let bg = try kennel.another()
      for commit in commits { try bg.write { try commit(bg) } }
      lines = try kennel.turn()
    }
    return lines
  }

  @Test func `4.1 rows are reported in the order of their collections`() throws {
    #expect(
      try notified(
        "where age < 65",
        [
          {
            try $0.store.delete($0.dog(4))
            try $0.dog(6).set("age", .int(66))
            try $0.store.delete($0.dog(1))
            try $0.dog(8).set("age", .int(1))
            try $0.dog(5).set("age", .int(2))
            try $0.dog(2).set("age", .int(3))
            try $0.addDog(9)
          }
        ]) == ["t: deletions [0, 3, 5] insertions [3, 4] modifications [1->0, 4->2]"])
  }

  @Test func `4.4 inserted and deleted is no change`() throws {
    #expect(try notified("", [{ try $0.addDog(9) }, { try $0.store.delete($0.dog(9)) }]) == [])
  }

  @Test func `4.4 modified and deleted is a deletion`() throws {
    #expect(
      try notified(
        "", [{ try $0.dog(3).set("age", .int(1)) }, { try $0.store.delete($0.dog(3)) }]) == [
          "t: deletions [2]"
        ])
  }

  @Test func `4.4 inserted and modified is an insertion`() throws {
    #expect(
      try notified("", [{ try $0.addDog(9) }, { try $0.dog(9).set("age", .int(1)) }]) == [
        "t: insertions [8]"
      ])
  }

  @Test func `4.4 deleted and another inserted there is never a modification`() throws {
    #expect(
      try notified(
        "sort(age)",
        [
          {
            try $0.store.delete($0.dog(3))
            try $0.addDog(9, [("age", .value(.int(30)))])
          }
        ]) == ["t: deletions [2] insertions [2]"])
  }

  @Test func `4.4 a modification enters or leaves the filter`() throws {
    #expect(
      try notified(
        "where age > 45",
        [
          {
            try $0.dog(2).set("age", .int(99))
            try $0.dog(7).set("age", .int(1))
          }
        ]) == ["t: deletions [2] insertions [0]"])
  }

  @Test func `4.4 leaving and re-entering the filter is a modification`() throws {
    #expect(
      try notified(
        "where age > 45",
        [{ try $0.dog(7).set("age", .int(1)) }, { try $0.dog(7).set("age", .int(70)) }]) == [
          "t: modifications [2]"
        ])
  }

  @Test func `4.4 a link to a deleted object becomes nil: a modification of the row`() throws {
    try withKennel(dogs: 2) { kennel in
      try kennel.write {
        let person = try kennel.addPerson(1)
        try kennel.dog(2).set("owner", .link(person.id))
      }
      try kennel.observe(kennel.dogs(), as: "dogs")
      try kennel.observe(kennel.dog(2), as: "rex")
      try kennel.store.endTurn()
      _ = kennel.delivered()
      let person = try kennel.person(1)
      try kennel.write { try kennel.store.delete(person) }
      #expect(
        try kennel.turn() == [
          "dogs: modifications [1]", "rex: change owner \(person.id.literal) -> nil",
        ])
    }
  }

  @Test func `4.5 an equal value, and a value set back, is no change`() throws {
    #expect(
      try notified(
        "sort(age)",
        [
          {
            try $0.dog(3).set("age", .int(30))
            try $0.dog(4).set("age", .int(1))
            try $0.dog(4).set("age", .int(40))
            try $0.dog(5).collection("tags").append([.string("x")])
            try $0.dog(5).collection("tags").removeAll()
          }
        ]) == [])
  }

  @Test func `4.5 coalesced commits are not compared end to end`() throws {
    try withKennel(dogs: 1) { kennel in
      let bg = try kennel.another()
      try kennel.observe(kennel.dogs(), as: "dogs")
      try kennel.observe(kennel.dog(1), as: "max")
      try kennel.store.endTurn()
      _ = kennel.delivered()
      try bg.write { try bg.dog(1).set("age", .int(2)) }
      try bg.write { try bg.dog(1).set("age", .int(0)) }
      #expect(try kennel.turn() == ["dogs: modifications [0]", "max: change age 0 -> 0"])
    }
  }

  @Test func `4.6 a moved row is a deletion and an insertion, and a pair`() throws {
    #expect(
      try notified(
        "sort(age)",
        [
          {
            try $0.dog(2).set("age", .int(65))
            try $0.dog(3).set("name", .string("x"))
          }
        ]) == ["t: deletions [1] insertions [5] modifications [2->1] moves [1->5]"])
  }

  @Test func `4.6 rows whose sort values did not change never move`() throws {
    // Moving only the third row would be less, had the others not been what changed.
    #expect(
      try notified(
        "sort(age)",
        [
          {
            try $0.dog(1).set("age", .int(33))
            try $0.dog(2).set("age", .int(34))
          }
        ]) == ["t: deletions [0, 1] insertions [1, 2] moves [0->1, 1->2]"])
  }

  @Test func `4.6 among equally small sets the rows with the lowest old positions stay`() throws {
    #expect(
      try notified(
        "sort(age)",
        [
          {
            try $0.dog(3).set("age", .int(41))
            try $0.dog(4).set("age", .int(31))
          }
        ]) == ["t: deletions [3] insertions [2] modifications [2->3] moves [3->2]"])
  }

  @Test func `4.6 a row keeps its position when a deleted link leaves its key unchanged`() throws {
    try withKennel(dogs: 2) { kennel in
      try kennel.write {
        let boss = try kennel.addPerson(2, [("name", .value(.string("z")))])
        try kennel.addPerson(3, [("boss", .value(.link(boss.id)))])
        // Sorted by nil, before and after: by the missing boss of an owner, who is then deleted.
        try kennel.dog(2).set("owner", .link(try kennel.addPerson(1).id))
      }
      try kennel.observe(kennel.dogs("sort(owner.boss.name)"), as: "t")
      try kennel.store.endTurn()
      _ = kennel.delivered()
      try kennel.write {
        try kennel.store.delete(try kennel.person(1))
        try kennel.dog(1).set("owner", .link(try kennel.person(3).id))
      }
      #expect(
        try kennel.turn() == ["t: deletions [0] insertions [1] modifications [1->0] moves [0->1]"])
    }
  }

  @Test func `4.8 nil comes first ascending and last descending, ties by creation`() throws {
    try withKennel(dogs: 4) { kennel in
      try kennel.write {
        try kennel.dog(1).set("toy", .string("b"))
        try kennel.dog(3).set("toy", .string("b"))
        try kennel.dog(4).set("toy", .string("a"))
      }
      func ids(_ query: String) throws -> [Value] {
        try kennel.dogs(query).objects.map { try $0.value("id") }
      }
      #expect(try ids("sort(toy asc)") == [.int(2), .int(4), .int(1), .int(3)])
      #expect(try ids("sort(toy desc)") == [.int(1), .int(3), .int(4), .int(2)])
      #expect(try ids("sort(id desc) sort(toy)") == [.int(2), .int(4), .int(3), .int(1)])
      #expect(try ids("sort(id desc) distinct(toy)") == [.int(4), .int(3), .int(2)])
      #expect(try ids("limit(3) distinct(toy)") == [.int(1), .int(2)])
      #expect(try ids("distinct(toy) limit(3)") == [.int(1), .int(2), .int(4)])
    }
  }

  @Test func `4.4 what was added and deleted in between is no row, whoever linked to it`() throws {
    try withKennel { kennel in
      try kennel.store.declare(
        ClassDefinition(
          name: "Toy",
          properties: [.init(name: "boxes", element: .link("Box"), shape: .backlinks("toys"))]))
      try kennel.store.declare(
        ClassDefinition(
          name: "Box", properties: [.init(name: "toys", element: .link("Toy"), shape: .list)]))
      let bg = try kennel.another()
      let box = try bg.write { try bg.store.add("Box", []) }
      let (tail, _) = try QueryParser.parseTail(Array("where boxes.@count <= 2".utf8), from: 0)
      let toys = try kennel.store.results("Toy", tail, names: NoNames())
      try kennel.observe(toys, as: "toys")
      #expect(try kennel.turn() == ["toys: initial 0"])
      let toy = try bg.write { try bg.store.add("Toy", []) }
      try bg.write { try box.collection("toys").append([.link(toy.id)]) }
      try bg.write { try bg.store.delete(toy) }
      #expect(try kennel.turn() == [])
      #expect(try toys.count == 0)
    }
  }

  @Test func `4.9 a limit deletes what is pushed over its edge and inserts what is pulled`() throws
  {
    #expect(
      try notified(
        "sort(age desc) limit(3)",
        [{ try $0.addDog(9, [("age", .value(.int(75)))]) }]) == [
          "t: deletions [2] insertions [1]"
        ])
    #expect(
      try notified("sort(age desc) limit(3)", [{ try $0.store.delete($0.dog(8)) }]) == [
        "t: deletions [0] insertions [2]"
      ])
    #expect(try notified("sort(age desc) limit(3)", [{ try $0.dog(1).set("age", .int(3)) }]) == [])
    #expect(try notified("limit(0)", [{ try $0.addDog(9) }]) == [])
  }
}
