import HeraldMaintenance
import HeraldModel
import HeraldObservation
import TestSupport
import Testing

@testable import HeraldEngine

/// A write is there as a whole or not at all, and a statement that fails changes nothing.
@Suite struct WriteTests {
  private static let dog = ClassDefinition(
    name: "Dog",
    properties: [
      .init(name: "id", element: .int, isPrimaryKey: true),
      .init(name: "age", element: .int, defaultValue: .value(.int(0))),
      .init(name: "friends", element: .link("Dog"), shape: .list),
      .init(name: "tags", element: .string, shape: .set),
      .init(name: "scores", element: .int, shape: .map),
    ])

  /// A store with the dogs 1 and 2.
  private func dogs(at path: String? = nil) throws -> (session: Session, dogs: [ObjectID]) {
    let session = try Session.made(Self.dog, at: path)
    let dogs = try session.write { try (1...2).map { try session.add("Dog", ("id", .int($0))) } }
    return (session, dogs)
  }

  /// A statement that is refused, and why.
  struct Refusal: Sendable, CustomTestStringConvertible {
    let message: String
    let statement: @Sendable (Session, [ObjectID]) throws -> Void

    init(
      _ message: String, _ statement: @escaping @Sendable (Session, [ObjectID]) throws -> Void
    ) {
      (self.message, self.statement) = (message, statement)
    }

    var testDescription: String { message }
  }

  static let refusals: [Refusal] = [
    Refusal("an object of class 'Dog' with id 2 exists already") { session, _ in
      try session.add("Dog", ("age", .int(3)), ("id", .int(2)))
    },
    Refusal("property 'age' of class 'Dog' is int and cannot hold \"x\"") { session, _ in
      try session.add("Dog", ("id", .int(3)), ("age", .string("x")))
    },
    Refusal("property 'id' of class 'Dog' needs a value") { session, _ in
      try session.add("Dog", ("age", .int(3)))
    },
    Refusal("property 'age' of class 'Dog' needs a value") { session, dogs in
      try session.set(dogs[0], ("tags", .list([.string("a")])), ("age", .null))
    },
    Refusal("the primary key 'id' of class 'Dog' cannot change") { session, dogs in
      try session.set(dogs[0], ("age", .int(3)), ("id", .int(7)))
    },
    Refusal("class 'Dog' has no property 'agee'; did you mean 'age'?") { session, dogs in
      try session.set(dogs[0], ("age", .int(3)), ("agee", .int(7)))
    },
    Refusal("class 'Dog' has two properties 'age'") { session, dogs in
      try session.set(dogs[0], ("age", .int(3)), ("age", .int(4)))
    },
    Refusal("the object number 9 of class 'Dog' was deleted") { session, dogs in
      let missing = Value.link(ObjectID(dogs[0].classID, 9))
      try session.edit(dogs[0], "friends", .insert([.link(dogs[1]), missing], at: 0))
    },
    Refusal("row 1 is out of range: there are 0 rows") { session, dogs in
      try session.edit(dogs[0], "friends", .insert([.link(dogs[1])], at: 1))
    },
    Refusal("property 'scores' of class 'Dog' is map<int> and cannot hold [1]") { session, dogs in
      try session.set(dogs[0], ("age", .int(3)), ("scores", .list([.int(1)])))
    },
    Refusal("property 'scores' of class 'Dog' is map<int> and cannot hold \"x\"") { session, dogs in
      try session.set(dogs[0], ("scores", .map(["a": .int(1), "b": .string("x")])))
    },
    Refusal("unknown class 'Dgo'; did you mean 'Dog'?") { session, _ in
      try session.alter("Dgo", [.drop("age")])
    },
  ]

  @Test(arguments: refusals)
  func `a statement that is refused changes nothing, and the write goes on`(
    _ refusal: Refusal
  ) throws {
    let (session, dogs) = try dogs()
    let text = try session.changes {
      try session.set(dogs[1], ("age", .int(1)))
      let before = session.openChanges
      #expect(errorText { try refusal.statement(session, dogs) } == refusal.message)
      #expect(session.openChanges == before)
      try session.edit(dogs[1], "tags", .insertValue(.string("b")))
    }
    #expect(text == "Dog#2.age was 0\nDog#2.tags inserted [\"b\"], removed []")
    #expect(session.check() == [])
  }

  @Test(arguments: [false, true])
  func `a block that throws leaves nothing but the numbers that it used`(isFile: Bool) throws {
    try withFolder { folder in
      let (session, dogs) = try dogs(at: isFile ? "\(folder)/a.hdb" : nil)
      let version = session.version
      let text = errorText {
        try session.write {
          let added = try session.add("Dog", ("id", .int(3)))
          try session.set(dogs[0], ("friends", .list([.link(added)])), ("age", .int(9)))
          try session.delete(dogs[1])
          throw HeraldError.interrupted
        }
      }
      #expect(text == "interrupted")
      #expect(session.version == version && !session.isInWrite)
      #expect(try session.objects("Dog") == dogs)
      #expect(try session.read("age", of: dogs[0]) == .int(0))
      #expect(try session.read("friends", of: dogs[0]) == .list([]))
      #expect(
        try session.changes { try session.add("Dog", ("id", .int(3))) } == "Dog: created [4]")
      #expect(session.check() == [])
    }
  }

  @Test(arguments: [false, true])
  func `an outcome is that of objects which the open write has added`(
    isRolledBack: Bool
  ) throws {
    let (session, dogs) = try dogs()
    try session.beginWrite(byHand: true)
    let added = try session.add("Dog", ("id", .int(3)))
    let outcome = try #require(session.outcomeOfAdding(of: added))
    #expect(session.outcomeOfAdding(of: dogs[0]) == nil)
    if isRolledBack { try session.rollback() } else { try session.commit() }
    #expect(outcome.isRolledBack == isRolledBack)
    #expect(session.outcomeOfAdding(of: added) == nil)
  }

  @Test func `a block may end its write itself`() throws {
    let (session, dogs) = try dogs()
    let version = session.version
    try session.write {
      try session.set(dogs[0], ("age", .int(1)))
      try session.commit()
    }
    #expect(session.version == version + 1)
    try session.write {
      try session.set(dogs[0], ("age", .int(2)))
      try session.rollback()
    }
    #expect(session.version == version + 1)
    #expect(try session.read("age", of: dogs[0]) == .int(1))
  }

  @Test func `an error of what a session may not do names the reason`() throws {
    try withFolder { folder in
      let (session, dogs) = try dogs(at: "\(folder)/a.hdb")
      let set = { (session: Session) in errorText { try session.set(dogs[0], ("age", .int(1))) } }
      #expect(set(session) == "a change needs a write transaction")
      #expect(errorText { try session.commit() } == "no transaction is open; begin one first")
      #expect(errorText { try session.rollback() } == "no transaction is open; begin one first")
      let reader = try Session(path: "\(folder)/a.hdb", readOnly: true)
      #expect(set(reader) == "the store is read-only")
      #expect(errorText { try reader.write {} } == "the store is read-only")
      #expect(set(try session.freeze()) == "frozen objects and results cannot be changed")
      try session.beginWrite(byHand: true)
      #expect(errorText { try session.write {} } == "a write is already in progress")
      let other = try session.sibling()
      #expect(
        errorText { try other.write(waiting: false) {} }
          == "another session has a write transaction open")
      session.close()
      #expect(set(session) == "the store is closed")
      #expect(errorText { try session.write {} } == "the store is closed")
      #expect(try other.write(waiting: false) { 7 } == 7)
    }
  }

  @Test func `a write whose record needs more memory than the limit is refused`() throws {
    let (session, dogs) = try dogs()
    try session.write {
      try session.set(dogs[0], ("tags", .list([.string(String(repeating: "x", count: 3 << 20))])))
    }
    session.writeLimit = 2 << 20
    let version = session.version
    let text = errorText { try session.write { try session.delete(dogs[0]) } }
    #expect(
      text == "this write needs more than 2097152 bytes of memory, and was rolled back: split it "
        + "into several, or raise the limit with '--max-write'")
    #expect(session.version == version && !session.isInWrite)
    #expect(try session.objects("Dog") == dogs)
  }

  @Test func `what follows one another in small writes is as in one`() throws {
    // In memory a write begins with the memory of the last one, if that has only set values.
    let (session, dogs) = try dogs()
    for age in 1...20 {
      try session.write { try session.set(dogs[age % 2], ("age", .int(age))) }
      if age % 5 == 0 { _ = try session.write { try session.add("Dog", ("id", .int(100 + age))) } }
      if age % 7 == 0 {
        let text = errorText {
          try session.write {
            try session.set(dogs[0], ("age", .int(-1)))
            throw HeraldError.interrupted
          }
        }
        #expect(text == "interrupted")
      }
      #expect(try session.read("age", of: dogs[age % 2]) == .int(age))
    }
    #expect(try session.read("age", of: dogs[1]) == .int(19))
    #expect(try session.objects("Dog").map(\.number) == [1, 2, 3, 4, 5, 6])
    #expect(session.check() == [])
  }
}
