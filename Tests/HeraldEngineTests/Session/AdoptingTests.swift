import HeraldMaintenance
import HeraldModel
import Testing

@testable import HeraldEngine

/// A store takes what a program's classes add to its own, and refuses what would change them.
@Suite struct AdoptingTests {
  private static let dog = ClassDefinition(
    name: "Dog",
    properties: [
      .init(name: "id", element: .int, isPrimaryKey: true),
      .init(name: "name", element: .string, isOptional: true),
      .init(name: "age", element: .int, defaultValue: .value(.int(3))),
    ])

  private static func dog(_ change: (inout ClassDefinition) -> Void) -> ClassDefinition {
    var definition = dog
    change(&definition)
    return definition
  }

  private func dogs(_ count: Int) throws -> Session {
    let session = try Session.made(Self.dog)
    try session.write { for id in 0..<count { try session.add("Dog", ("id", .int(id))) } }
    return session
  }

  @Test func `what the store has already makes no version`() throws {
    let session = try dogs(1)
    let version = session.version
    try session.adopt([Self.dog])
    // The store may have more than the program knows, and an index and a default too many.
    try session.adopt([Self.dog { $0.properties.removeLast() }])
    try session.adopt([Self.dog { $0.properties[2].defaultValue = nil }])
    #expect(session.version == version && session.schema.classCount == 1)
  }

  @Test func `missing classes, properties, indexes and defaults are added`() throws {
    let session = try dogs(2)
    try session.adopt([
      Self.dog {
        $0.properties[1].isIndexed = true
        $0.properties[1].defaultValue = .value(.string("Max"))
        $0.properties.append(.init(name: "size", element: .int, isOptional: true))
      },
      ClassDefinition(name: "Cat", properties: [.init(name: "friend", element: .link("Dog"))]),
    ])
    let dog = try session.declaredClass("Dog")
    #expect(dog.properties.map(\.name) == ["id", "name", "age", "size"])
    #expect(dog.properties[1].isIndexed && dog.properties[1].defaultValue == .string("Max"))
    #expect(try session.declaredClass("Cat").isDeclared)
    // Objects that were there keep their values.
    #expect(try session.objects("Dog").map { try session.read("name", of: $0) } == [.null, .null])
    let new = try session.write { try session.add("Dog", ("id", .int(9))) }
    #expect(try session.read("name", of: new) == .string("Max"))
    #expect(session.check() == [])
  }

  @Test func `an index and a default of the store are kept`() throws {
    let session = try dogs(1)
    try session.adopt([Self.dog { $0.properties[2].isIndexed = true }])
    try session.adopt([
      Self.dog {
        $0.properties[2].defaultValue = .value(.int(7))
        $0.properties[1].isIndexed = true
      }
    ])
    let properties = try session.declaredClass("Dog").properties
    #expect(properties.map(\.isIndexed) == [false, true, true])
    #expect(properties[2].defaultValue == .int(3))
  }

  @Test func `backlinks are added after the properties that they come from`() throws {
    let session = try dogs(1)
    let person = ClassDefinition(
      name: "Person",
      properties: [.init(name: "dogs", element: .link("Dog"), shape: .backlinks("owner"))])
    try session.adopt([
      person, Self.dog { $0.properties.append(.init(name: "owner", element: .link("Person"))) },
    ])
    #expect(try session.declaredClass("Dog").property(named: "owner") != nil)
    // Of two classes that are there already.
    let other = Self.dog {
      $0.properties.append(.init(name: "owner", element: .link("Person")))
      $0.properties.append(.init(name: "vet", element: .link("Person")))
    }
    let vet = ClassDefinition(
      name: "Person",
      properties: person.properties + [
        .init(name: "patients", element: .link("Dog"), shape: .backlinks("vet"))
      ])
    try session.adopt([vet, other])
    #expect(
      try session.declaredClass("Person").properties.map(\.type.shape) == [
        .backlinks("owner"), .backlinks("vet"),
      ])
    #expect(session.check() == [])
  }

  @Test func `it is a part of the open write, if there is one`() throws {
    let session = try dogs(1)
    let version = session.version
    try session.beginWrite(byHand: true)
    try session.adopt([ClassDefinition(name: "Cat", properties: [])])
    #expect(session.isInWrite && session.hasChangedSchema)
    try session.rollback()
    #expect(session.version == version && session.classSchema(named: "Cat") == nil)
  }

  /// A class that differs, and what the error says.
  struct Difference: Sendable, CustomTestStringConvertible {
    let message: String
    let definition: ClassDefinition

    init(_ message: String, _ change: (inout ClassDefinition) -> Void) {
      (self.message, definition) = (message, dog(change))
    }

    var testDescription: String { message }
  }

  static let differences = [
    Difference(
      "class 'Dog' differs in the store: its property 'age' is int, the program's string; "
        + "run: alter Dog { age: string }"
    ) { $0.properties[2].element = .string },
    Difference(
      "class 'Dog' differs in the store: its property 'name' is string?, the program's string; "
        + "run: alter Dog { name: string }"
    ) { $0.properties[1].isOptional = false },
    Difference(
      "class 'Dog' differs in the store: its property 'id' is int primary, the program's int; "
        + "run: alter Dog { id: int }"
    ) { $0.properties[0].isPrimaryKey = false },
    Difference(
      "class 'Dog' differs in the store: its property 'age' is int, the program's list<int>; "
        + "run: alter Dog { age: list<int> }"
    ) { $0.properties[2].shape = .list },
    Difference(
      "class 'Dog' differs in the store: it is not embedded; that cannot be changed: give the class "
        + "another name"
    ) { $0.isEmbedded = true },
    Difference(
      "the new property 'size' of class 'Dog' needs a default, or '?': Dog#0 would have no value"
    ) { $0.properties.append(.init(name: "size", element: .int)) },
  ]

  @Test(arguments: differences)
  func `a class that differs is refused, and nothing else is taken`(_ difference: Difference) throws
  {
    let session = try dogs(1)
    let version = session.version
    let cat = ClassDefinition(name: "Cat", properties: [])
    #expect(errorText { try session.adopt([cat, difference.definition]) } == difference.message)
    #expect(session.version == version && session.schema.classCount == 1 && !session.isInWrite)
  }

  @Test func `a required property can be added while there are no objects`() throws {
    let session = try dogs(0)
    try session.adopt([Self.dog { $0.properties.append(.init(name: "size", element: .int)) }])
    #expect(try session.declaredClass("Dog").property(named: "size") != nil)
  }
}
