import HeraldMaintenance
import HeraldModel
import HeraldQuery
import HeraldStorage
import Testing

@testable import HeraldEngine

/// A check of the store finds what does not fit together, and names it.
@Suite struct SessionCheckTests {
  private static let dog = ClassDefinition(
    name: "Dog",
    properties: [
      .init(name: "id", element: .int, isPrimaryKey: true),
      .init(name: "age", element: .int, isIndexed: true),
      .init(name: "name", element: .string), .init(name: "friend", element: .link("Dog")),
    ])

  private let session: Session
  private let dogs: [ObjectID]

  init() throws {
    session = try Session.made(Self.dog)
    let session = session
    dogs = try session.write {
      try (1...2).map {
        try session.add("Dog", ("id", .int($0)), ("age", .int(5)), ("name", .string("d")))
      }
    }
  }

  /// Damages the store behind the engine's back.
  private func damage(_ body: (OpenWrite, (String) throws -> Layout.Column) throws -> Void) throws {
    let (session, dogs) = (session, dogs)
    try session.write {
      let write = try session.open
      try body(write) { name in
        try #require(
          write.reader.layout.column(session.property(name, of: dogs[0]).id, of: dogs[0].classID))
      }
    }
  }

  @Test func `an intact store has no problems`() { #expect(session.check() == []) }

  @Test func `an entry of an index that is missing, and one too many`() throws {
    try damage { write, column in
      let age = try column("age")
      try write.transaction.removeFromIndex(age.id, .integer(5), 1)
    }
    #expect(
      session.check() == [
        "the index of Dog.age has [2] for int(5), not [1, 2]",
        "the index of Dog.age has 1 entries, not 2",
      ])
    try damage { write, column in
      let age = try column("age")
      try write.transaction.addToIndex(age.id, .integer(5), 1)
      try write.transaction.addToIndex(age.id, .integer(7), 1)
    }
    #expect(session.check() == ["the index of Dog.age has 3 entries, not 2"])
  }

  @Test func `two objects with one key`() throws {
    try damage { write, column in
      let id = try column("id")
      try write.transaction.setInteger(id.id, 2, 1)
      try write.transaction.removeFromIndex(id.id, .integer(2), 2)
      try write.transaction.addToIndex(id.id, .integer(1), 2)
    }
    #expect(session.check() == ["Dog.id int(1) is not unique"])
  }

  @Test func `a required value that is nil`() throws {
    try damage { write, column in
      try write.transaction.set(column("name").id, .bytes, 2, .null)
    }
    #expect(session.check() == ["Dog#2.name is nil"])
  }

  @Test func `a link to nothing, and links without their reverse`() throws {
    try damage { write, column in
      let friend = try column("friend")
      try write.transaction.setInteger(friend.id, 1, 9)
    }
    #expect(
      session.check() == [
        "Dog.friend links to Dog#9, which is deleted",
        "reverse links of Dog.friend to Dog#9 are [:], not [1: 1]",
      ])
    try damage { write, column in
      let friend = try column("friend")
      try write.transaction.set(friend.id, .integers, 1, .null)
      try write.transaction.addLink(
        from: 2, through: friend.id, toClass: dogs[0].classID.rawValue, number: 1)
    }
    #expect(session.check() == ["reverse links of Dog.friend to Dog#1 are [2: 1], not [:]"])
  }

  @Test func `what a dropped property has left behind`() throws {
    try damage { write, _ in
      let column = ColumnID(classID: dogs[0].classID.rawValue, propertyID: 9)
      try write.transaction.setInteger(column, 1, 7)
    }
    #expect(session.check() == ["column 1.9 belongs to no property"])
  }

  @Test func `a query that names an object which is gone`() throws {
    try session.write {
      try session.define(
        QueryDefinition(name: "Friends", origin: "Dog", clauses: "where friend == Dog#2"))
    }
    #expect(session.check() == [])
    try session.write { try session.delete(dogs[1]) }
    #expect(session.check() == ["query 'Friends' names Dog#2, which does not exist"])
  }

  @Test func `an interruption ends a check with the problems found so far`() throws {
    try damage { write, column in
      try write.transaction.set(column("name").id, .bytes, 2, .null)
    }
    let interruption = Interruption()
    session.interruption = interruption
    interruption.request()
    #expect(session.check() == [])
    interruption.clear()
    #expect(session.check() == ["Dog#2.name is nil"])
  }
}
