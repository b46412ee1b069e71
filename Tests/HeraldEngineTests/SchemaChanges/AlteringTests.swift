import HeraldMaintenance
import HeraldModel
import HeraldObservation
import HeraldQuery
import TestSupport
import Testing

@testable import HeraldEngine

/// A class that is altered takes its objects along, or stays as it is: everything is checked first.
@Suite struct AlteringTests {
  private static let dog = ClassDefinition(
    name: "Dog",
    properties: [
      .init(name: "id", element: .int, isPrimaryKey: true),
      .init(name: "name", element: .string, isOptional: true),
      .init(name: "age", element: .int, isIndexed: true),
      .init(name: "friend", element: .link("Dog")),
      .init(name: "fans", element: .link("Dog"), shape: .backlinks("friend")),
      .init(name: "tags", element: .string, shape: .list),
      .init(name: "home", element: .link("Home")),
    ])
  private static let home = ClassDefinition(
    name: "Home", isEmbedded: true,
    properties: [
      .init(name: "town", element: .string), .init(name: "inner", element: .link("Home")),
    ])

  /// Dogs 1 to 3: of ages 1, 2 and 2, and with the name "3" of the last.
  private func dogs() throws -> (session: Session, dogs: [ObjectID]) {
    let session = try Session.made(Self.dog, Self.home)
    let dogs = try session.write {
      let dogs = try (1...3).map {
        try session.add("Dog", ("id", .int($0)), ("age", .int(min($0, 2))))
      }
      try session.set(
        dogs[2], ("name", .string("3")), ("friend", .link(dogs[0])),
        ("tags", .list([.string("7")])),
        ("home", .link(try session.add("Home", ("town", .string("Ulm"))))))
      return dogs
    }
    return (session, dogs)
  }

  /// Alterations that are refused, and why.
  struct Refusal: Sendable, CustomTestStringConvertible {
    let message: String
    let alterations: [ClassAlteration]

    init(_ message: String, _ alterations: ClassAlteration...) {
      (self.message, self.alterations) = (message, alterations)
    }

    var testDescription: String { message }
  }

  static let refusals = [
    Refusal("class 'Dog' has no property 'agee'; did you mean 'age'?", .drop("agee")),
    Refusal("class 'Dog' has no property 'agee'; did you mean 'age'?", .rename("agee", to: "a")),
    Refusal("class 'Dog' has two properties 'age'", .add(.init(name: "age", element: .int))),
    Refusal("class 'Dog' has two properties 'age'", .rename("name", to: "age")),
    Refusal(
      "the new property 'size' of class 'Dog' needs a default, or '?': Dog#1 would have no value",
      .add(.init(name: "size", element: .int))),
    Refusal(
      "cannot convert Dog#1: its 'name' is nil, which cannot become string",
      .change(.init(name: "name", element: .string))),
    Refusal(
      "cannot convert Dog#3: its 'tags' is [\"7\"], which cannot become list<bool>",
      .change(.init(name: "tags", element: .bool, shape: .list))),
    Refusal(
      "Dog#2 and Dog#3 would both have the primary key age 2",
      .change(.init(name: "id", element: .int)),
      .change(.init(name: "age", element: .int, isPrimaryKey: true))),
    Refusal(
      "class 'Dog' has two primary keys, 'id' and 'age'",
      .change(.init(name: "age", element: .int, isPrimaryKey: true))),
    Refusal(
      "the backlinks property 'Dog.fans' comes from 'Dog.friend', which does not exist",
      .drop("friend")),
    Refusal(
      "property 'fans' cannot become int: drop it and add another",
      .change(.init(name: "fans", element: .int))),
    Refusal(
      "'age' is in use: projection 'Ages' refers to it", .add(.init(name: "a", element: .int)),
      .drop("age")),
    Refusal(
      "'age' is in use: query 'Old' refers to it", .change(.init(name: "age", element: .data))),
  ]

  @Test(arguments: refusals)
  func `an alteration that is refused changes nothing`(_ refusal: Refusal) throws {
    let (session, dogs) = try dogs()
    if refusal.message.contains("projection") {
      try session.write {
        try session.declare(
          ProjectionDefinition(name: "Ages", className: "Dog", fields: [("a", "age")]))
      }
    }
    if refusal.message.contains("query") {
      try session.write {
        try session.define(QueryDefinition(name: "Old", origin: "Dog", clauses: "where age > 9"))
      }
    }
    let schema = session.schema
    let text = try session.changes {
      #expect(errorText { try session.alter("Dog", refusal.alterations) } == refusal.message)
      #expect(!session.hasChangedSchema)
      try session.set(dogs[0], ("age", .int(9)))
    }
    #expect(text == "Dog#1.age was 1")
    #expect(session.schema.encoded() == schema.encoded())
    #expect(session.check() == [])
  }

  @Test func `to observers an altered class changes no object, but loses what was converted`()
    throws
  {
    let (session, dogs) = try dogs()
    let text = try session.changes {
      try session.alter(
        "Dog",
        [
          .rename("name", to: "called"), .drop("tags"),
          .change(.init(name: "age", element: .string)),
          .add(.init(name: "size", element: .int, isIndexed: true, defaultValue: .value(.int(4)))),
          .change(.init(name: "id", element: .string, isPrimaryKey: true)),
        ])
      #expect(try session.read("size", of: dogs[0]) == .int(4))
      try session.set(dogs[0], ("called", .string("Max")))
    }
    #expect(text == "Dog#1.called was nil")
    let record = try session.loggedCommit(session.version).record
    #expect(record.schemaChanged)
    #expect(
      record.losses.properties == [
        dogs[0].classID: [PropertyID(1), PropertyID(3), PropertyID(6)]
      ])
    #expect(try session.read("age", of: dogs[2]) == .string("2"))
    #expect(try session.read("called", of: dogs[2]) == .string("3"))
    let dogClass = try session.declaredClass("Dog")
    #expect(try session.find(dogClass, key: .string("2")) == dogs[1])
    #expect(
      dogClass.properties.map(\.name) == ["id", "called", "age", "friend", "fans", "home", "size"])
    #expect(session.check() == [])
  }

  @Test func `a renamed property is followed by backlinks, projections and queries`() throws {
    let (session, dogs) = try dogs()
    try session.write {
      try session.declare(
        ProjectionDefinition(
          name: "Friends", className: "Dog", fields: [("f", "friend.friend"), ("n", "name")]))
      try session.define(
        QueryDefinition(name: "Liked", origin: "Dog", clauses: "where friend != nil"))
      try session.alter("Dog", [.rename("friend", to: "pal")])
    }
    #expect(
      try session.declaredClass("Dog").property(named: "fans")?.type.shape == .backlinks("pal"))
    #expect(session.schema.projection(named: "Friends")?.fields.map(\.path) == ["pal.pal", "name"])
    #expect(session.schema.query(named: "Liked")?.clauses == "where pal != nil")
    #expect(try session.read("fans", of: dogs[0]) == .list([.link(dogs[2])]))
    #expect(session.check() == [])
  }

  @Test func `embedded objects become maps, and maps embedded objects`() throws {
    let session = try Session.made(
      ClassDefinition(
        name: "Home", isEmbedded: true, properties: [.init(name: "town", element: .string)]),
      ClassDefinition(name: "Dog", properties: [.init(name: "home", element: .link("Home"))]))
    let dog = try session.write {
      try session.add("Dog", ("home", .link(try session.add("Home", ("town", .string("Ulm"))))))
    }
    try session.write { try session.alter("Dog", [.change(.init(name: "home", element: .any))]) }
    #expect(try session.read("home", of: dog) == .map(["town": .string("Ulm")]))
    #expect(try session.objects("Home") == [])
    try session.write {
      try session.alter("Dog", [.change(.init(name: "home", element: .link("Home")))])
    }
    let homes = try session.objects("Home")
    #expect(try session.read("home", of: dog) == .link(homes[0]) && homes.count == 1)
    #expect(try session.read("town", of: homes[0]) == .string("Ulm"))
    #expect(session.check() == [])
  }

  @Test func `a class that others use cannot be dropped, and one that is takes its objects`() throws
  {
    let (session, dogs) = try dogs()
    func drop(_ name: String) -> String {
      errorText { try session.write { try session.drop(name) } }
    }
    #expect(drop("Home") == "'Home' is in use: property 'Dog.home' refers to it")
    #expect(drop("Hom") == "unknown class 'Hom'; did you mean 'Home'?")
    try session.write {
      try session.declare(ProjectionDefinition(name: "P", className: "Dog", fields: [("a", "age")]))
      try session.define(QueryDefinition(name: "Q", origin: "Dog"))
    }
    #expect(drop("Dog") == "'Dog' is in use: query 'Q' refers to it")
    #expect(drop("Q") == "no error")
    #expect(drop("Dog") == "'Dog' is in use: projection 'P' refers to it")
    #expect(drop("P") == "no error")
    #expect(drop("Dog") == "no error")
    let record = try session.loggedCommit(session.version).record
    #expect(record.losses.classes == [dogs[0].classID])
    #expect(try session.objects("Home") == [] && session.classSchema(named: "Dog") == nil)
    #expect(session.check() == [])
  }

  @Test func `an interruption during an alteration rolls the write back`() throws {
    let (session, _) = try dogs()
    let interruption = Interruption()
    session.interruption = interruption
    var wasInterrupted = false
    for checks in 0..<40 {
      interruption.request(afterChecks: checks)
      let text = errorText {
        try session.write {
          try session.alter("Dog", [.change(.init(name: "age", element: .string)), .drop("tags")])
        }
      }
      interruption.clear()
      guard text == "interrupted" else { break }
      wasInterrupted = true
      #expect(!session.isInWrite)
      #expect(try session.declaredClass("Dog").property(named: "age")?.type.element == .int)
      #expect(session.check() == [])
    }
    #expect(wasInterrupted)
    #expect(try session.declaredClass("Dog").property(named: "age")?.type.element == .string)
    #expect(session.check() == [])
  }
}
