import Herald
import Testing

/// Observation §4: change sets of lists.
@Suite struct ListRuleTests {
  /// Ten tags, "0" to "9", observed; what the token receives after coalesced commits.
  private func notified(_ commits: ((LiveCollection) throws -> Void)...) throws -> [String] {
    var lines: [String] = []
    try withKennel(dogs: 1) { kennel in
      try kennel.write {
        try kennel.dog(1).collection("tags").append((0..<10).map { .string("\($0)") })
      }
      try kennel.observe(kennel.dog(1).collection("tags"), as: "t")
      try kennel.store.endTurn()
      _ = kennel.delivered()
      let bg = try kennel.another()
      for commit in commits { try bg.write { try commit(bg.dog(1).collection("tags")) } }
      lines = try kennel.turn()
    }
    return lines
  }

  @Test func `4.1 several rows appended are one change set`() throws {
    #expect(
      try notified { try $0.append([.string("a"), .string("b")]) } == ["t: insertions [10, 11]"])
  }

  @Test func `4.3 elements are followed by the operations done`() throws {
    #expect(
      try notified {
        try $0.remove(at: 7)
        try $0.remove(at: 5)
        try $0.remove(at: 3)
      } == ["t: deletions [3, 5, 7]"])
    #expect(
      try notified {
        try $0.remove(at: 5)
        try $0.replace(at: 5, with: .string("x"))
      } == ["t: deletions [5] modifications [6->5]"])
  }

  @Test func `4.4 a list element replaced is a modification`() throws {
    #expect(try notified { try $0.replace(at: 2, with: .string("x")) } == ["t: modifications [2]"])
  }

  @Test func `4.4 an element moved away and back is no change`() throws {
    #expect(try notified({ try $0.move(from: 6, to: 1) }, { try $0.move(from: 1, to: 6) }) == [])
  }

  @Test func `4.4 an element removed and put in again is a deletion and an insertion`() throws {
    #expect(
      try notified {
        try $0.remove(at: 2)
        try $0.insert([.string("2")], at: 2)
      } == ["t: deletions [2] insertions [2]"])
  }

  @Test func `4.4 a list cleared and filled deletes every old row`() throws {
    #expect(
      try notified {
        try $0.removeAll()
        try $0.append([.string("0"), .string("1")])
      } == ["t: deletions [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] insertions [0, 1]"])
  }

  @Test func `4.4 a whole list assigned is as cleared and filled`() throws {
    #expect(
      try notified { try $0.owner.set("tags", to: .list([.string("0")])) } == [
        "t: deletions [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] insertions [0]"
      ])
  }

  @Test func `4.4 a list changed and changed back: the object token receives nothing`() throws {
    try withKennel(dogs: 1) { kennel in
      try kennel.write { try kennel.dog(1).collection("tags").append([.string("a")]) }
      try kennel.observe(kennel.dog(1), as: "max")
      try kennel.observe(kennel.dogs(), as: "dogs")
      try kennel.store.endTurn()
      _ = kennel.delivered()
      try kennel.write {
        let tags = try kennel.dog(1).collection("tags")
        try tags.remove(at: 0)
        try tags.append([.string("a")])
      }
      #expect(try kennel.turn() == [])
    }
  }

  @Test func `4.4 a deleted object leaves every row that it had`() throws {
    try withKennel(dogs: 4) { kennel in
      try kennel.write {
        try kennel.dog(1).collection("siblings").append(try kennel.links([2, 3, 2, 4]))
      }
      try kennel.observe(kennel.dog(1).collection("siblings"), as: "t")
      try kennel.store.endTurn()
      _ = kennel.delivered()
      try kennel.write { try kennel.store.delete(try kennel.dog(2)) }
      #expect(try kennel.turn() == ["t: deletions [0, 2]"])
      #expect(try kennel.dog(1).collection("siblings").values == (try kennel.links([3, 4])))
    }
  }

  @Test func `4.5 an element replaced and replaced back in one commit is no change`() throws {
    #expect(
      try notified {
        try $0.replace(at: 5, with: .string("x"))
        try $0.replace(at: 5, with: .string("5"))
      } == [])
    #expect(
      try notified(
        { try $0.replace(at: 5, with: .string("x")) },
        { try $0.replace(at: 5, with: .string("5")) }) == ["t: modifications [5]"])
  }

  @Test func `4.6 the moved elements are the fewest, those that an operation moved`() throws {
    #expect(
      try notified {
        try $0.move(from: 1, to: 5)
        try $0.move(from: 2, to: 7)
      } == ["t: deletions [1, 3] insertions [4, 7] moves [1->4, 3->7]"])
    #expect(
      try notified { try $0.move(from: 4, to: 5) } == [
        "t: deletions [4] insertions [5] moves [4->5]"
      ])
    #expect(
      try notified { try $0.move(from: 5, to: 4) } == [
        "t: deletions [5] insertions [4] moves [5->4]"
      ])
  }

  @Test func `4.6 an element moved and replaced is a deletion and an insertion`() throws {
    #expect(
      try notified {
        try $0.move(from: 5, to: 0)
        try $0.replace(at: 0, with: .string("x"))
      } == ["t: deletions [5] insertions [0]"])
  }

  @Test func `4.8 a duplicate is reported at each of its rows`() throws {
    try withKennel(dogs: 3) { kennel in
      try kennel.write {
        try kennel.dog(1).collection("siblings").append(try kennel.links([2, 3, 2]))
      }
      try kennel.observe(kennel.dog(1).collection("siblings"), as: "t")
      try kennel.store.endTurn()
      _ = kennel.delivered()
      try kennel.write { try kennel.dog(2).set("age", .int(1)) }
      #expect(try kennel.turn() == ["t: modifications [0, 2]"])
    }
  }

  @Test func `4.8 a query over a list keeps its order and its duplicates`() throws {
    try withKennel(dogs: 3) { kennel in
      try kennel.write {
        for id in 1...3 { try kennel.dog(id).set("age", .int(id % 2)) }
        try kennel.dog(1).collection("siblings").append(try kennel.links([3, 2, 1, 3]))
      }
      let list = try kennel.dog(1).collection("siblings")
      func ids(_ query: String) throws -> [Value] {
        let (tail, _) = try QueryParser.parseTail(Array(query.utf8), from: 0)
        return try kennel.store.results(of: list, tail, names: NoNames()).objects
          .map { try $0.value("id") }
      }
      #expect(try ids("where age == 1") == [.int(3), .int(1), .int(3)])
      #expect(try ids("sort(age)") == [.int(2), .int(3), .int(1), .int(3)])
      #expect(try ids("sort(age desc) limit(2)") == [.int(3), .int(1)])
    }
  }
}
