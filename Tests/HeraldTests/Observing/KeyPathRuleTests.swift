import Herald
import Testing

@testable import TestModel

/// Observation §3: key paths.
@Suite struct KeyPathRuleTests {
  /// Dog 1 belongs to person 1, whose boss is person 2; dogs 2 and 3 are its siblings.
  private func withFamily(_ body: (Kennel) throws -> Void) throws {
    try withKennel(dogs: 4) { kennel in
      try kennel.write {
        let boss = try kennel.addPerson(2)
        let owner = try kennel.addPerson(1, [("boss", .value(.link(boss.id)))])
        try kennel.dog(1).set("owner", .link(owner.id))
        try kennel.dog(1).collection("siblings").append(try kennel.links([2, 3]))
      }
      try body(kennel)
    }
  }

  private func after(_ kennel: Kennel, _ body: () throws -> Void) throws -> [String] {
    try kennel.write(body)
    return try kennel.turn()
  }

  @Test func `3.1 an unknown name is an error that names class, step and nearest name`() throws {
    try withFamily { kennel in
      #expect(throws: HeraldError.unknownProperty("nmae", className: "Dog", nearest: "name")) {
        try kennel.observe(kennel.dogs(), as: "t", keyPaths: ["nmae"])
      }
      #expect(throws: HeraldError.unknownProperty("bos", className: "Person", nearest: "boss")) {
        try kennel.observe(kennel.dog(1), as: "t", keyPaths: ["owner.bos.name"])
      }
      #expect(throws: HeraldError.notALink(property: "age", className: "Dog", next: "name")) {
        try kennel.observe(kennel.dog(1), as: "t", keyPaths: ["age.name"])
      }
      #expect(throws: HeraldError.keyPathsOnValues("tags")) {
        try kennel.observe(kennel.dog(1).collection("tags"), as: "t", keyPaths: ["name"])
      }
      #expect(kennel.tokens.isEmpty)
    }
  }

  @Test func `3.1 a star matches every own property of its level`() throws {
    try withFamily { kennel in
      try kennel.observe(kennel.dogs("where id == 1"), as: "all", keyPaths: ["*"])
      try kennel.observe(kennel.dogs("where id == 1"), as: "owner", keyPaths: ["owner.*"])
      try kennel.store.endTurn()
      _ = kennel.delivered()
      #expect(
        try after(kennel) { try kennel.dog(1).set("toy", .string("x")) } == [
          "all: modifications [0]"
        ])
      #expect(
        try after(kennel) { try kennel.person(1).set("name", .string("x")) } == [
          "owner: modifications [0]"
        ])
      #expect(try after(kennel) { try kennel.person(2).set("name", .string("x")) } == [])
    }
  }

  @Test func `3.2 every step of a path counts, at that exact position`() throws {
    try withFamily { kennel in
      try kennel.observe(kennel.dogs(), as: "dogs", keyPaths: ["owner.boss.name"])
      try kennel.store.endTurn()
      _ = kennel.delivered()
      #expect(try after(kennel) { try kennel.dog(1).set("name", .string("x")) } == [])
      #expect(try after(kennel) { try kennel.person(1).set("name", .string("x")) } == [])
      let received = ["dogs: modifications [0]"]
      #expect(try after(kennel) { try kennel.person(2).set("name", .string("x")) } == received)
      #expect(try after(kennel) { try kennel.person(1).set("boss", .null) } == received)
      #expect(try after(kennel) { try kennel.person(2).set("name", .string("y")) } == [])
      #expect(try after(kennel) { try kennel.dog(1).set("owner", .null) } == received)
    }
  }

  @Test func `3.2 the target of the last step is not entered`() throws {
    try withFamily { kennel in
      try kennel.observe(kennel.dog(1), as: "list", keyPaths: ["siblings"], isExclusive: true)
      try kennel.observe(kennel.dog(1), as: "in", keyPaths: ["siblings.name"], isExclusive: true)
      #expect(
        try after(kennel) { try kennel.dog(2).set("name", .string("x")) } == [
          "in: change siblings"
        ])
      #expect(try after(kennel) { try kennel.dog(2).set("age", .int(3)) } == [])
      let received = ["list: change siblings", "in: change siblings"]
      let siblings = try kennel.dog(1).collection("siblings")
      #expect(try after(kennel) { try siblings.append(try kennel.links([4])) } == received)
      #expect(
        try after(kennel) { try siblings.replace(at: 0, with: try kennel.link(4)) } == received)
      #expect(try after(kennel) { try siblings.remove(at: 0) } == received)
    }
  }

  @Test func `3.3 key paths restrict modifications only`() throws {
    try withFamily { kennel in
      let siblings = try kennel.dog(1).collection("siblings")
      try kennel.observe(siblings, as: "none", keyPaths: [])
      try kennel.observe(siblings, as: "age", keyPaths: ["age"])
      try kennel.store.endTurn()
      _ = kennel.delivered()
      #expect(try after(kennel) { try kennel.dog(2).set("name", .string("x")) } == [])
      #expect(
        try after(kennel) { try kennel.dog(2).set("age", .int(3)) } == ["age: modifications [0]"])
      #expect(
        try after(kennel) { try siblings.replace(at: 1, with: try kennel.link(4)) } == [
          "none: modifications [1]", "age: modifications [1]",
        ])
      #expect(
        try after(kennel) {
          try siblings.remove(at: 0)
          try siblings.append(try kennel.links([3]))
        } == ["none: deletions [0] insertions [1]", "age: deletions [0] insertions [1]"])
    }
  }

  @Test func `3.3 none on an object keeps just the deletion`() throws {
    try withFamily { kennel in
      try kennel.observe(kennel.dog(1), as: "none", keyPaths: [])
      try kennel.observe(kennel.dog(1), as: "age", keyPaths: ["age"])
      #expect(
        try after(kennel) { try kennel.dog(1).set("age", .int(3)) } == ["age: change age 0 -> 3"])
      #expect(
        try after(kennel) { try kennel.store.delete(try kennel.dog(1)) } == [
          "none: deleted", "age: deleted",
        ])
    }
  }

  @Test func `3.5 tokens with key paths on one object of a session share them`() throws {
    try withFamily { kennel in
      let bg = try kennel.another()
      try kennel.observe(kennel.dog(1), as: "name", keyPaths: ["name"])
      try kennel.observe(kennel.dog(1), as: "age", keyPaths: ["age"], isExclusive: true)
      try kennel.observe(kennel.dog(1), as: "toy", keyPaths: ["toy"])
      try kennel.observe(kennel.dog(1), as: "none", keyPaths: [])
      try kennel.observe(kennel.dog(1), as: "any")
      try kennel.observe(kennel.dog(2), as: "other", keyPaths: ["name"])
      try bg.observe(bg.dog(1), as: "far", keyPaths: ["tags"])
      #expect(
        try after(kennel) { try kennel.dog(1).set("toy", .string("x")) } == [
          "name: change toy nil -> \"x\"", "toy: change toy nil -> \"x\"",
          "any: change toy nil -> \"x\"",
        ])
      #expect(
        try after(kennel) { try kennel.dog(1).set("age", .int(3)) } == [
          "age: change age 0 -> 3", "any: change age 0 -> 3",
        ])
      #expect(try bg.turn() == [])
    }
  }

  @Test func `3.6 an object token names the roots of the paths that matched`() throws {
    try withFamily { kennel in
      try kennel.observe(
        kennel.dog(1), as: "t", keyPaths: ["owner.name", "age", "siblings.toy"])
      #expect(
        try after(kennel) {
          try kennel.dog(1).set("name", .string("M"))
          try kennel.dog(1).set("age", .int(4))
          try kennel.dog(2).set("toy", .string("x"))
        } == ["t: change age 0 -> 4, siblings"])
      let owner = try kennel.person(1).id
      #expect(
        try after(kennel) { try kennel.dog(1).set("owner", .null) } == [
          "t: change owner \(owner.literal) -> nil"
        ])
      try kennel.write { try kennel.dog(1).set("owner", .link(owner)) }
      _ = try kennel.turn()
      try kennel.write { try kennel.person(1).set("name", .string("x")) }
      #expect(try kennel.turn() == ["t: change owner"])
    }
  }
}
