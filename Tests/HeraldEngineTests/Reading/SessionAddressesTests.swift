import HeraldModel
import TestSupport
import Testing

@testable import HeraldEngine

/// The address of a value that was read is noted for the next read, and forgotten as soon as it may not hold any more.
@Suite struct SessionAddressesTests {
  private static let dog = ClassDefinition(
    name: "Dog",
    properties: [
      .init(name: "age", element: .int, isOptional: true), .init(name: "name", element: .string),
      .init(name: "a name that is too long", element: .int, defaultValue: .value(.int(7))),
      .init(name: "born", element: .date, isOptional: true),
      .init(name: "isGood", element: .bool, defaultValue: .value(.bool(true))),
      .init(name: "weight", element: .double, defaultValue: .value(.double(2.5))),
      .init(name: "height", element: .float, defaultValue: .value(.float(0.5))),
      .init(name: "friend", element: .link("Dog")),
    ])

  private let session: Session
  private let dogs: [ObjectID]

  init() throws {
    session = try Session.made(Self.dog)
    let session = session
    dogs = try session.write {
      let dogs = try (1...3).map {
        try session.add("Dog", ("age", .int($0)), ("name", .string("d\($0)")))
      }
      try session.set(dogs[1], ("friend", .link(dogs[0])), ("age", .null))
      return dogs
    }
  }

  /// The value at a noted address, before and after it is read.
  private func noted(_ name: String, _ dog: Int = 0) throws -> [Value?] {
    let before = session.notedValue(named: name, of: dogs[dog])
    _ = try session.value(named: name, of: dogs[dog])
    return [before, session.notedValue(named: name, of: dogs[dog])]
  }

  @Test func `a value is noted when it is read, with those of its block`() throws {
    #expect(try noted("age") == [nil, .int(1)])
    #expect(session.notedValue(named: "age", of: dogs[2]) == .int(3))
    // Nil is not found at an address, nor is what no object has.
    #expect(session.notedValue(named: "age", of: dogs[1]) == nil)
    #expect(session.notedValue(named: "age", of: ObjectID(dogs[0].classID, 9)) == nil)
    #expect(session.notedValue(named: "age", of: ObjectID(dogs[0].classID, 300)) == nil)
    #expect(session.notedValue(named: "age", of: ObjectID(ClassID(9), 1)) == nil)
    #expect(try noted("name", 1) == [nil, .string("d2")])
    #expect(try noted("isGood") == [nil, .bool(true)])
    #expect(try noted("weight") == [nil, .double(2.5)])
    #expect(try noted("height") == [nil, .float(0.5)])
    #expect(try noted("friend", 1) == [nil, .link(dogs[0])])
  }

  @Test func `a property with a long name, a date and one that is unknown are never noted`() throws
  {
    try session.write { try session.set(dogs[0], ("born", .date(Timestamp(seconds: 5)))) }
    #expect(try noted("a name that is too long") == [nil, nil])
    #expect(try session.value(named: "a name that is too long", of: dogs[0]) == .int(7))
    #expect(try noted("born") == [nil, nil])
    #expect(try noted("agee") == [nil, nil])
  }

  @Test func `an object is there, or not, as its block says`() throws {
    #expect(session.notedPresence(of: dogs[0]) == nil)
    #expect(session.exists(dogs[0]))
    #expect(session.notedPresence(of: dogs[2]) == true)
    #expect(session.notedPresence(of: ObjectID(dogs[0].classID, 9)) == false)
    #expect(session.notedPresence(of: ObjectID(dogs[0].classID, 900)) == nil)
    try session.write { try session.delete(dogs[2]) }
    #expect(session.notedPresence(of: dogs[2]) == nil)
    #expect(!session.exists(dogs[2]))
    #expect(session.notedPresence(of: dogs[2]) == false)
  }

  @Test func `no address is used during a write`() throws {
    #expect(try noted("age") == [nil, .int(1)])
    try session.beginWrite(byHand: true)
    #expect(try noted("age") == [nil, nil])
    try session.set(dogs[0], ("age", .int(9)))
    #expect(try noted("age") == [nil, nil])
    try session.rollback()
    #expect(try session.value(named: "age", of: dogs[0]) == .int(1))
    #expect(session.notedValue(named: "age", of: dogs[0]) == .int(1))
  }

  @Test func `a commit that changes the block in place leaves the address`() throws {
    #expect(try noted("age") == [nil, .int(1)])
    try session.write { try session.set(dogs[0], ("age", .int(9))) }
    #expect(session.notedValue(named: "age", of: dogs[0]) == .int(9))
  }

  /// What ends the addresses of a session.
  struct Ending: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let end: @Sendable (Session, ObjectID) throws -> Void
  }

  static let endings = [
    Ending(testDescription: "a commit in a transaction") { session, _ in
      try session.write { try session.delete(try session.objects("Dog")[2]) }
    },
    Ending(testDescription: "a commit of another session") { session, dog in
      let other = try session.sibling()
      try other.write { try other.set(dog, ("age", .int(9))) }
      _ = try session.refresh()
    },
    Ending(testDescription: "another schema") { session, _ in
      try session.write { try session.alter("Dog", [.rename("age", to: "years")]) }
    },
    Ending(testDescription: "closing") { session, _ in session.close() },
    Ending(testDescription: "something frozen that shares the reader") { session, dog in
      let other = try session.sibling()
      try other.write { try other.set(dog, ("age", .int(9))) }
      session.autorefresh = false
      let frozen = try session.freeze()
      #expect(session.position.shared != nil)
      withExtendedLifetime(frozen) {}
    },
    Ending(testDescription: "resting") { session, _ in session.restWithoutObservers() },
  ]

  @Test(arguments: endings)
  func `addresses are forgotten by`(_ ending: Ending) throws {
    #expect(try noted("age") == [nil, .int(1)])
    #expect(session.exists(dogs[0]) && session.notedPresence(of: dogs[0]) == true)
    try ending.end(session, dogs[0])
    #expect(session.notedValue(named: "age", of: dogs[0]) == nil)
    #expect(session.notedPresence(of: dogs[0]) == nil)
  }

  @Test func `a name that becomes that of another property has its values`() throws {
    #expect(try noted("weight") == [nil, .double(2.5)])
    try session.write {
      try session.alter("Dog", [.rename("weight", to: "mass"), .rename("height", to: "weight")])
    }
    #expect(try noted("weight") == [nil, .float(0.5)])
    try session.write {
      try session.alter("Dog", [.change(.init(name: "weight", element: .double))])
    }
    #expect(try noted("weight") == [nil, .double(0.5)])
  }

  @Test(arguments: seeds(3))
  func `many properties of many classes have their own addresses`(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let many = try Session(path: nil, readOnly: false)
    var values: [(ObjectID, String, Int)] = []
    try many.write {
      for classNumber in 0..<12 {
        let names = (0..<10).map { "p\(classNumber * $0 % 17)q\($0)" }
        try many.declare(
          ClassDefinition(
            name: "C\(classNumber)", properties: names.map { .init(name: $0, element: .int) }))
        let numbers = names.map { _ in random.below(1 << 30) }
        let object = try many.add(
          named: "C\(classNumber)", zip(names, numbers).map { ($0, .int($1)) })
        values += zip(names, numbers).map { (object, $0, $1) }
      }
    }
    for _ in 0..<2 {
      for (object, name, number) in values.shuffled(using: &random) {
        #expect(try many.value(named: name, of: object) == .int(number), "seed \(seed)")
        #expect(many.notedValue(named: name, of: object) == .int(number), "seed \(seed)")
      }
    }
    #expect(values.allSatisfy { many.notedValue(named: $1, of: $0) == .int($2) }, "seed \(seed)")
  }
}
