import HeraldModel
import Testing

@testable import HeraldEngine

/// A message of storage, which knows numbers only, gets the names of the classes and properties.
@Suite struct SchemaNamingTests {
  private static let schema = Schema(classes: [
    ClassSchema(
      id: ClassID(1), name: "Dog",
      properties: [
        PropertySchema(id: PropertyID(2), name: "age", type: PropertyType(.int)),
        PropertySchema(
          id: PropertyID(3), name: "scores", type: PropertyType(.int, shape: .map)),
      ]),
    ClassSchema(id: ClassID(12), name: "Person", properties: []),
  ])

  /// A message, and the one with names.
  struct Naming: Sendable {
    let message: String
    let named: String
  }

  static let namings = [
    Naming(message: "property 2 of class 1 is damaged", named: "Dog.age is damaged"),
    Naming(message: "block 7 of property 2 of class 1", named: "block 7 of Dog.age"),
    Naming(message: "column 1.2: too short", named: "Dog.age: too short"),
    Naming(message: "column 1.3, and column 1.2", named: "Dog.scores, and Dog.age"),
    Naming(message: "class 12 has no objects", named: "Person has no objects"),
    Naming(message: "the objects of class 1", named: "the objects of Dog"),
    Naming(message: "column 1.0 is lost", named: "the objects of Dog is lost"),
    Naming(
      message: "column 1.\(1 << 31 | 3) has holes", named: "the keys of Dog.scores has holes"),
    // What the schema does not have keeps its number, as do words that only begin like these.
    Naming(message: "property 9 of class 1 is damaged", named: "property 9 of Dog is damaged"),
    Naming(message: "property 2 of class 7", named: "property 2 of class 7"),
    Naming(message: "column 7.2 is lost", named: "column 7.2 is lost"),
    Naming(message: "column 1.9 is lost", named: "column 1.9 is lost"),
    Naming(message: "class seven", named: "class seven"), Naming(message: "class", named: "class"),
    Naming(message: "property 2 of", named: "property 2 of"),
    Naming(message: "column 1", named: "column 1"), Naming(message: "", named: ""),
    Naming(message: "two  spaces stay", named: "two  spaces stay"),
  ]

  @Test(arguments: namings)
  func `numbers of classes and properties become names`(_ naming: Naming) {
    #expect(Self.schema.named(naming.message) == naming.named)
  }
}
