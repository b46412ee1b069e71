import HeraldModel
import TestSupport
import Testing

@testable import HeraldEngine

/// Classes, projections and queries are declared under free names, in any order, and only if they make sense.
@Suite struct DeclaringTests {
  private typealias Property = ClassDefinition.Property

  private static let dog = ClassDefinition(
    name: "Dog",
    properties: [
      .init(name: "id", element: .int, isPrimaryKey: true),
      .init(name: "owner", element: .link("Person")),
    ])

  private func text(_ schema: Schema) -> String {
    schema.classes.map { classSchema in
      let properties = classSchema.properties.map {
        "\($0.id.rawValue) \($0.name) \(schema.name(of: $0.type))"
      }
      let mark = classSchema.isDeclared ? "" : "?"
      return "\(classSchema.id.rawValue) \(classSchema.name)\(mark) \(properties)"
    }.joined(separator: "\n")
  }

  @Test func `a class that is only named by a link is not declared yet`() throws {
    let session = try Session.made(Self.dog)
    #expect(text(session.schema) == "2 Person? []\n1 Dog [\"1 id int\", \"2 owner Person\"]")
    let dog = try session.declaredClass("Dog")
    let person = try session.declaredClass("Person")
    try session.beginWrite(byHand: true)
    #expect(errorText { try session.add("Person") } == "class 'Person' is not declared yet")
    #expect(
      errorText { try session.add("Dog", ("id", .int(1))) } == "class 'Person' is not declared yet")
    #expect(errorText { try session.checkDeclared(dog) } == "class 'Person' is not declared yet")
    #expect(errorText { try session.alter("Person", []) } == "class 'Person' is not declared yet")
    try session.declare(
      ClassDefinition(
        name: "Person",
        properties: [.init(name: "dogs", element: .link("Dog"), shape: .backlinks("owner"))]))
    #expect(
      text(session.schema) == """
        1 Dog ["1 id int", "2 owner Person"]
        2 Person ["1 dogs backlinks<Dog.owner>"]
        """)
    #expect(try session.declaredClass("Person").id == person.id)
    #expect(errorText { try session.add("Dog", ("id", .int(1))) } == "no error")
  }

  @Test func `the same declaration again changes nothing, and another one is refused`() throws {
    let session = try Session.made(Self.dog)
    let text = try session.changes {
      try session.declare(Self.dog)
      #expect(!session.hasChangedSchema)
      var other = Self.dog
      other.properties[1].element = .any
      #expect(errorText { try session.declare(other) } == "class 'Dog' exists already")
    }
    #expect(text == "nothing")
  }

  /// A class that is refused, and why.
  struct Refusal: Sendable, CustomTestStringConvertible {
    let message: String
    let definition: ClassDefinition

    init(_ message: String, isEmbedded: Bool = false, _ properties: ClassDefinition.Property...) {
      self.message = message
      definition = ClassDefinition(name: "Box", isEmbedded: isEmbedded, properties: properties)
    }

    var testDescription: String { message }
  }

  static let refusals = [
    Refusal(
      "class 'Box' has two properties 'a'", .init(name: "a", element: .int),
      .init(name: "a", element: .string)),
    Refusal(
      "class 'Box' has two primary keys, 'a' and 'b'",
      .init(name: "a", element: .int, isPrimaryKey: true),
      .init(name: "b", element: .int, isPrimaryKey: true)),
    Refusal(
      "an embedded class has no primary key; 'Box' has 'a'", isEmbedded: true,
      .init(name: "a", element: .int, isPrimaryKey: true)),
    Refusal(
      "a primary key is an int, a string, a uuid or an objectid; 'a' is not",
      .init(name: "a", element: .double, isPrimaryKey: true)),
    Refusal(
      "a primary key is an int, a string, a uuid or an objectid; 'a' is not",
      .init(name: "a", element: .int, shape: .list, isPrimaryKey: true)),
    Refusal(
      "a new identifier is made for a uuid or an objectid; 'a' is string",
      .init(name: "a", element: .string, isGenerated: true)),
    Refusal(
      "property 'a' cannot be indexed", .init(name: "a", element: .link("Dog"), isIndexed: true)),
    Refusal(
      "property 'a' cannot be indexed",
      .init(name: "a", element: .int, shape: .set, isIndexed: true)),
    Refusal(
      "property 'a' of class 'Box' is int and cannot hold \"x\"",
      .init(name: "a", element: .int, defaultValue: .value(.string("x")))),
    Refusal(
      "property 'a' cannot have a default",
      .init(
        name: "a", element: .link("Dog"), shape: .backlinks("owner"), defaultValue: .list([]))),
    Refusal(
      "the backlinks property 'Box.a' comes from 'Dog.name', which does not exist",
      .init(name: "a", element: .link("Dog"), shape: .backlinks("name"))),
    Refusal(
      "the backlinks property 'Box.a' comes from 'Dog.owner', which does not link to 'Box'",
      .init(name: "a", element: .link("Dog"), shape: .backlinks("owner"))),
  ]

  @Test(arguments: refusals)
  func `a class that makes no sense is refused, and leaves the schema`(_ refusal: Refusal) throws {
    let session = try Session.made(Self.dog)
    try session.beginWrite(byHand: true)
    #expect(errorText { try session.declare(refusal.definition) } == refusal.message)
    #expect(!session.hasChangedSchema && session.schema.classes.count == 2)
  }

  @Test func `a default is coerced, and cannot be a link`() throws {
    let session = try Session.made(
      ClassDefinition(
        name: "Box",
        properties: [
          .init(name: "a", element: .double, defaultValue: .value(.int(3))),
          .init(name: "b", element: .double, shape: .list, defaultValue: .list([.int(1)])),
        ]))
    let box = try session.declaredClass("Box")
    #expect(box.properties.map(\.defaultValue) == [.double(3), .list([.double(1)])])
    let text = errorText {
      try session.write {
        let object = try session.add("Box")
        try session.alter(
          "Box", [.add(.init(name: "c", element: .any, defaultValue: .value(.link(object))))])
      }
    }
    #expect(text == "property 'c' cannot have a default")
  }

  @Test func `numbers that a rolled-back write gave are not given again`() throws {
    let session = try Session.made(Self.dog)
    let text = errorText {
      try session.write {
        try session.declare(ClassDefinition(name: "Cat", properties: []))
        try session.alter("Dog", [.add(.init(name: "age", element: .int))])
        throw HeraldError.interrupted
      }
    }
    #expect(text == "interrupted" && session.classSchema(named: "Cat") == nil)
    try session.write {
      try session.declare(ClassDefinition(name: "Toy", properties: []))
      try session.alter("Dog", [.add(.init(name: "size", element: .int))])
    }
    #expect(try session.declaredClass("Toy").id == ClassID(4))
    #expect(try session.declaredClass("Dog").property(named: "size")?.id == PropertyID(4))
  }

  @Test func `names are shared by classes, projections and queries`() throws {
    let session = try Session.made(Self.dog, ClassDefinition(name: "Person", properties: []))
    let projection = ProjectionDefinition(
      name: "Owned", className: "Dog", fields: [("who", "owner")])
    let query = QueryDefinition(name: "Strays", origin: "Dog", clauses: "where owner == nil")
    try session.write {
      try session.declare(projection)
      try session.declare(projection)
      try session.define(query)
    }
    try session.beginWrite(byHand: true)
    func declared(_ name: String) -> String {
      errorText { try session.declare(ClassDefinition(name: name, properties: [])) }
    }
    #expect(declared("Owned").hasPrefix("the projection 'Owned' exists already"))
    #expect(declared("Strays").hasPrefix("the saved query 'Strays' exists already"))
    #expect(declared("store").hasPrefix("'store' is a word of the language"))
    func projected(_ name: String, _ className: String, _ path: String) -> String {
      errorText {
        try session.declare(
          ProjectionDefinition(name: name, className: className, fields: [("f", path)]))
      }
    }
    #expect(projected("Dog", "Dog", "id") == "class 'Dog' exists already")
    #expect(projected("P", "Dgo", "id") == "unknown class 'Dgo'; did you mean 'Dog'?")
    #expect(projected("P", "Dog", "owner.name") == "class 'Person' has no property 'name'")
    #expect(projected("P", "Dog", "id") == "no error")
    let again = QueryDefinition(name: "Dog", origin: "Dog")
    #expect(errorText { try session.define(again) } == "class 'Dog' exists already")
  }

  @Test func `the number of a program's classes is stored with them`() throws {
    try withFolder { folder in
      let session = try Session.made(Self.dog, at: "\(folder)/a.hdb")
      #expect(session.programSchemaVersion == 0)
      try session.write {
        try session.setProgramSchemaVersion(7)
        #expect(session.programSchemaVersion == 7)
      }
      #expect(session.programSchemaVersion == 7)
      #expect(try session.sibling().programSchemaVersion == 7)
    }
  }
}
